/** Every way out names an edge, and every edge is a way out of something. */
import type { Found, Rule } from "../finding.ts"
import type { Subject } from "../subject.ts"

/** An end of a connection without the other. */
export const danglingEdge: Rule = {
  id: "dangling-edge",
  severity: "warning",
  description: "Every `outgoingEdgeId` names an edge, and every edge is named by one.",
  remedy: "Draw the connection anew, or remove what is left of it.",
  check: (subject) => [...withoutEdge(subject), ...withoutSource(subject)],
}

function withoutEdge({ exits, edges }: Subject): Found[] {
  return exits.flatMap(({ path, edgeId, isOwn }) => {
    if (edges.has(edgeId)) return []
    const effect = isOwn ? "the way out is missing" : "choosing it leads nowhere"
    return [{ path, message: `Edge "${edgeId}" does not exist, so ${effect}` }]
  })
}

function withoutSource({ flow, exits, edgePath }: Subject): Found[] {
  const named = new Set(exits.map(({ edgeId }) => edgeId))
  return flow.edges.flatMap(({ id }, index) =>
    named.has(id)
      ? []
      : [{ path: edgePath(index), message: "No block, item or event leaves by this edge" }],
  )
}
