/** Counts what tests reach of a bot: its groups, blocks, edges and the ways of its conditions. */
import { typeOf } from "../engine/blocks/registry.ts"
import { type Bot, blockAt, type Position } from "../engine/bot.ts"
import { cut } from "../engine/cut.ts"
import type { Turn } from "../engine/turn/run.ts"

/** How many there are, and how many of them a test has reached. */
export type Share = { total: number; reached: number }

/** What tests reach of a bot. */
export type Coverage = {
  groups: Share
  blocks: Share
  edges: Share
  /** The ways on which conditions lead, the last of each for those that do not hold. */
  conditions: Share
  /** What no test reached, as places; what lies within a place that is named is not named. */
  missed: string[]
}

/** Collects what is reached of one bot. */
export type Reached = {
  /** Ids of what was passed. */
  blocks: ReadonlySet<string>
  edges: ReadonlySet<string>
  /** Notes what a turn passed of the bot that it runs under this version. */
  note(trail: NonNullable<Turn["trail"]>, version: string): void
  coverage(): Coverage
}

/** Opens a count for a bot. */
export function openReached(bot: Bot): Reached {
  const blocks = new Set<string>()
  const edges = new Set<string>()
  const ways = new Set<string>()
  const conditions = new Set(conditionWays(bot).map(({ blockId }) => blockId))
  return {
    blocks,
    edges,
    note(trail, version) {
      for (const [place, step] of trail.entries()) {
        if (step.version !== version) continue
        blocks.add(step.blockId)
        if (step.edgeId !== undefined) edges.add(step.edgeId)
        if (!conditions.has(step.blockId)) continue
        const isNext = trail[place + 1]?.blockId === nextBlock(bot, step.blockId)
        ways.add(`${step.blockId} ${step.edgeId ?? (isNext ? "next" : "end")}`)
      }
    },
    coverage: () => coverageOf(bot, { blocks, edges, ways }),
  }
}

type Sets = Record<"blocks" | "edges" | "ways", ReadonlySet<string>>

function coverageOf(bot: Bot, reached: Sets): Coverage {
  const positions = [...bot.positions].map(([blockId, position]) => ({ blockId, position }))
  const missedBlocks = positions.filter(({ blockId }) => !reached.blocks.has(blockId))
  const groups = bot.flow.groups.filter(({ blocks }) => blocks.length > 0)
  const missedGroups = groups.filter(
    ({ blocks }) => !blocks.some(({ id }) => reached.blocks.has(id)),
  )
  const ways = conditionWays(bot)
  const missedWays = ways.filter(({ blockId, key }) => !reached.ways.has(`${blockId} ${key}`))
  const exits = exitsOf(bot)
  const missedExits = exits.filter(({ key }) => !reached.edges.has(key))
  const gone = new Set(missedGroups)
  // A missed way says more than its edge.
  const told = new Set(missedWays.map(({ key }) => key))
  const left = [...missedWays, ...missedExits.filter(({ key }) => !told.has(key))]
  return {
    groups: shareOf(groups, missedGroups),
    blocks: shareOf(positions, missedBlocks),
    edges: shareOf(exits, missedExits),
    conditions: shareOf(ways, missedWays),
    missed: [
      ...missedGroups.map(({ title }) => groupPlace(title)),
      ...missedBlocks
        .filter(({ position }) => !gone.has(position.group))
        .map(({ position }) => blockPlace(position)),
      ...left.filter(({ blockId }) => reached.blocks.has(blockId)).map(({ place }) => place),
    ],
  }
}

/** A way out of a block: along an edge, to the next block or to the end of the path. */
type Way = { blockId: string; key: string; place: string }

/** Every edge that leads from a block to a group; trails do not name those of events. */
function exitsOf(bot: Bot): Way[] {
  const exits = new Map<string, Way>()
  const add = (key: string | undefined, blockId: string, from: string) => {
    const to = key === undefined ? undefined : bot.edges.get(key)?.to
    const group = to && bot.groups.get(to.groupId)
    if (key === undefined || exits.has(key) || !group) return
    exits.set(key, { key, blockId, place: `${from}edge to ${groupPlace(group.title)}` })
  }
  for (const [blockId, position] of bot.positions) {
    const block = blockAt(position)
    if (!block) continue
    const type = typeOf(block)
    const from = `${blockPlace(position)} › `
    add(block.outgoingEdgeId, blockId, from)
    for (const [index, key] of (type.edges?.(block) ?? []).entries()) {
      add(key, blockId, `${from}item ${index + 1}, `)
    }
    for (const key of type.pathEdges?.(block) ?? []) add(key, blockId, from)
  }
  return [...exits.values()]
}

/** The ways of every condition. */
function conditionWays(bot: Bot): Way[] {
  return [...bot.positions].flatMap(([blockId, position]) => {
    const block = blockAt(position)
    if (!block) return []
    const type = typeOf(block)
    if (!type.conditions || !type.needsItemEdges) return []
    const along = (edgeId: string | undefined, otherwise: string) =>
      edgeId !== undefined && bot.edges.has(edgeId) ? edgeId : otherwise
    const items = (type.edges?.(block) ?? []).map((edgeId, index) => ({
      blockId,
      key: along(edgeId, "end"),
      place: `${blockPlace(position)} › item ${index + 1}`,
    }))
    const onward = nextBlock(bot, blockId) === undefined ? "end" : "next"
    const last = { blockId, key: along(block.outgoingEdgeId, onward) }
    return [...items, { ...last, place: `${blockPlace(position)} › else` }]
  })
}

function nextBlock(bot: Bot, blockId: string): string | undefined {
  const position = bot.positions.get(blockId)
  return position && blockAt({ ...position, index: position.index + 1 })?.id
}

function shareOf(all: readonly unknown[], missed: readonly unknown[]): Share {
  return { total: all.length, reached: all.length - missed.length }
}

function groupPlace(title: string): string {
  return `Group "${cut(title)}"`
}

function blockPlace(position: Position): string {
  return `${groupPlace(position.group.title)} › block ${position.index + 1} "${blockAt(position)?.type}"`
}
