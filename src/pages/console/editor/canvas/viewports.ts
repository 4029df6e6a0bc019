/** Where a flow is looked at from, so that it is not behind what lies over its canvas. */
import type { FlowNode } from "./flowModel.ts"
import type { Point } from "./selection.ts"

export type Box = Point & { width: number; height: number }
export type Viewport = Point & { zoom: number }

/** Room for the bars above and below, and for marks beside groups. */
const margins = { top: 56, bottom: 64, side: 48 }
const besidePalette = 24

/** What nothing covers of a canvas, in its pixels. Marks what covers a side of it with `data-cover`. */
export function roomIn(canvas: HTMLElement): Box {
  const whole = canvas.getBoundingClientRect()
  let [left, right] = [margins.side, whole.width - margins.side]
  const cover = canvas.querySelector("[data-cover]")?.getBoundingClientRect()
  if (cover) {
    const isLeft = cover.left - whole.left < whole.right - cover.right
    if (isLeft) left = cover.right - whole.left + besidePalette
    else right = cover.left - whole.left - besidePalette
  }
  const height = whole.height - margins.top - margins.bottom
  return { x: left, y: margins.top, width: Math.max(1, right - left), height: Math.max(1, height) }
}

/** The smallest box around nodes. */
export function boxAround(nodes: readonly FlowNode[]): Box {
  const [left, top] = [
    Math.min(...nodes.map(({ position }) => position.x)),
    Math.min(...nodes.map(({ position }) => position.y)),
  ]
  const [right, bottom] = [
    Math.max(...nodes.map(({ position, width = 0 }) => position.x + width)),
    Math.max(...nodes.map(({ position, height = 0 }) => position.y + height)),
  ]
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** The row of a block, or an event; undefined: the node is something else. */
export function boxOf(node: FlowNode, id: string): Box | undefined {
  const { position, width = 0 } = node
  if (node.type === "event") return node.data.event.id === id ? boxAround([node]) : undefined
  const row = node.data.layout.blocks.find(({ block }) => block.id === id)
  return row && { x: position.x, y: position.y + row.y, width, height: row.height }
}

type Fitting = {
  minZoom: number
  maxZoom: number
  /** What is shown of a box that does not fit. */
  first: Point
}

/** Shows a box in the middle of the room; of one that does not fit, what comes first, and no emptiness beside it. */
export function viewportOf(box: Box, room: Box, { minZoom, maxZoom, first }: Fitting): Viewport {
  const fitting = Math.min(room.width / box.width, room.height / box.height)
  const zoom = Math.min(maxZoom, Math.max(minZoom, fitting))
  const place = (start: number, size: number, from: number, length: number, wanted: number) => {
    const [atStart, atEnd] = [from - start * zoom, from + length - (start + size) * zoom]
    if (atStart <= atEnd) return (atStart + atEnd) / 2
    return Math.min(atStart, Math.max(atEnd, wanted))
  }
  return {
    x: place(box.x, box.width, room.x, room.width, room.x - first.x * zoom),
    y: place(box.y, box.height, room.y, room.height, room.y + room.height / 2 - first.y * zoom),
    zoom,
  }
}

/** Moves the view as little as brings a box into the room. */
export function revealing(box: Box, room: Box, { x, y, zoom }: Viewport): Viewport {
  const move = (at: number, size: number, from: number, length: number) => {
    if (at < from || size > length) return from - at
    return Math.min(0, from + length - at - size)
  }
  return {
    x: x + move(box.x * zoom + x, box.width * zoom, room.x, room.width),
    y: y + move(box.y * zoom + y, box.height * zoom, room.y, room.height),
    zoom,
  }
}
