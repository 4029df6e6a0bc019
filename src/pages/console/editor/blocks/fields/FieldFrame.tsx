/** Shows the help of a field beside it, while it has the focus or the pointer. */
import { Tooltip } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import type { ReactNode } from "react"
import { helpOf, type Schema } from "../blockSchema.ts"

export function FieldFrame({ schema, children }: { schema: Schema; children: ReactNode }) {
  const isNarrow = useMediaQuery("(max-width: 62em)", false)
  const help = helpOf(schema)
  return (
    <Tooltip
      label={help}
      disabled={help === undefined}
      position={isNarrow ? "top-start" : "left-start"}
      multiline
      maw={260}
      openDelay={600}
      events={{ hover: true, focus: !isNarrow, touch: false }}
    >
      <div>{children}</div>
    </Tooltip>
  )
}
