/** What lies ahead of every block of a bot: the inputs that can be reached, and whether a path ends. */
import { type Block, typeOf } from "../blocks/registry.ts"
import type { Bot, Group, Position } from "../bot.ts"
import { locate } from "./navigate.ts"

/** Inputs ahead of a place, itself included. The numbers of inputs are bits; shared, never written. */
export type Ahead = { inputs: Uint32Array; count: number; ends: boolean }

const surveys = new WeakMap<Bot, ReadonlyMap<Block, Ahead>>()

/** What lies ahead of a place; undefined: nothing, the path ends there. */
export function aheadOf(bot: Bot, { group, index }: Position): Ahead | undefined {
  let survey = surveys.get(bot)
  if (!survey) {
    survey = surveyOf(bot)
    surveys.set(bot, survey)
  }
  const block = group.blocks[index]
  return block && survey.get(block)
}

/** How many inputs several sets of one bot hold together. */
export function countInputs(sets: readonly Ahead[]): number {
  const [first, ...others] = sets
  if (others.length === 0) return first?.count ?? 0
  return unite(
    [first, ...others].flatMap((set) => set ?? []),
    [],
  ).count
}

/** A block in the graph of a flow, with what the search for cycles keeps of it. */
type Node = {
  block: Block
  ways: Node[]
  ends: boolean
  /** Its number among the inputs; absent: it is none. */
  input?: number
  /** Order of the first visit; 0: not visited. */
  order: number
  /** Smallest order that can be reached among open nodes. */
  lowest: number
  isOpen: boolean
  nextWay: number
}

/** Blocks on one cycle see the same; every cycle is met after all that it leads to. */
function surveyOf(bot: Bot): Map<Block, Ahead> {
  const survey = new Map<Block, Ahead>()
  for (const cycle of cyclesOf(graphOf(bot))) {
    const onCycle = new Set(cycle)
    const next = new Set<Ahead>()
    for (const { ways } of cycle) {
      for (const way of ways) {
        const ahead = onCycle.has(way) ? undefined : survey.get(way.block)
        if (ahead) next.add(ahead)
      }
    }
    const own = cycle.flatMap(({ input }) => input ?? [])
    const united = unite([...next], own)
    const ends = united.ends || cycle.some((node) => node.ends)
    const ahead = ends === united.ends ? united : { ...united, ends }
    for (const { block } of cycle) survey.set(block, ahead)
  }
  return survey
}

/** All inputs of some sets and some more; a set that gains nothing is shared. */
function unite(sets: readonly Ahead[], more: readonly number[]): Ahead {
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

function graphOf(bot: Bot): Node[] {
  const nodes = new Map<Block, Node>()
  let inputs = 0
  for (const { blocks } of bot.groups.values()) {
    for (const block of blocks) {
      const isInput = typeOf(block).kind === "input"
      const search = { order: 0, lowest: 0, isOpen: false, nextWay: 0 }
      nodes.set(block, {
        block,
        ways: [],
        ends: false,
        ...(isInput ? { input: inputs++ } : {}),
        ...search,
      })
    }
  }
  for (const group of bot.groups.values()) connect(bot, group, nodes)
  return [...nodes.values()]
}

function connect(bot: Bot, group: Group, nodes: ReadonlyMap<Block, Node>): void {
  for (const [index, block] of group.blocks.entries()) {
    const node = nodes.get(block)
    if (!node) continue
    const places = [...(typeOf(block).edges?.(block) ?? []), block.outgoingEdgeId].flatMap(
      (edge) => {
        const found = edge === undefined ? undefined : locate(bot, { edge })
        return typeof found === "object" ? [found] : []
      },
    )
    const isLast = index + 1 === group.blocks.length
    if (!isLast) places.push({ group, index: index + 1 })
    for (const place of places) {
      const to = place.group.blocks[place.index]
      const way = to && nodes.get(to)
      if (way) node.ways.push(way)
    }
    node.ends = node.ways.length < places.length || places.length === 0
  }
}

/** Sets of nodes that reach one another, each after those that it leads to (Tarjan, 1972). */
function cyclesOf(nodes: readonly Node[]): Node[][] {
  const cycles: Node[][] = []
  const open: Node[] = []
  let order = 0
  for (const root of nodes) {
    const path = root.order === 0 ? [root] : []
    for (let node = path.at(-1); node; node = path.at(-1)) {
      if (node.order === 0) {
        order += 1
        Object.assign(node, { order, lowest: order, isOpen: true })
        open.push(node)
      }
      const way = node.ways[node.nextWay++]
      if (way?.order === 0) path.push(way)
      else if (way?.isOpen) node.lowest = Math.min(node.lowest, way.order)
      else if (!way) {
        path.pop()
        const before = path.at(-1)
        if (before) before.lowest = Math.min(before.lowest, node.lowest)
        if (node.lowest === node.order) cycles.push(close(open, node))
      }
    }
  }
  return cycles
}

function close(open: Node[], first: Node): Node[] {
  const cycle = open.splice(open.lastIndexOf(first))
  for (const node of cycle) node.isOpen = false
  return cycle
}
