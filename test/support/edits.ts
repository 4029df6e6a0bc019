/** Edits that authors make, each of which a person would call one change. */

import type { FlowChange } from "../../src/authoring/diff/diffSchemas.ts"
import type { Flow } from "../../src/engine/bot.ts"

type Members = Record<string, unknown>

/** An edit, and what a diff must call it. */
export type Edit = {
  kind: FlowChange["kind"]
  what: FlowChange["what"]
  /** The ways to make it in a flow, each to be called at most once; empty: it cannot be made. */
  ways(flow: Flow): (() => void)[]
}

const to = { groupId: "elsewhere" }

/** By their names. */
export const edits: Readonly<Record<string, Edit>> = {
  "renames a group": {
    kind: "changed",
    what: "group",
    ways: ({ groups }) => groups.map((group) => () => Object.assign(group, { title: "Renamed" })),
  },
  "renames a variable": {
    kind: "changed",
    what: "variable",
    ways: ({ variables }) => variables.map((variable) => () => (variable.name += " renamed")),
  },
  "gives a command another name": {
    kind: "changed",
    what: "event",
    ways: ({ events }) =>
      (events ?? []).flatMap((event) =>
        event.type === "command"
          ? () => (event.options = { ...event.options, command: "other" })
          : [],
      ),
  },
  "changes a text of a block": {
    kind: "changed",
    what: "block",
    ways: (flow) => blocksOf(flow).flatMap(({ items: _, ...block }) => textsIn(block)),
  },
  "changes a text of an item": {
    kind: "changed",
    what: "item",
    ways: (flow) => itemListsOf(flow).flat().flatMap(textsIn),
  },
  "changes the theme": {
    kind: "changed",
    what: "theme",
    ways: ({ theme }) => [() => (theme.customCss = "a {}")],
  },
  "changes a setting": {
    kind: "changed",
    what: "settings",
    ways: ({ settings }) => [
      () => (settings.general = { ...settings.general, isBrandingEnabled: true }),
    ],
  },
  "adds a block": {
    kind: "added",
    what: "block",
    ways: (flow) => insertions(listsOf(flow), { id: "new", type: "text" }),
  },
  "removes a block": {
    kind: "removed",
    what: "block",
    ways: (flow) => removals(listsOf(flow)),
  },
  "adds an item": {
    kind: "added",
    what: "item",
    ways: (flow) => insertions(itemListsOf(flow), { id: "new", content: "New" }),
  },
  "adds the first item": {
    kind: "added",
    what: "item",
    ways: (flow) =>
      blocksOf(flow).flatMap((block) =>
        "items" in block ? [] : () => (block.items = [{ id: "new", content: "New" }]),
      ),
  },
  "removes an item": { kind: "removed", what: "item", ways: (flow) => removals(itemListsOf(flow)) },
  "adds a variable": {
    kind: "added",
    what: "variable",
    ways: ({ variables }) => insertions([variables], { id: "new", name: "New" }),
  },
  "moves a block": { kind: "moved", what: "block", ways: (flow) => moves(listsOf(flow)) },
  "moves an item": {
    kind: "moved",
    what: "item",
    ways: (flow) => itemListsOf(flow).flatMap((items) => moves([items])),
  },
  "moves a group": { kind: "moved", what: "group", ways: ({ groups }) => moves([groups]) },
  "moves a variable": {
    kind: "moved",
    what: "variable",
    ways: ({ variables }) => moves([variables]),
  },
  "leads an edge elsewhere": {
    kind: "rewired",
    what: "edge",
    ways: ({ edges }) => edges.map((edge) => () => (edge.to = to)),
  },
  "draws an edge anew": {
    kind: "rewired",
    what: "edge",
    ways: (flow) =>
      exitsOf(flow).flatMap(({ holder, edge }) => () => {
        holder.outgoingEdgeId = "new"
        flow.edges = [...flow.edges.filter((each) => each !== edge), { ...edge, id: "new", to }]
      }),
  },
  "disconnects an edge": {
    kind: "removed",
    what: "edge",
    ways: (flow) =>
      exitsOf(flow).map(({ holder, edge }) => () => {
        delete holder.outgoingEdgeId
        flow.edges = flow.edges.filter((each) => each !== edge)
      }),
  },
  "connects a block": {
    kind: "added",
    what: "edge",
    ways: (flow) =>
      blocksOf(flow).flatMap((block) =>
        "outgoingEdgeId" in block
          ? []
          : () => {
              block.outgoingEdgeId = "new"
              flow.edges.push({ id: "new", from: { blockId: String(block.id) }, to })
            },
      ),
  },
}

function listsOf(flow: Flow): Members[][] {
  return flow.groups.map(({ blocks }) => blocks)
}

function blocksOf(flow: Flow): Members[] {
  return listsOf(flow).flat()
}

/** Lists of items that their ids tell apart. */
function itemListsOf(flow: Flow): Members[][] {
  return blocksOf(flow).flatMap(({ items }) => {
    if (!Array.isArray(items)) return []
    const ids = new Set(items.map(({ id }: Members) => id))
    return ids.size === items.length && !ids.has(undefined) ? [items as Members[]] : []
  })
}

/** Members that alone name an edge. */
function exitsOf(flow: Flow): { holder: Members; edge: Flow["edges"][number] }[] {
  const holders = holdersIn([flow.groups, flow.events])
  const counts = new Map<unknown, number>()
  for (const { outgoingEdgeId: id } of holders) counts.set(id, (counts.get(id) ?? 0) + 1)
  return holders.flatMap((holder) => {
    const edge = flow.edges.find(({ id }) => id === holder.outgoingEdgeId)
    return edge && counts.get(edge.id) === 1 ? { holder, edge } : []
  })
}

function holdersIn(value: unknown): Members[] {
  if (typeof value !== "object" || value === null) return []
  const inside = Object.values(value).flatMap(holdersIn)
  return "outgoingEdgeId" in value ? [value as Members, ...inside] : inside
}

const texts = new Set(["text", "content", "title", "placeholder", "url", "message", "value"])

function textsIn(members: Members): (() => void)[] {
  return Object.entries(members).flatMap(([name, value]) => {
    if (typeof value === "string") {
      return texts.has(name) ? () => (members[name] = `${value} and more`) : []
    }
    return typeof value === "object" && value !== null ? textsIn(value as Members) : []
  })
}

function insertions(lists: readonly object[][], value: object): (() => void)[] {
  return lists.flatMap((list) =>
    [0, list.length].map((at) => () => list.splice(at, 0, structuredClone(value))),
  )
}

function removals(lists: readonly object[][]): (() => void)[] {
  return lists.flatMap((list) => list.map((_, at) => () => list.splice(at, 1)))
}

function moves(lists: readonly object[][]): (() => void)[] {
  return lists.flatMap((list) =>
    list.flatMap((part, at) =>
      lists.flatMap((other) =>
        Array.from({ length: other.length + 1 }, (_, place) => () => {
          list.splice(at, 1)
          other.splice(place, 0, part)
        }).filter((_, place) => other !== list || (place !== at && place <= list.length - 1)),
      ),
    ),
  )
}
