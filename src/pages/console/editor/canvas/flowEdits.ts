/** The edits that the canvas makes, as pure functions of the draft. */
import type { Edit } from "@parley/client/edit"
import { newId } from "../blocks/newId.ts"
import type { Block, Bot, BotGroup, CatalogueEntry } from "../editing.ts"
import { type Edge, type Exit, exitOfEvent } from "./exitsOf.ts"
import { withNewIds } from "./flowClipboard.ts"
import type { DrawnFlow } from "./flowModel.ts"
import type { Point, Selection, Slot } from "./selection.ts"

/** The group of a block, and its index there. */
export function placeOf(bot: Bot, blockId: string): { group: BotGroup; index: number } | undefined {
  for (const group of bot.groups) {
    const index = group.blocks.findIndex(({ id }) => id === blockId)
    if (index >= 0) return { group, index }
  }
  return undefined
}

/** A block as the catalogue has a new one. */
export function newBlock({ defaults }: CatalogueEntry): Block {
  return withNewIds({ id: "block", ...defaults }, newId) as unknown as Block
}

/** A title that no other group has. */
export function freeTitle({ groups }: Bot, titleOf: (n: number) => string): string {
  const taken = new Set(groups.map(({ title }) => title))
  let n = groups.length + 1
  while (taken.has(titleOf(n))) n += 1
  return titleOf(n)
}

export function newGroup(at: Point, title: string, blocks: Block[] = []) {
  return { id: newId(), title, graphCoordinates: roundedPoint(at), blocks }
}

export function roundedPoint({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) }
}

export function putGroup(group: BotGroup, changes: { title?: string; at?: Point }): Edit {
  const { id, title, graphCoordinates } = group
  const at = changes.at ? roundedPoint(changes.at) : graphCoordinates
  return { type: "group.put", group: { id, title: changes.title ?? title, graphCoordinates: at } }
}

/** Adds a group; the start leads to the first one of a flow. */
export function addGroup(bot: Bot, group: ReturnType<typeof newGroup>): Edit[] {
  const start = bot.events?.find(({ type }) => type === "start")
  const isFirst = bot.groups.length === 0 && start !== undefined
  return [
    { type: "group.put", group },
    ...(isFirst ? [connect(bot, exitOfEvent(start), { groupId: group.id })] : []),
  ]
}

/** Adds a block of a type. */
export function addBlock(bot: Bot, block: Block, slot: Slot, title: string): Edit[] {
  if ("at" in slot) return addGroup(bot, newGroup(slot.at, title, [block]))
  return [{ type: "block.put", block, ...slot }]
}

/** Moves blocks, in their present order, to stand one after the other. */
export function moveBlocks(bot: Bot, ids: readonly string[], slot: Slot, title: string): Edit[] {
  const group = "at" in slot ? newGroup(slot.at, title) : undefined
  const groupId = "at" in slot ? (group?.id ?? "") : slot.groupId
  const moved = new Set(ids)
  const present = bot.groups.find(({ id }) => id === groupId)?.blocks ?? []
  const index = "at" in slot ? 0 : slot.index
  // Those before the slot that stay there.
  const before = present.slice(0, index).filter(({ id }) => !moved.has(id)).length
  const order = present.map(({ id }) => id)
  const anchor = present.filter(({ id }) => !moved.has(id))[before]?.id
  const edits = ids.map((blockId): Edit => {
    const others = order.filter((id) => id !== blockId)
    const at = anchor === undefined ? others.length : others.indexOf(anchor)
    others.splice(at, 0, blockId)
    order.splice(0, order.length, ...others)
    return { type: "block.move", blockId, groupId, index: at }
  })
  return group ? [{ type: "group.put", group }, ...edits] : edits
}

/** Leads an exit to a group or a block; an edge that it has is led elsewhere. */
export function connect(bot: Bot, exit: Exit, to: Edge["to"]): Edit {
  const former = bot.edges.find(({ id }) => id === exit.edgeId)
  return { type: "edge.put", edge: { id: former?.id ?? newId(), from: exit.from, to } }
}

/** What goes when a selection is deleted. */
export type Removal = {
  edits: Edit[]
  groups: number
  events: number
  blocks: number
  edges: number
}

/** Deletes a selection; the start event stays. */
export function removeSelection(bot: Bot, selection: Selection): Removal {
  const groups = bot.groups.filter(({ id }) => selection.groups.has(id))
  const events = (bot.events ?? []).filter(
    ({ id, type }) => selection.events.has(id) && type !== "start",
  )
  const inGroups = new Set(groups.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  const alone = bot.groups
    .flatMap(({ blocks }) => blocks)
    .filter(({ id }) => selection.blocks.has(id) && !inGroups.has(id))
  const gone = {
    groups: new Set(groups.map(({ id }) => id)),
    blocks: new Set([...inGroups, ...alone.map(({ id }) => id)]),
    events: new Set(events.map(({ id }) => id)),
  }
  const goesAlong = ({ from, to }: Edge) =>
    gone.groups.has(to.groupId) ||
    gone.blocks.has(to.blockId ?? "") ||
    gone.blocks.has(from.blockId ?? "") ||
    gone.events.has(from.eventId ?? "")
  const along = bot.edges.filter(goesAlong)
  const edges = bot.edges.filter((edge) => selection.edges.has(edge.id) && !goesAlong(edge))
  return {
    edits: [
      ...edges.map(({ id }): Edit => ({ type: "edge.remove", edgeId: id })),
      ...alone.map(({ id }): Edit => ({ type: "block.remove", blockId: id })),
      ...groups.map(({ id }): Edit => ({ type: "group.remove", groupId: id })),
      ...events.map(({ id }): Edit => ({ type: "event.remove", eventId: id })),
    ],
    groups: groups.length,
    events: events.length,
    blocks: gone.blocks.size,
    edges: edges.length + along.length,
  }
}

/** Where a block goes with one step: within its group, past its end, or to the next group. */
export function stepOf(
  bot: Bot,
  blockId: string,
  step: "up" | "down" | "left" | "right",
): Slot | undefined {
  const place = placeOf(bot, blockId)
  if (!place) return undefined
  const { group, index } = place
  if (step === "up" && index > 0) return { groupId: group.id, index: index - 1 }
  // Slots are counted with the block in its place.
  if (step === "down" && index < group.blocks.length - 1)
    return { groupId: group.id, index: index + 2 }
  const at = bot.groups.indexOf(group)
  const other = bot.groups[step === "up" || step === "left" ? at - 1 : at + 1]
  if (!other) return undefined
  const isToEnd = step === "up" || step === "left"
  return { groupId: other.id, index: isToEnd ? other.blocks.length : 0 }
}

/** Every link between groups and events, for laying them out. */
export function linksOf(bot: DrawnFlow): { from: string; to: string }[] {
  const homes = new Map<string, string>()
  for (const { id, blocks } of bot.groups) for (const block of blocks) homes.set(block.id, id)
  const groups = new Set(bot.groups.map(({ id }) => id))
  const events = new Set((bot.events ?? []).map((event) => exitOfEvent(event).from.eventId))
  return bot.edges.flatMap(({ from, to }) => {
    const home = from.blockId === undefined ? undefined : homes.get(from.blockId)
    const source = home ?? (events.has(from.eventId) ? from.eventId : undefined)
    if (source === undefined || !groups.has(to.groupId)) return []
    return [
      {
        from: home === undefined ? `event ${source}` : `group ${source}`,
        to: `group ${to.groupId}`,
      },
    ]
  })
}
