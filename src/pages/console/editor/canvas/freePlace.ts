/** Where there is room on the canvas for what is added. */
import type { FlowNode } from "./flowModel.ts"
import { sizes } from "./groupLayout.ts"
import type { Point } from "./selection.ts"

/** Between groups that follow each other. */
export const gap = 112
/** Height that is free below what is added. */
const roomy = 160

/** The first place from here downwards where a new group covers no other. */
export function freePlace(nodes: readonly FlowNode[], { x, y }: Point): Point {
  const covers = (top: number) =>
    nodes.some(
      ({ position, width = 0, height = 0 }) =>
        x < position.x + width &&
        x + sizes.width > position.x &&
        top < position.y + height &&
        top + roomy > position.y,
    )
  let top = y
  for (let tries = 0; tries < 50 && covers(top); tries++) top += roomy / 2
  return { x, y: top }
}
