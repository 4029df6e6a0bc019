/** Parts of a flow as text on the clipboard, and as a draft gets them from there. */
import type { Edit } from "@parley/client/edit"
import { newId } from "../blocks/newId.ts"
import type { Block, Bot, BotGroup } from "../editing.ts"
import type { BotEvent, Edge } from "./exitsOf.ts"
import { listAt, textAt, valueAt } from "./reading.ts"
import type { Point, Selection, Slot } from "./selection.ts"

type Variable = Bot["variables"][number]

/** What is copied; blocks stand alone, those of groups are in them. */
export type Copied = {
  groups: BotGroup[]
  blocks: Block[]
  events: BotEvent[]
  edges: Edge[]
  /** The variables that they name. */
  variables: Variable[]
}

const mark = "parley/flow"
const maxLength = 4_000_000

/** Members that name a part of the flow, as the service's own copies have it. */
const idMember = /(?:^i|I)ds?$/
const foreignMembers = new Set(["credentialsId", "proxyCredentialsId"])

/** A part with new ids for all that it declares, and for what names those. */
export function withNewIds<Part>(
  part: Part,
  makeId: () => string,
  known = new Map<string, string>(),
): Part {
  const ids = new Map(known)
  collectIds(part, (id) => {
    if (!ids.has(id)) ids.set(id, makeId())
  })
  return renamed(part, ids) as Part
}

function collectIds(part: unknown, give: (id: string) => void): void {
  if (typeof part !== "object" || part === null) return
  const id = textAt(part, "id")
  if (id !== "") give(id)
  for (const value of Object.values(part)) collectIds(value, give)
}

function renamed(part: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(part)) return part.map((each) => renamed(each, ids))
  if (typeof part !== "object" || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => {
      const isName = idMember.test(name) && !foreignMembers.has(name)
      if (isName && typeof value === "string") return [name, ids.get(value) ?? value]
      if (isName && Array.isArray(value))
        return [name, value.map((id) => (typeof id === "string" ? (ids.get(id) ?? id) : id))]
      return [name, renamed(value, ids)]
    }),
  )
}

/** What a selection holds; undefined: nothing that can be copied. */
export function copyOf(bot: Bot, selection: Selection): Copied | undefined {
  const groups = bot.groups.filter(({ id }) => selection.groups.has(id))
  const events = (bot.events ?? []).filter(
    ({ id, type }) => type !== "start" && selection.events.has(id),
  )
  const within = new Set(groups.flatMap((group) => group.blocks.map(({ id }) => id)))
  const blocks = bot.groups
    .flatMap((group) => group.blocks)
    .filter(({ id }) => selection.blocks.has(id) && !within.has(id))
  if (groups.length + blocks.length + events.length === 0) return undefined
  const targets = new Set(groups.map(({ id }) => id))
  const sources = new Set([...within, ...blocks.map(({ id }) => id), ...events.map(({ id }) => id)])
  const edges = bot.edges.filter(
    ({ from, to }) => targets.has(to.groupId) && sources.has(from.blockId ?? from.eventId ?? ""),
  )
  const text = JSON.stringify([groups, blocks, events])
  const variables = bot.variables.filter(
    ({ id, name }) =>
      text.includes(JSON.stringify(id)) || text.includes(JSON.stringify(name).slice(1, -1)),
  )
  return { groups, blocks, events, edges, variables }
}

export function writeCopied(copied: Copied): string {
  return JSON.stringify({ [mark]: 1, ...copied })
}

/** Reads what was copied; undefined: it is something else, or too much. */
export function readCopied(text: string): Copied | undefined {
  if (text.length > maxLength || !text.includes(mark)) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const copied = {
    groups: listAt(value, "groups"),
    blocks: listAt(value, "blocks"),
    events: listAt(value, "events"),
    edges: listAt(value, "edges"),
    variables: listAt(value, "variables"),
  }
  const isWhole =
    valueAt(value, mark) === 1 &&
    copied.groups.every(
      (group) => isPlaced(group) && hasText(group, "title") && blocksOf(group).every(isBlock),
    ) &&
    copied.blocks.every(isBlock) &&
    copied.events.every((event) => isPlaced(event) && hasText(event, "type")) &&
    copied.edges.every((edge) => hasText(edge, "id") && hasText(edge, "to", "groupId")) &&
    copied.variables.every((variable) => hasText(variable, "id") && hasText(variable, "name"))
  return isWhole ? (copied as unknown as Copied) : undefined
}

