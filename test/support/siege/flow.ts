/** Flows of attackers, in a few words: one group of blocks after the other, variables by name. */

/** A block; it gets an id when it has none. */
export type Block = { type: string; [member: string]: unknown }

/** Values of variables by their names. */
export type Values = Record<string, string | (string | null)[]>

/** What a flow has besides its blocks. */
export type FlowParts = {
  /** Absent: the variables have no values yet. */
  values?: Values
  /** Names of further variables. */
  names?: readonly string[]
  edges?: object[]
  groups?: object[]
  events?: object[]
  theme?: object
  settings?: object
  title?: string
}

const place = { x: 0, y: 0 }

/** The id of a variable. */
export const idOf = (name: string) => `v-${name}`

/** A flow whose first group, `g0`, has these blocks; the edge `back` leads to its beginning. */
export function flowOf(blocks: readonly Block[], parts: FlowParts = {}): object {
  const { values = {}, names = [], edges = [], groups = [], events = [], title = "All" } = parts
  const known = [...new Set([...Object.keys(values), ...names])]
  return {
    version: "6.1",
    name: "Siege",
    events: [
      { id: "start", type: "start", outgoingEdgeId: "begin", graphCoordinates: place },
      ...events.map((event) => ({ graphCoordinates: place, ...event })),
    ],
    groups: [
      groupOf("g0", title, blocks),
      ...groups.map((group) => ({ graphCoordinates: place, ...group })),
    ],
    edges: [
      { id: "begin", from: { eventId: "start" }, to: { groupId: "g0" } },
      { id: "back", from: { blockId: "last" }, to: { groupId: "g0" } },
      ...edges,
    ],
    variables: known.map((name) => ({
      id: idOf(name),
      name,
      ...(values[name] !== undefined && { value: values[name] }),
    })),
    theme: parts.theme ?? {},
    settings: parts.settings ?? {},
  }
}

/** A group of blocks. */
export function groupOf(id: string, title: string, blocks: readonly Block[]): object {
  const withIds = blocks.map((block, index) => ({ id: `${id}b${index}`, ...block }))
  return { id, title, graphCoordinates: place, blocks: withIds }
}

/** A text bubble of one paragraph. */
export const say = (text: string): Block => ({
  type: "text",
  content: { richText: [{ type: "p", children: [{ text }] }] },
})

/** A block with options. */
export const block = (type: string, options: object = {}, more: object = {}): Block => ({
  type,
  options,
  ...more,
})

/** Sets a variable to a text with its tokens filled in, or to what code comes to. */
export const set = (name: string, expressionToEvaluate: string, isCode = false): Block =>
  block("Set variable", { variableId: idOf(name), expressionToEvaluate, isCode })

/** A comparison of a variable with a text. */
export const comparison = (name: string, comparisonOperator: string, value: string) => ({
  id: `c${Math.random().toString(36).slice(2)}`,
  variableId: idOf(name),
  comparisonOperator,
  value,
})

/** A condition that holds when any of the comparisons does; all are looked at when none does. */
export const anyOf = (comparisons: readonly object[], more: object = {}): Block => ({
  type: "Condition",
  items: [{ id: "yes", content: { logicalOperator: "OR", comparisons } }],
  ...more,
})

export function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}
