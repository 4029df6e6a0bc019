/** Edits a text bubble where it stands on the canvas. */
import { useReactFlow, useStore } from "@xyflow/react"
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useRef,
} from "react"
import { RichTextField } from "../blocks/RichTextField.tsx"
import { useDelayedChanges } from "../blocks/useDelayedChanges.ts"
import type { Block } from "../editing.ts"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import { valueAt } from "./reading.ts"
import type { Point } from "./selection.ts"
import { roomIn } from "./viewports.ts"

const path = ["content", "richText"]

type Props = {
  block: Block
  label: string
  /** Where its words were pressed, in the window; absent: by a key. */
  at: Point | undefined
  /** Its words, until the editor is loaded. */
  children: ReactNode
  onLeave(): void
}

export function TextInPlace({ block, label, at, children, onLeave }: Props) {
  const { put } = useCanvas()
  const { value, change, flush } = useDelayedChanges(block, put)
  const root = useRef<HTMLDivElement>(null)
  useKeptInView(root, at)
  // Buttons of the bar are large enough to press at every zoom.
  const unzoomed = { "--unzoomed": useStore(({ transform }) => 1 / transform[2]) } as CSSProperties
  const leave = () => {
    flush()
    onLeave()
  }
  // Presses select text, also those in menus of the editor, which are inside of it for React.
  const stop = (event: SyntheticEvent) => event.stopPropagation()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it keeps presses in the text from the row.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above; keys are those of the editor.
    <div
      ref={root}
      className={`${classes.inPlace} nowheel`}
      style={unzoomed}
      onPointerDown={stop}
      onClick={stop}
      onContextMenu={stop}
    >
      <RichTextField
        label={label}
        value={valueAt(value, ...path)}
        onChange={(document) => change(path, document)}
        flush={flush}
        inPlace={{ at, fallback: children, onLeave: leave }}
      />
    </div>
  )
}

/** Room around the text: for its bar, which is as high as some lines, and its shadow. */
const margins = { bar: 88, barHeight: 160 }

/** From here on, writing is comfortable. */
const legibleZoom = 0.8

/** Zooms in where a text was pressed from afar, and moves the view while a panel or the text would hide it. */
function useKeptInView(root: RefObject<HTMLElement | null>, at: Point | undefined): void {
  const { getViewport, setViewport } = useReactFlow()
  useEffect(() => {
    const own = root.current
    const canvas = own?.closest<HTMLElement>("[data-canvas]")
    if (!own || !canvas) return undefined
    const view = getViewport()
    if (view.zoom < legibleZoom) {
      const seen = canvas.getBoundingClientRect()
      const fixed = at ?? own.getBoundingClientRect()
      const [x, y] = [fixed.x - seen.x, fixed.y - seen.y]
      const by = legibleZoom / view.zoom
      const moved = { x: x - (x - view.x) * by, y: y - (y - view.y) * by }
      void setViewport({ ...moved, zoom: legibleZoom })
    }
    const keep = () => {
      const [box, seen] = [own.getBoundingClientRect(), canvas.getBoundingClientRect()]
      const bottom = Math.max(box.bottom, box.top + margins.barHeight)
      const { x: left, y: top, height } = roomIn(canvas)
      const row = own.closest("[data-block]")?.getBoundingClientRect() ?? box
      const x = shift([row.left, row.right], [seen.left + left, seen.right - margins.bar])
      const y = shift([box.top, bottom], [seen.top + top, seen.top + top + height])
      if (x === 0 && y === 0) return
      const now = getViewport()
      void setViewport({ ...now, x: now.x + x, y: now.y + y })
    }
    const sizes = new ResizeObserver(keep)
    sizes.observe(own)
    sizes.observe(canvas)
    return () => sizes.disconnect()
  }, [root, getViewport, setViewport])
}

type Span = readonly [start: number, end: number]

/** How far a span moves to be within another; of one that is longer, the start is. */
function shift([start, end]: Span, [first, last]: Span): number {
  if (start < first || end - start > last - first) return first - start
  return Math.min(0, last - end)
}
