/** The inputs reachable from each block of a bot, and whether a path from it ends. */

import { componentsOf } from "../../lib/graph.ts"
import { memoize } from "../../lib/memoize.ts"
import { type Block, typeOf } from "../blocks/registry.ts"
import type { Bot, Group, Position } from "../bot.ts"
import { alongEdge } from "./places.ts"

/** The inputs reachable from a place, its own included, as bits. */
export type Ahead = { inputs: bigint; ends: boolean }

/** Undefined: the path ends at this place. */
export function aheadOf(bot: Bot, { group, index }: Position): Ahead | undefined {
  const block = group.blocks[index]
  return block && survey(bot).get(block)
}

/** Counts the distinct inputs in several sets of one bot. */
export function countInputs(sets: readonly Ahead[]): number {
  const bits = union(sets).toString(2)
  return bits.replaceAll("0", "").length
}

/** The blocks that may follow a block, and whether the walk may end at it. */
type Exits = { successors: Block[]; ends: boolean }

/** Blocks on a cycle reach the same inputs, so they share a set. */
const survey = memoize((bot: Bot): ReadonlyMap<Block, Ahead> => {
  const inputs = inputBits(bot)
  const graph = graphOf(bot)
  const ahead = new Map<Block, Ahead>()
  const components = componentsOf(graph.keys(), (block) => graph.get(block)?.successors ?? [])
  for (const component of components) {
    const onward = component.flatMap((block) => graph.get(block) ?? [])
    // Successors in the component itself are not known yet and add nothing.
    const sets = onward.flatMap(({ successors }) =>
      successors.flatMap((block) => ahead.get(block) ?? []),
    )
    const shared = {
      inputs: component.reduce((all, block) => all | (inputs.get(block) ?? 0n), union(sets)),
      ends: [...sets, ...onward].some(({ ends }) => ends),
    }
    for (const block of component) ahead.set(block, shared)
  }
  return ahead
})

function union(sets: readonly Ahead[]): bigint {
  return sets.reduce((all, { inputs }) => all | inputs, 0n)
}

/** A bit for each input. */
function inputBits(bot: Bot): Map<Block, bigint> {
  const blocks = [...bot.groups.values()].flatMap((group) => group.blocks)
  const inputs = blocks.filter((block) => typeOf(block).kind === "input")
  return new Map(inputs.map((block, number) => [block, 1n << BigInt(number)]))
}

function graphOf(bot: Bot): Map<Block, Exits> {
  const graph = new Map<Block, Exits>()
  for (const group of bot.groups.values()) {
    for (const [index, block] of group.blocks.entries()) {
      graph.set(block, exitsFrom(bot, group, index, block))
    }
  }
  return graph
}

function exitsFrom(bot: Bot, group: Group, index: number, block: Block): Exits {
  const edges = [...(typeOf(block).edges?.(block) ?? []), block.outgoingEdgeId]
  const places = edges.flatMap((edge) => alongEdge(bot, edge) ?? [])
  if (index + 1 < group.blocks.length) places.push({ group, index: index + 1 })
  const successors = places.flatMap((place) => place.group.blocks[place.index] ?? [])
  return { successors, ends: successors.length < places.length || places.length === 0 }
}
