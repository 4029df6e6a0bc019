/** Where changes are on a drawing. */
import type { ViewedFlow } from "../editor/canvas/FlowView.tsx"
import type { Mark, Marks } from "../editor/canvas/marks.ts"
import type { FlowChange } from "./ChangesList.tsx"

/** An element that is drawn. */
export type Place = { kind: "element" | "edge"; id: string }

type Flows = { older: ViewedFlow; newer: ViewedFlow }

/** The elements that a change concerns; none: it is not on the canvas. An item is in its block. */
export function placesOfChange(change: FlowChange, { older, newer }: Flows): Place[] {
  const { what, id, pointerAfter, pointerBefore } = change
  if (what === "edge") return id === undefined ? [] : [{ kind: "edge", id }]
  if (!["event", "group", "block", "item"].includes(what)) return []
  const own: Place[] = id === undefined ? [] : [{ kind: "element", id }]
  if (what !== "item") return own
  const [, group, block] = /^\/groups\/(\d+)\/blocks\/(\d+)/.exec(
    pointerAfter ?? pointerBefore ?? "",
  ) ?? ["", "", ""]
  const { groups } = pointerAfter === undefined ? older : newer
  const around = groups[Number(group)]?.blocks[Number(block)]
  return around ? [...own, { kind: "element", id: around.id }] : own
}

const signs = { added: "+", removed: "−", changed: "~" } as const

/** Marks elements and edges. An element that was added or removed keeps that mark when parts of it changed, too. */
export function marksOf(
  changes: readonly FlowChange[],
  flows: Flows,
  words: Readonly<Record<FlowChange["kind"], string>>,
): Marks {
  const marks = { element: new Map<string, Mark>(), edge: new Map<string, Mark>() }
  for (const change of changes) {
    const [first, around] = placesOfChange(change, flows)
    const { kind } = change
    const look = kind === "added" || kind === "removed" ? kind : "changed"
    const known = first && marks[first.kind].get(first.id)
    if (first && (known === undefined || known.look === "changed"))
      marks[first.kind].set(first.id, { look, sign: signs[look], words: words[kind] })
    if (around && !marks.element.has(around.id))
      marks.element.set(around.id, { look: "changed", sign: signs.changed, words: words.changed })
  }
  // The frame of a group that is new or gone stands for all of it.
  for (const { id, blocks } of [...flows.older.groups, ...flows.newer.groups]) {
    const whole = marks.element.get(id)?.look
    for (const block of whole === "added" || whole === "removed" ? blocks : [])
      if (marks.element.get(block.id)?.look === whole) marks.element.delete(block.id)
  }
  return { elements: marks.element, edges: marks.edge }
}
