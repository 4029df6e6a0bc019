/** Brings a flow of any version to the latest. */

import { type Block, typeOf } from "../../engine/blocks/registry.ts"
import { type Flow, type Group, hasEvents, latestVersion, mapBlocks } from "../../engine/bot.ts"
import type { Edge } from "../../engine/schema/edge.ts"

/**
 * The flow as the latest version; version 6 counts as up to date and stays unchanged, because the default
 * look of 6.1 differs. Undefined when no group of an old flow has a start block. `newId` makes ids of new
 * parts.
 */
export function toLatest(flow: Flow, newId: () => string): Flow | undefined {
  if (hasEvents(flow.version)) return flow
  return from5(flow.version === "3" ? from3(flow) : flow, newId)
}

/** The flow as version 4: requests that used to be stored separately move into their blocks. */
function from3(flow: Flow): Flow {
  const groups = mapBlocks(flow.groups, (block) => typeOf(block).upgrade?.from3?.(block) ?? block)
  return { ...flow, version: "4", groups }
}

/**
 * From versions 4 and 5: the start becomes an event, and old members disappear. Groups, blocks, edges,
 * theme and settings keep their ids and values.
 */
function from5(flow: Flow, newId: () => string): Flow | undefined {
  const origin = flow.groups.find((group) => group.blocks.some(isStart))
  const start = origin?.blocks.find(isStart)
  if (origin === undefined || start === undefined) return undefined
  const entry = enter(flow.edges, { origin, start }, newId)
  const empty = new Set(flow.groups.flatMap(({ id, blocks }) => (blocks.length === 0 ? id : [])))
  return {
    ...flow,
    version: latestVersion,
    events: [
      {
        id: entry.eventId,
        type: "start",
        graphCoordinates: origin.graphCoordinates,
        ...(entry.edgeId !== undefined && { outgoingEdgeId: entry.edgeId }),
      },
    ],
    // A linked bot that ends at an empty group returns; along an edge without a target it would be over.
    edges: entry.edges.filter(({ to }) => !empty.has(to.groupId)),
    groups: mapBlocks(flow.groups.flatMap(withoutStart), (block) =>
      up(pastStart(block, origin, entry.edges[0]), newId),
    ),
  }
}

/** Redirects jumps and links to the start block's group to that group's successor. */
function pastStart(block: Block, origin: Group, entering: Edge | undefined): Block {
  const { botId, groupId } = typeOf(block).staticTarget?.(block) ?? {}
  const isOwn = botId === undefined || botId === "current"
  if (groupId !== origin.id || !isOwn || entering?.from.eventId !== origin.id) return block
  if (!origin.blocks.every(isStart) || !("options" in block)) return block
  const { blockId: _, ...options } = block.options as { blockId?: string }
  const to = botId === undefined ? entering.to : { groupId: entering.to.groupId }
  return { ...block, options: { ...options, ...to } } as Block
}

type Entry = { eventId: string; edgeId: string | undefined; edges: Edge[] }

/** Gives the start block's edge to the start event, and moves it to the front. */
function enter(edges: Edge[], from: { origin: Group; start: Block }, newId: () => string): Entry {
  const { origin, start } = from
  const first = origin.blocks.find((block) => !isStart(block))
  if (start.outgoingEdgeId === undefined && first !== undefined) {
    // The flow fell through to the next block of its group, which an event cannot do.
    const [eventId, edgeId] = [newId(), newId()]
    const to = { groupId: origin.id, blockId: first.id }
    return { eventId, edgeId, edges: [{ id: edgeId, from: { eventId }, to }, ...edges] }
  }
  const eventId = origin.id
  const edge = edges.find(({ id }) => id === start.outgoingEdgeId)
  const others = edges.filter((each) => each !== edge)
  const entering = edge === undefined ? [] : [{ ...edge, from: { eventId } }]
  return { eventId, edgeId: start.outgoingEdgeId, edges: [...entering, ...others] }
}

function withoutStart(group: Group): Group[] {
  const blocks = group.blocks.filter((block) => !isStart(block))
  return blocks.length === 0 ? [] : [{ ...group, blocks }]
}

function up(block: Block, newId: () => string): Block {
  const type = typeOf(block)
  if (type.isUnknown) return block
  return withoutBlockIds(type.upgrade?.from5?.(block, newId) ?? block)
}

/** Items of every type used to name the block that they belong to. */
function withoutBlockIds(block: Block): Block {
  if (!("items" in block) || !Array.isArray(block.items)) return block
  const items = block.items.map(({ blockId: _, ...item }) => item)
  return { ...block, items } as Block
}

function isStart(block: Block): boolean {
  return typeOf(block).isStart === true
}
