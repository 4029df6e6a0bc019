/** Marks what the linter has found at an element. */
import { Tooltip } from "@mantine/core"
import { Icon } from "../../shell/Icon.tsx"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"

export function FindingBadge({ id }: { id: string }) {
  const found = useCanvas().findings.get(id)
  if (!found) return null
  const words = found.map(({ message }) => message).join(" ")
  const isError = found.some(({ severity }) => severity === "error")
  return (
    <Tooltip label={words} multiline maw={320}>
      <span
        className={classes.finding}
        data-error={isError || undefined}
        role="img"
        aria-label={words}
      >
        <Icon name="triangle-alert" size={14} />
      </span>
    </Tooltip>
  )
}
