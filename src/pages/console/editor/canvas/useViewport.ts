/** Moves the view of a canvas: to the whole flow, and to parts of it. */
import { useReactFlow, useStore } from "@xyflow/react"
import { type RefObject, useEffect, useMemo, useRef } from "react"
import type { FlowNode } from "./flowModel.ts"
import type { Point } from "./selection.ts"
import { type Box, boxAround, revealing, roomIn, viewportOf } from "./viewports.ts"

/** Limits of people, beside which the view has none of its own. */
export const zooms = { minZoom: 0.05, maxZoom: 2 }
/** Below this zoom, words are hard to read: a flow that is too large for it opens at its start. */
export const legibleZoom = 0.6
/** A flow of more nodes than this opens as a whole, since its start is too little of it. */
const manyNodes = 41

export type Viewport = ReturnType<typeof useViewport>

export function useViewport(
  root: RefObject<HTMLElement | null>,
  nodes: readonly FlowNode[],
  firstZoom: number,
) {
  const flow = useReactFlow()
  const latest = useRef(nodes)
  latest.current = nodes
  return useMemo(() => {
    const show = (box: Box, how: Parameters<typeof viewportOf>[2]) => {
      if (root.current) void flow.setViewport(viewportOf(box, roomIn(root.current), how))
    }
    const showAll = (minZoom: number) => {
      const all = latest.current
      const start = all.find(({ type }) => type === "event") ?? all[0]
      if (!start) return
      const first = { x: start.position.x, y: start.position.y + (start.height ?? 0) / 2 }
      show(boxAround(all), { minZoom, maxZoom: 1, first })
    }
    return {
      /** Shows all of the flow. */
      fit: () => showAll(zooms.minZoom),
      /** Shows all of it or, where too little could be read, its start. */
      open: () => showAll(latest.current.length > manyNodes ? zooms.minZoom : firstZoom),
      /** Shows a box in its own size. */
      centre: (box: Box, first: Point) => show(box, { minZoom: 1, maxZoom: 1, first }),
      reveal: (box: Box) => {
        // A text that is written keeps itself in view; both would move the view twice.
        if (!root.current || root.current.querySelector("[data-written]")) return
        void flow.setViewport(revealing(box, roomIn(root.current), flow.getViewport()))
      },
      /** The upper middle of what is seen, in the coordinates of the flow. */
      middle: (): Point => {
        if (!root.current) return { x: 0, y: 0 }
        const { x, y, width, height } = roomIn(root.current)
        const canvas = root.current.getBoundingClientRect()
        return flow.screenToFlowPosition({
          x: canvas.left + x + width / 2,
          y: canvas.top + y + height / 4,
        })
      },
    }
  }, [root, flow, firstZoom])
}

/** Opens a flow, also as panels beside it open with it, until people move the view or do something else. */
export function useOpening(root: RefObject<HTMLElement | null>, open: () => void): void {
  useEffect(() => {
    if (!root.current) return undefined
    const sizes = new ResizeObserver(open)
    sizes.observe(root.current)
    const acts = ["pointerdown", "keydown", "wheel"] as const
    const stop = () => {
      sizes.disconnect()
      for (const act of acts) window.removeEventListener(act, stop, true)
    }
    for (const act of acts) window.addEventListener(act, stop, true)
    open()
    return stop
  }, [root, open])
}

/** Keeps what is open in view when it opens, and when a panel beside the canvas takes some of its room. */
export function useRevealed(view: Viewport, openId: string | undefined, box: Box | undefined) {
  const width = useStore((state) => state.width)
  const latest = useRef(box)
  latest.current = box
  useEffect(() => {
    if (openId !== undefined && width > 0 && latest.current) view.reveal(latest.current)
  }, [view, openId, width])
}

/** Whether some of the flow is out of view. */
export function useIsPartly(nodes: readonly FlowNode[]): boolean {
  const box = useMemo(() => boxAround(nodes), [nodes])
  return useStore(({ transform: [x, y, zoom], width, height }) => {
    const [left, top] = [box.x * zoom + x, box.y * zoom + y]
    return (
      left < 0 || top < 0 || left + box.width * zoom > width || top + box.height * zoom > height
    )
  })
}
