/** Marks what the linter has found at an element; pressed, it opens the list of all findings. */
import { Tooltip } from "@mantine/core"
import { Icon } from "../../shell/Icon.tsx"
import { useSelected } from "../editing.ts"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import type { Finding } from "./findingsByElement.ts"

/** `at`: elements such as `block:ID`, whose findings have one mark. */
export function FindingBadge({ at }: { at: readonly string[] }) {
  const { findings } = useCanvas()
  const found = at.flatMap((element) => findings.get(element) ?? [])
  return found.length > 0 && <Badge found={found} />
}

function Badge({ found }: { found: readonly Finding[] }) {
  const { try: isTrying, select } = useSelected()
  const words = found.map(({ message }) => message).join(" ")
  const isError = found.some(({ severity }) => severity === "error")
  return (
    <Tooltip label={words} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <button
        type="button"
        className={`${classes.finding} nodrag nokey`}
        data-error={isError || undefined}
        aria-label={words}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={(event) => {
          event.stopPropagation()
          select({ ...(isTrying && { try: isTrying }), panel: "findings" })
        }}
      >
        <Icon name="triangle-alert" size={14} />
      </button>
    </Tooltip>
  )
}