const blocksOf = (group: unknown) => listAt(group, "blocks")
const hasText = (value: unknown, ...path: string[]) => typeof valueAt(value, ...path) === "string"
const isBlock = (block: unknown) => hasText(block, "id") && hasText(block, "type")
const isPlaced = (part: unknown) =>
  hasText(part, "id") &&
  Number.isFinite(valueAt(part, "graphCoordinates", "x")) &&
  Number.isFinite(valueAt(part, "graphCoordinates", "y"))

export type Pasted = { edits: Edit[]; groups: string[]; events: string[]; blocks: string[] }

/** Where it goes: groups to a point, the upper left one there; blocks to a slot. */
export type PasteTarget = { at: Point; slot: Slot; titleOf: (title: string) => string }

/** The edits that add what was copied, under new ids; variables are those of the same name. */
export function pasteEdits(bot: Bot, copied: Copied, { at, slot, titleOf }: PasteTarget): Pasted {
  const byName = new Map(bot.variables.map(({ id, name }) => [name, id]))
  const known = new Map<string, string>()
  const added = copied.variables.filter(({ id, name }) => {
    const present = byName.get(name)
    known.set(id, present ?? newId())
    return present === undefined
  })
  // Events before version 6 do not exist.
  const events = bot.events === null ? [] : copied.events
  const parts = { ...copied, events, variables: [] }
  const made = withNewIds(withoutExits(parts), newId, known)
  const left = Math.min(...[...made.groups, ...made.events].map((each) => each.graphCoordinates.x))
  const top = Math.min(...[...made.groups, ...made.events].map((each) => each.graphCoordinates.y))
  const placed = <Part extends { graphCoordinates: Point }>(part: Part): Part => ({
    ...part,
    graphCoordinates: {
      x: Math.round(at.x + part.graphCoordinates.x - left),
      y: Math.round(at.y + part.graphCoordinates.y - top),
    },
  })
  const groups = made.groups.map((group) => placed({ ...group, title: titleOf(group.title) }))
  const home = "at" in slot ? newId() : slot.groupId
  const start = "at" in slot ? 0 : slot.index
  const edits: Edit[] = [
    ...added.map(
      (variable): Edit => ({ type: "variable.put", variable: withVariableId(variable, known) }),
    ),
    ...groups.map((group): Edit => ({ type: "group.put", group })),
    ...made.events.map((event): Edit => ({ type: "event.put", event: placed(event) })),
    ...("at" in slot && made.blocks.length > 0 ? [putHome(home, slot.at, titleOf(""))] : []),
    ...made.blocks.map(
      (block, index): Edit => ({ type: "block.put", groupId: home, block, index: start + index }),
    ),
    ...made.edges.map((edge): Edit => ({ type: "edge.put", edge })),
  ]
  return {
    edits,
    groups: groups.map(({ id }) => id),
    events: made.events.map(({ id }) => id),
    blocks: made.blocks.map(({ id }) => id),
  }
}

function putHome(id: string, at: Point, title: string): Edit {
  return { type: "group.put", group: { id, title, graphCoordinates: at, blocks: [] } }
}

function withVariableId(variable: Variable, ids: ReadonlyMap<string, string>): Variable {
  return { ...variable, id: ids.get(variable.id) ?? variable.id }
}

/** Copies name the edges that come with them, and none of the original's. */
function withoutExits<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withoutExits) as Part
  if (typeof part !== "object" || part === null) return part
  return Object.fromEntries(
    Object.entries(part)
      .filter(([name]) => name !== "outgoingEdgeId")
      .map(([name, value]) => [name, withoutExits(value)]),
  ) as Part
}
