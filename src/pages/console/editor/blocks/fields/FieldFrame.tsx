/** Shows the help of a field beside it, while it has the focus or the pointer. */
import { Tooltip } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import type { ReactNode } from "react"
import { helpOf, type Schema } from "../blockSchema.ts"

export function FieldFrame({ schema, children }: { schema: Schema; children: ReactNode }) {
  const isNarrow = useMediaQuery("(max-width: 62em)", false)
  const help = helpOf(schema)
  // A tooltip without a label takes the first Escape all the same.
  if (help === undefined) return <div>{children}</div>
  return (
    <Tooltip
      label={help}
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
