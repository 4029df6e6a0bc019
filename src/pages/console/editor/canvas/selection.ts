/** Places on the canvas, and what is selected there. */

export type Point = { x: number; y: number }

/** What is selected on the canvas: ids of elements. */
export type Selection = {
  groups: ReadonlySet<string>
  events: ReadonlySet<string>
  blocks: ReadonlySet<string>
  edges: ReadonlySet<string>
}

export const nothingSelected: Selection = {
  groups: new Set(),
  events: new Set(),
  blocks: new Set(),
  edges: new Set(),
}

/** Where a block is to stand; absent: in a new group at that point. */
export type Slot = { groupId: string; index: number } | { at: Point }
