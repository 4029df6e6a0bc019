/** Every way out names an edge, and every edge is a way out of something. */
import type { Found, Rule } from "../finding.ts"
import type { Subject } from "../subject.ts"
import { each } from "./each.ts"

/** An end of a connection without the other. */
export const danglingEdge: Rule = {
  id: "dangling-edge",
  severity: "warning",
  description: "Every `outgoingEdgeId` names an edge, and every edge is named by one.",
  remedy: "Draw the connection anew, or remove what is left of it.",
  *check(subject) {
    yield* withoutEdge(subject)
    yield* withoutSource(subject)
  },
}

function withoutEdge({ exits, edges }: Subject): Iterable<Found | undefined> {
  return each(exits, ({ path, edgeId, isOwn }) => {
    if (edges.has(edgeId)) return []
    const effect = isOwn ? "the way out is missing" : "choosing it leads nowhere"
    return [{ path, message: `Edge "${edgeId}" does not exist, so ${effect}` }]
  })
}

function withoutSource({ flow, exits, edgePath }: Subject): Iterable<Found | undefined> {
  const named = new Set(exits.map(({ edgeId }) => edgeId))
  return each(flow.edges, ({ id }, index) =>
    named.has(id)
      ? []
      : [{ path: edgePath(index), message: "No block, item or event leaves by this edge" }],
  )
}
