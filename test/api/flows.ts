/** Small flows to send to the management side. */

const at = { x: 0, y: 0 }

/** A start event that leads to the first group. */
export const startEvent = {
  id: "ev",
  type: "start" as const,
  graphCoordinates: at,
  outgoingEdgeId: "e0",
}

/** A group with blocks of any type; typed as nothing, because tests send wrong ones too. */
export function group(id: string, ...blocks: object[]): never {
  return { id, title: id.toUpperCase(), graphCoordinates: at, blocks } as never
}

/** A text input that saves into a variable. */
export function ask(id: string, variableId: string) {
  return { id, type: "text input", options: { variableId } }
}

/** A flow of version 5 whose start block leads to group `b`. */
export const oldFlow = {
  version: "5" as const,
  name: "Old",
  groups: [
    group("a", { id: "s", type: "start", label: "Start", outgoingEdgeId: "e0" }),
    group("b", ask("q", "v")),
  ],
  edges: [{ id: "e0", from: { blockId: "s" }, to: { groupId: "b" } }],
  variables: [{ id: "v", name: "V" }],
}
