/** Counts visits per block and passages per edge from the records of chats. */

import { componentsOf } from "../../lib/graph.ts"
import { type Block, typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, type Position } from "../bot.ts"
import { type DefaultWay, defaultWay, isInput, notedEdges } from "../turn/defaultWay.ts"
import { alongEdge, virtualName } from "../turn/places.ts"

/** Summed records of the results of one version. */
export type Recorded = {
  results: number
  /** Answers by block. */
  answers: ReadonlyMap<string, number>
  /** Edges off the default path, and marks (`recordMark`). */
  marks: ReadonlyMap<string, number>
}

type InputCount = {
  blockId: string
  groupId: string
  /** Times it was asked; repeats after invalid replies do not count. */
  shown: number
  /** Times it was left with a reply, skipped ones included. */
  answered: number
  /** Times it was left without an answer. */
  skipped: number
}

export type FlowCounts = {
  /** Visits by block, every round of a loop included. */
  visits: ReadonlyMap<string, number>
  /** In the order of the flow. */
  inputs: InputCount[]
  /** By edge, in the order of the flow; unused edges are missing. */
  edges: ReadonlyMap<string, number>
}

/**
 * Applies conservation of flow: every visit to a block leaves it along a recorded edge or by default. Answers
 * count as leaving an input, so abandoned chats need no handling. Concurrent chats, also of one result,
 * simply add up.
 */
export function countFlow(bot: Bot, recorded: Recorded): FlowCounts {
  const reached = arrivals(bot, recorded)
  const edges = new Map<string, number>()
  for (const { id } of bot.edges.values()) add(edges, id, recorded.marks.get(id) ?? 0)
  if (bot.startEdgeId !== undefined && bot.edges.has(bot.startEdgeId)) {
    add(edges, bot.startEdgeId, startsOf(recorded))
  }
  for (const here of inOrder(bot)) {
    const block = blockAt(here)
    if (!block) continue
    const way = defaultWay(bot, here)
    if (way.edge !== undefined && notedEdges(bot).has(way.edge)) continue
    const count = leaving(bot, block, { recorded, visits: reached.get(block.id) ?? 0 })
    if (way.edge !== undefined && bot.edges.has(way.edge)) add(edges, way.edge, count)
    arrive(reached, way, count)
  }
  return {
    visits: reached,
    inputs: inputsOf(bot, recorded, reached),
    edges: new Map([...edges].filter(([, count]) => count !== 0)),
  }
}

/** Arrivals per block other than by default. */
function arrivals(bot: Bot, recorded: Recorded): Map<string, number> {
  const { marks } = recorded
  const reached = new Map<string, number>()
  arrive(reached, { to: alongEdge(bot, bot.startEdgeId) }, startsOf(recorded))
  for (const { id } of bot.edges.values()) {
    arrive(reached, { to: alongEdge(bot, id) }, marks.get(id) ?? 0)
  }
  for (const group of bot.groups.values()) {
    arrive(reached, { to: { group, index: 0 } }, marks.get(virtualName(group.id)) ?? 0)
    for (const [index, { id }] of group.blocks.entries()) {
      arrive(reached, { to: { group, index } }, marks.get(virtualName(group.id, id)) ?? 0)
    }
  }
  return reached
}

function startsOf({ results, marks }: Recorded): number {
  return results - (marks.get("off-start") ?? 0)
}

/** Departures from a block by default. */
function leaving(
  bot: Bot,
  block: Block,
  { recorded: { answers, marks }, visits }: { recorded: Recorded; visits: number },
): number {
  const mark = (name: string) => marks.get(`${name}-${block.id}`) ?? 0
  let count = mark("on") - mark("off")
  if (typeOf(block).kind === "input") count += (answers.get(block.id) ?? 0) + mark("skip")
  else count += visits
  for (const edge of otherEdges(block)) if (alongEdge(bot, edge)) count -= marks.get(edge) ?? 0
  return count
}

function otherEdges(block: Block): Set<string> {
  const type = typeOf(block)
  const edges = [...(type.edges?.(block) ?? []), ...(type.pathEdges?.(block) ?? [])]
  const others = new Set(edges.filter((edge) => edge !== undefined))
  if (block.outgoingEdgeId !== undefined) others.delete(block.outgoingEdgeId)
  return others
}

function arrive(reached: Map<string, number>, { to }: DefaultWay, count: number): void {
  const block = blockAt(to)
  if (block) add(reached, block.id, count)
}

export function add(counts: Map<string, number>, key: string, count: number): void {
  if (count !== 0) counts.set(key, (counts.get(key) ?? 0) + count)
}

/**
 * Sorts blocks after those that lead to them by default; inputs first, because their departures are recorded
 * and need no arrivals.
 */
function inOrder(bot: Bot): Position[] {
  const places = [...bot.positions.values()]
  const onward = (here: Position) => {
    const { edge, to } = defaultWay(bot, here)
    const isNoted = edge !== undefined && notedEdges(bot).has(edge)
    const next = isNoted ? undefined : bot.positions.get(blockAt(to)?.id ?? "")
    return next && !isInput(next) ? [next] : []
  }
  const others = places.filter((place) => !isInput(place))
  return [...places.filter(isInput), ...componentsOf(others, onward).toReversed().flat()]
}

function inputsOf(bot: Bot, { answers, marks }: Recorded, visits: ReadonlyMap<string, number>) {
  const inputs: InputCount[] = []
  for (const [blockId, here] of bot.positions) {
    if (!isInput(here)) continue
    const skipped = marks.get(`skip-${blockId}`) ?? 0
    const answered = (answers.get(blockId) ?? 0) + skipped
    const asked = (visits.get(blockId) ?? 0) - (marks.get(`again-${blockId}`) ?? 0)
    // Chats from before marks were recorded may yield fewer.
    const shown = Math.max(asked, answered)
    inputs.push({ blockId, groupId: here.group.id, shown, answered, skipped })
  }
  return inputs
}
