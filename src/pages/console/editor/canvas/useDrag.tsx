/** Drags blocks, from the palette and from groups, to a slot in a group or onto the canvas. */
import { type PointerEvent, type ReactNode, useRef, useState } from "react"
import { createPortal } from "react-dom"
import { CatalogueIcon } from "../blocks/CatalogueIcon.tsx"
import classes from "./Canvas.module.css"
import type { Point, Slot } from "./selection.ts"

export type Dragged = {
  label: string
  icon: string
  /** False: it has no place in groups, as events. */
  isForGroups: boolean
  drop(slot: Slot): void
}

/** Movement in pixels that makes a drag of a press. */
const threshold = 5

export type Drag = {
  start(event: PointerEvent, dragged: Dragged): void
  /** What is drawn while something is dragged. */
  layer: ReactNode
}

/** `toFlow` turns a point of the window into one of the canvas. */
export function useDrag(toFlow: (point: Point) => Point): Drag {
  const [dragged, setDragged] = useState<Dragged>()
  const ghost = useRef<HTMLDivElement>(null)
  const mark = useRef<HTMLDivElement>(null)

  const start = (press: PointerEvent, what: Dragged) => {
    if (press.button !== 0 || !press.isPrimary) return
    const listening = new AbortController()
    const { signal } = listening
    let isOver = false
    let found: Found | undefined
    const move = (event: globalThis.PointerEvent) => {
      const { clientX: x, clientY: y } = event
      if (!isOver && Math.hypot(x - press.clientX, y - press.clientY) < threshold) return
      if (!isOver) setDragged(what)
      isOver = true
      event.preventDefault()
      found = findSlot({ x, y }, what.isForGroups)
      ghost.current?.style.setProperty("transform", `translate(${x + 12}px, ${y + 8}px)`)
      drawMark(mark.current, found)
    }
    const end = (event: Event) => {
      listening.abort()
      setDragged(undefined)
      if (!isOver) return
      swallowClick()
      if (event.type !== "pointerup" || !found) return
      what.drop("point" in found ? { at: toFlow(found.point) } : found.slot)
    }
    window.addEventListener("pointermove", move, { signal })
    window.addEventListener("pointerup", end, { signal })
    window.addEventListener("pointercancel", end, { signal })
    window.addEventListener("keydown", (event) => event.key === "Escape" && end(event), { signal })
  }

  const layer =
    dragged &&
    createPortal(
      <>
        <div ref={mark} className={classes.mark} hidden />
        <div ref={ghost} className={classes.ghost}>
          <CatalogueIcon name={dragged.icon} size={16} />
          <span>{dragged.label}</span>
        </div>
      </>,
      document.body,
    )
  return { start, layer }
}

type Found =
  | { point: Point }
  | { slot: { groupId: string; index: number }; left: number; top: number; width: number }

function findSlot(point: Point, isForGroups: boolean): Found | undefined {
  const under = document.elementFromPoint(point.x, point.y)
  const group = under?.closest<HTMLElement>("[data-group]")
  const groupId = group?.dataset.group
  if (!group || groupId === undefined || !isForGroups)
    return under?.closest("[data-canvas]") ? { point } : undefined
  const box = group.getBoundingClientRect()
  const rows = [...group.querySelectorAll("[data-block]")].map((row) => row.getBoundingClientRect())
  const before = rows.findIndex(({ top, height }) => point.y < top + height / 2)
  const index = before < 0 ? rows.length : before
  const top = rows[index]?.top ?? rows.at(-1)?.bottom ?? box.bottom
  return { slot: { groupId, index }, left: box.left, top, width: box.width }
}

function drawMark(mark: HTMLElement | null, found: Found | undefined): void {
  if (!mark) return
  const isSlot = found !== undefined && "slot" in found
  mark.hidden = !isSlot
  if (!isSlot) return
  mark.style.setProperty("transform", `translate(${found.left}px, ${found.top - 1}px)`)
  mark.style.setProperty("width", `${found.width}px`)
}

/** The click that follows a drag is none. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  window.addEventListener("click", swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }))
}
