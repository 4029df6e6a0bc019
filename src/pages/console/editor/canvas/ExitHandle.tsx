/** Where an edge leaves: dragged to a target, or pressed to choose one from a list. */
import { Handle, Position } from "@xyflow/react"
import { useTexts } from "../../shell/texts.ts"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import type { Exit } from "./exitsOf.ts"

type Props = {
  exit: Exit
  /** What the exit is called. */
  name: string
  /** Whether it shows only while its row is pointed at: the flow goes on below. */
  isQuiet?: boolean
}

export function ExitHandle({ exit, name, isQuiet = false }: Props) {
  const t = useTexts(canvasTexts)
  const { mayEdit, goTo, titleOfTarget } = useCanvas()
  const title = titleOfTarget(exit.edgeId)
  return (
    <Handle
      id={exit.key}
      type="source"
      position={Position.Right}
      className={classes.exit}
      isConnectable={mayEdit}
      // Its row is not dragged along.
      onPointerDown={(event) => event.stopPropagation()}
      data-taken={title !== undefined || undefined}
      data-quiet={(isQuiet && title === undefined) || undefined}
    >
      {mayEdit && (
        <button
          type="button"
          className={`${classes.exitButton} nokey`}
          data-exit={exit.key}
          aria-label={title === undefined ? t.exitFree(name) : t.exitTaken(name, title)}
          onClick={(event) => {
            event.stopPropagation()
            goTo(exit, name)
          }}
        />
      )}
    </Handle>
  )
}
