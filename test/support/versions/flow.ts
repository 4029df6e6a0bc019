/** The flow of the versions drill: it says one text, which identifies drafts and versions. */

const place = { x: 0, y: 0 }

/** The parts of the flow that says a text, as imports and changes take them. */
export function flowSaying(text: string) {
  const start = { id: "start", type: "start", outgoingEdgeId: "first", graphCoordinates: place }
  const saying = {
    id: "say",
    type: "text",
    content: { richText: [{ type: "p", children: [{ text }] }] },
  }
  const asking = { id: "ask", type: "text input", options: { variableId: "said" } }
  return {
    events: [start],
    groups: [{ id: "group", title: "Group", graphCoordinates: place, blocks: [saying, asking] }],
    edges: [{ id: "first", from: { eventId: "start" }, to: { groupId: "group" } }],
    variables: [{ id: "said", name: "Said" }],
  }
}

/** The text that a flow of the drill says; undefined: it is no such flow. */
export function textIn({ groups }: { groups?: unknown }): string | undefined {
  return /"text":"([^"]*)"/.exec(JSON.stringify(groups) ?? "")?.[1]
}
