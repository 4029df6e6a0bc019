/** Takes a flow apart into the parts that a diff compares. */
import type { Block } from "../../engine/blocks/registry.ts"
import type { Flow, Group } from "../../engine/bot.ts"
import { isMembers, type Members } from "../../lib/json.ts"
import type { Path } from "../lint/location.ts"
import type { FlowChange } from "./diffSchemas.ts"

/** A part of one of the two flows: the flow itself, a group, a block, an edge and so on. */
export type Part = {
  what: FlowChange["what"]
  id: string | undefined
  value: Members
  /** The block that it is or belongs to; undefined for other parts. */
  block: Block | undefined
  /** The group of a block, the block of an item. */
  parent: Part | undefined
  /** Position among its siblings. */
  index: number
  /** The blocks of a group, the items of a block. */
  children: Part[]
  isOld: boolean
  /** The same part in the other flow; undefined: it was added or removed. */
  twin: Part | undefined
  isMoved: boolean
  /** Place for people; undefined until `placeOf` is called. */
  place: string | undefined
}

export type Parts = {
  flow: Part
  events: Part[]
  groups: Part[]
  edges: Part[]
  variables: Part[]
  theme: Part
  settings: Part
}

/** Reads a flow into its parts; `isOld`: it is the older of the two. */
export function readParts(flow: Flow, isOld: boolean): Parts {
  const read: Reader = (what, value, { index = 0, parent, block } = {}) => {
    const id = typeof value.id === "string" ? value.id : undefined
    const empty = { children: [], twin: undefined, isMoved: false, place: undefined }
    return { what, id, value, block, parent, index, isOld, ...empty }
  }
  return {
    flow: read("flow", { version: flow.version }),
    events: (flow.events ?? []).map((event, index) => read("event", event, { index })),
    groups: flow.groups.map((group, index) => readGroup(group, index, read)),
    edges: flow.edges.map((edge, index) => read("edge", edge, { index })),
    variables: flow.variables.map((variable, index) => read("variable", variable, { index })),
    theme: read("theme", flow.theme),
    settings: read("settings", flow.settings),
  }
}

type Reader = (
  what: Part["what"],
  value: Members,
  position?: Partial<Pick<Part, "index" | "parent" | "block">>,
) => Part

function readGroup(group: Group, index: number, read: Reader): Part {
  const part = read("group", group, { index })
  part.children = group.blocks.map((block, index) => {
    const child = read("block", block, { index, parent: part, block })
    child.children = (itemsOf(child) ?? []).map((item, index) =>
      read("item", item, { index, parent: child, block }),
    )
    return child
  })
  return part
}

const lists: Partial<Record<Part["what"], string>> = {
  event: "events",
  group: "groups",
  block: "blocks",
  item: "items",
  edge: "edges",
  variable: "variables",
}

export function pathOf({ what, parent, index }: Part): Path {
  const list = lists[what]
  if (list !== undefined) return [...(parent ? pathOf(parent) : []), list, index]
  return what === "flow" ? [] : [what]
}

/** The items of a block, empty without that member; undefined: not a list of objects. */
export function itemsOf({ value: { items } }: Part): Members[] | undefined {
  if (items === undefined) return []
  return Array.isArray(items) && items.every(isMembers) ? items : undefined
}
