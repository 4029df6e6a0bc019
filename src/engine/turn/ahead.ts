/** What lies ahead of every block of a bot: the inputs that can be reached, and whether a path ends. */
import { type Block, typeOf } from "../blocks/registry.ts"
import type { Bot, Group, Position } from "../bot.ts"
import { componentsOf } from "../graph.ts"
import { memoize } from "../memoize.ts"
import { alongEdge } from "./places.ts"

/** The inputs that lie ahead of a place, its own included, as bits. Blocks share it: never write to it. */
export type Ahead = { inputs: Uint32Array; count: number; ends: boolean }

/** What lies ahead of a place; undefined when the path ends there. */
export function aheadOf(bot: Bot, { group, index }: Position): Ahead | undefined {
  const block = group.blocks[index]
  return block && survey(bot).get(block)
}

/** How many inputs several sets of one bot hold together. */
export function countInputs(sets: readonly Ahead[]): number {
  return union(sets, []).count
}

/** Where the walk may go from a block, and whether it may end there. */
type Exits = { successors: Block[]; ends: boolean }

/** Blocks on a cycle reach the same inputs, so they share a set. */
const survey = memoize((bot: Bot): ReadonlyMap<Block, Ahead> => {
  const inputs = inputNumbers(bot)
  const graph = graphOf(bot)
  const ahead = new Map<Block, Ahead>()
  const components = componentsOf(graph.keys(), (block) => graph.get(block)?.successors ?? [])
  for (const component of components) {
    const onward = component.flatMap((block) => graph.get(block) ?? [])
    // Successors in the component itself are not known yet and add nothing.
    const sets = new Set(
      onward.flatMap(({ successors }) => successors.flatMap((block) => ahead.get(block) ?? [])),
    )
    const own = component.flatMap((block) => inputs.get(block) ?? [])
    const united = union([...sets], own)
    const ends = united.ends || onward.some((each) => each.ends)
    const shared = ends === united.ends ? united : { ...united, ends }
    for (const block of component) ahead.set(block, shared)
  }
  return ahead
})

/** All inputs of some sets and some more; a set that gains nothing is shared. */
function union(sets: readonly Ahead[], more: readonly number[]): Ahead {
  const [first] = sets
  if (first && sets.length === 1 && more.length === 0) return first
  const last = Math.max(-1, ...more) >> 5
  const inputs = new Uint32Array(Math.max(last + 1, ...sets.map((set) => set.inputs.length)))
  for (const set of sets) {
    set.inputs.forEach((word, index) => {
      inputs[index] = (inputs[index] ?? 0) | word
    })
  }
  for (const input of more) inputs[input >> 5] = (inputs[input >> 5] ?? 0) | (1 << (input & 31))
  let count = 0
  for (let word of inputs) for (; word !== 0; word &= word - 1) count += 1
  return { inputs, count, ends: sets.some((set) => set.ends) }
}

function inputNumbers(bot: Bot): Map<Block, number> {
  const blocks = [...bot.groups.values()].flatMap((group) => group.blocks)
  const inputs = blocks.filter((block) => typeOf(block).kind === "input")
  return new Map(inputs.map((block, number) => [block, number]))
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
