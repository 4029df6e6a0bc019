/** Frames an element that a drawing has marked, with the sign of its mark. */
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"

export function MarkFrame({ id }: { id: string }) {
  const mark = useCanvas().marks?.elements.get(id)
  if (!mark) return null
  return (
    <span className={classes.marked} data-look={mark.look}>
      <span className={classes.sign} role="img" aria-label={mark.words} title={mark.words}>
        {mark.sign}
      </span>
    </span>
  )
}
