/** Places groups and events: flows without places of their own, and what their author wants in order. */
import { graphlib, layout } from "@dagrejs/dagre"

export type Placed = { id: string; x: number; y: number; width: number; height: number }
export type Link = { from: string; to: string }

const grid = 8
const snap = (value: number) => Math.round(value / grid) * grid

/** Places from left to right along the links. */
export function arrange(
  nodes: readonly Omit<Placed, "x" | "y">[],
  links: readonly Link[],
): Map<string, { x: number; y: number }> {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: "LR", ranksep: 112, nodesep: 40, ranker: "longest-path" })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height })
  for (const { from, to } of links) if (from !== to) graph.setEdge(from, to)
  layout(graph)
  return new Map(
    nodes.map(({ id, width, height }) => {
      // dagre names middles.
      const { x, y } = graph.node(id) as { x: number; y: number }
      return [id, { x: snap(x - width / 2), y: snap(y - height / 2) }]
    }),
  )
}

/** Whether a flow was never laid out: several groups that all lie in one place. */
export function isUnplaced(places: readonly { x: number; y: number }[]): boolean {
  const [first, ...rest] = places
  return (
    first !== undefined &&
    rest.length > 0 &&
    rest.every(({ x, y }) => x === first.x && y === first.y)
  )
}

export type Alignment = "left" | "top" | "columns" | "rows"

/** Places that stand in one line; `columns` and `rows` also have equal gaps. */
export function align(
  nodes: readonly Placed[],
  how: Alignment,
): Map<string, { x: number; y: number }> {
  const left = Math.min(...nodes.map(({ x }) => x))
  const top = Math.min(...nodes.map(({ y }) => y))
  const gap = 40
  let next = how === "columns" ? left : top
  const axis = how === "columns" ? "x" : "y"
  const placed = nodes
    .toSorted((one, other) => one[axis] - other[axis])
    .map(({ id, x, y, width, height }): [string, { x: number; y: number }] => {
      if (how === "left") return [id, { x: left, y }]
      if (how === "top") return [id, { x, y: top }]
      const at = next
      next += (how === "columns" ? width : height) + gap
      return [id, how === "columns" ? { x: at, y: top } : { x: left, y: at }]
    })
  return new Map(placed)
}
