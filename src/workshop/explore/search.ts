/** Walks the paths of a bot: long walks first, then breadth first, then towards untaken conditions. */
import { isOver } from "../../engine/turn/settle.ts"
import { createReached, type Reached } from "../coverage.ts"
import { createDice, drawOne } from "../play/dice.ts"
import { rootVersion } from "../play/play.ts"
import { climb, type Trail } from "./climb.ts"
import { type Fault, keyOf } from "./faultsIn.ts"
import { type Exit, groupOf } from "./flowFacts.ts"
import { noteNearest, type WayOut } from "./nearness.ts"
import { type Possible, possibleAt, possibleStarts } from "./possibleMoves.ts"
import { stateKey } from "./stateKey.ts"
import type { Move, Place, Stride, Walker } from "./walks.ts"

export type { Trail } from "./climb.ts"

export type Asked = {
  /** A way that ends with the question asked again. */
  again?: Trail | undefined
  /** Whether the chat continued after a reply. */
  hasLed: boolean
  /** The blocks passed on the way back to it; empty: the replies were refused. */
  passed: Set<string>
}

export type Bounds = {
  /** Whether time is left. */
  mayGoOn(): boolean
  places: number
  /** Max characters of waiting conversations. */
  held: number
}

/** Findings before they are reported. */
export type Found = {
  faults: Map<string, { fault: Fault; trail: Trail }>
  reached: Reached
  asked: Map<string, Asked>
  /** The nearest way to making each condition true, by block and item. */
  nearest: Map<string, { trail: Trail; distance: number }>
  /** Blocks whose turn was refused, with unknown successors. As paths, with commas. */
  refused: Set<string>
  /** The ids of these blocks. */
  refusedIds: Set<string>
  /** Ids of the blocks whose code has run without failing. */
  ran: Set<string>
  /** Some ways to an end. */
  ended: Trail[]
  places: number
  /** Unexplored places, and why. */
  left: { count: number; reason: "time" | "places" | "memory" | "alike" } | undefined
}

/** Max faults, and max ways to an end, that are kept. */
const maxFaults = 200
const maxEnded = 50

/** Max plans tried per move, and max chances varied per turn. */
const maxPlans = 48
const maxChances = 8

type Waiting = {
  place: Place
  trail: Trail
  size: number
  /** Ways through the flow whose chances were varied, not varied again for other replies. */
  varied: Set<string>
  /** Whether only odd replies remain untried. */
  isOdd: boolean
}

type Search = {
  walker: Walker
  bounds: Bounds
  found: Found
  seen: Set<string>
  waiting: Waiting[]
  later: Waiting[]
  held: number
  /** The number of places of each rough key. */
  alike: Map<string, number>
  /** The number of odd replies by question. */
  odd: Map<string, number>
  /** The number of climbs by way. */
  climbed: Map<string, number>
}

/** Explores a bot. Deterministic for the bot and seed if time suffices. */
export async function search(walker: Walker, bounds: Bounds, seed: number): Promise<Found> {
  const found: Found = {
    faults: new Map(),
    reached: createReached(walker.facts.flow),
    asked: new Map(),
    nearest: new Map(),
    refused: new Set(),
    refusedIds: new Set(),
    ran: new Set(),
    ended: [],
    places: 0,
    left: undefined,
  }
  const search: Search = {
    walker,
    bounds,
    found,
    seen: new Set(),
    waiting: [],
    later: [],
    held: 0,
    ...counts(),
  }
  await wander(search, seed)
  const dice = createDice(seed)
  for (const start of possibleStarts(walker.facts)) await tryOut(search, undefined, start)
  for (;;) {
    for (let gone = 0; gone < placesBetween; gone++) {
      const next = takeNext(search)
      if (!next) break
      const { isOdd } = next
      for (const possible of possibleAt(next.place, walker.facts)) {
        if (isOdd !== (possible.isMeant === false)) continue
        await tryOut(search, next, possible)
        if (!bounds.mayGoOn()) {
          noteLeft(search, "time")
          return found
        }
      }
    }
    const hasClimbed = await climbAll(search, dice)
    if (!bounds.mayGoOn()) noteLeft(search, "time")
    const isOver = search.waiting.length + search.later.length === 0 && !hasClimbed
    if (isOver || !bounds.mayGoOn()) return found
  }
}

/** Places explored between two climbs. */
const placesBetween = 300

function counts(): Pick<Search, "alike" | "odd" | "climbed"> {
  return { alike: new Map(), odd: new Map(), climbed: new Map() }
}

const maxClimbs = 3

/** Changes replies towards untaken ways out of conditions. Returns whether any exist. */
async function climbAll(search: Search, dice: () => number): Promise<boolean> {
  const { walker, found, bounds, climbed } = search
  const { facts } = walker
  // Small searches are exhaustive, so climbing adds nothing.
  if (!isLarge(search)) return false
  const isTaken = ({ blockId, item }: WayOut) => {
    const exits = facts.blocks.get(blockId)?.exits.filter((exit) => exit.item === item) ?? []
    return exits.every((exit) => isSeen(exit, found))
  }
  let hasClimbed = false
  for (const [blockId, known] of facts.blocks) {
    if (!found.reached.blocks.has(blockId) || !known.entry.type.needsItemEdges) continue
    for (const { item } of known.exits) {
      const way: WayOut = { blockId, item }
      const key = `${blockId} ${item ?? "else"}`
      const times = climbed.get(key) ?? 0
      if (times >= maxClimbs || isTaken(way) || known.conditions.length === 0) continue
      climbed.set(key, times + 1)
      hasClimbed = true
      const near = found.nearest.get(`${blockId} ${item ?? 0}`)?.trail
      const go = async (from: Place | undefined, move: Move, before: Trail | undefined) => {
        if (!bounds.mayGoOn()) return undefined
        const stride = await walker.go(from, move)
        const trail = { before, move }
        note(search, stride, { trail, from })
        // Places that only climbing reached are explored first.
        if (isTaken(way)) enqueue(search, stride, trail, true)
        return stride
      }
      const first = near && times === 0 ? movesOf(near) : [{ plan: [] }]
      await climb({ facts, go, isTaken, dice }, known, { way, first })
      if (!bounds.mayGoOn()) return hasClimbed
    }
  }
  return hasClimbed
}

/** Whether more places exist than will be tried soon. */
function isLarge({ found, waiting }: Search): boolean {
  return found.left !== undefined || waiting.length > 0
}

function isSeen({ edgeId, to }: Exit, found: Found): boolean {
  const group = to && groupOf(to)
  const isRefused = group?.blocks.some(({ id }) => found.refusedIds.has(id)) === true
  if (isRefused) return true
  if (edgeId !== undefined) return found.reached.edges.has(edgeId)
  return to === undefined || !("block" in to) || found.reached.blocks.has(to.block.id)
}

/** Expected replies first; odd ones when none is left. */
function takeNext(search: Search): Waiting | undefined {
  const usual = search.waiting.shift()
  if (usual && mayBeOdd(search, usual)) search.later.push({ ...usual, isOdd: true })
  const next = usual ?? search.later.shift()
  if (next?.isOdd) search.held -= next.size
  return next
}

/** Limits odd replies to some of many places with the same question. */
function mayBeOdd(search: Search, { place: { session }, size }: Waiting): boolean {
  const id = session.at ?? ""
  const times = search.odd.get(id) ?? 0
  search.odd.set(id, times + 1)
  if (times < maxOdd || search.found.places < manyPlaces) return true
  search.held -= size
  leaveOut(search, "alike")
  return false
}

function noteLeft({ found, waiting, later }: Search, reason: "time"): void {
  const count = waiting.length + later.length + 1 + (found.left?.count ?? 0)
  found.left = { count, reason }
}

function leaveOut({ found }: Search, reason: "places" | "memory" | "alike"): void {
  const { count = 0, reason: first = reason } = found.left ?? {}
  found.left = { count: count + 1, reason: first }
}

/** Makes a move with every plan of its chances, within bounds. */
async function tryOut(
  search: Search,
  from: Waiting | undefined,
  { step, variables, isMeant = false }: Possible,
): Promise<void> {
  const plans: number[][] = [[]]
  let usual: Stride | undefined
  for (let tried = 0; tried < maxPlans; tried++) {
    const plan = plans[tried]
    if (!plan) return
    if (!search.bounds.mayGoOn()) return noteLeft(search, "time")
    const move = { step, variables, plan }
    const stride = await search.walker.go(from?.place, move)
    const trail = { before: from?.trail, move }
    for (let at = plan.length; at < Math.min(stride.ways.length, maxChances); at++) {
      const before = Array.from({ length: at }, (_, index) => plan[index] ?? 0)
      for (let way = 1; way < (stride.ways[at] ?? 0); way++) plans.push([...before, way])
    }
    // A silent end is the failure's fault only if success does not end silently too.
    const isUsual = usual !== undefined && !usual.to && isAsSilent(usual, stride)
    if (isUsual) stride.faults = stride.faults.filter(({ rule }) => rule !== "silent-failure")
    if (!usual && from && stride.ways.length > 0) {
      const way = JSON.stringify(stride.turn?.trail?.map(({ blockId }) => blockId) ?? "")
      if (from.varied.has(way)) plans.length = 1
      from.varied.add(way)
    }
    usual ??= stride
    note(search, stride, { trail, from: from?.place })
    noteAsked(search, from?.place, { stride, trail, isMeant })
    enqueue(search, stride, trail)
  }
}

function isAsSilent({ turn: usual }: Stride, { turn }: Stride): boolean {
  const said = (usual?.messages.length ?? 0) + (usual?.actions.length ?? 0)
  return said <= (turn?.messages.length ?? 0) + (turn?.actions.length ?? 0)
}

/** Keeps the findings of a move: faults, coverage, nearness to conditions. */
function note(
  { found, walker }: Search,
  { turn, faults, to }: Stride,
  { trail, from }: { trail: Trail; from: Place | undefined },
): void {
  for (const fault of faults) {
    const key = keyOf(fault)
    if (found.faults.size < maxFaults && !found.faults.has(key)) {
      found.faults.set(key, { fault, trail })
    }
  }
  if (!turn) {
    // The engine returns no data of a refused turn.
    for (const { path } of faults) {
      found.refused.add(path.slice(0, 4).join())
      const block = walker.facts.flow.groups[Number(path[1])]?.blocks[Number(path[3])]
      if (block) found.refusedIds.add(block.id)
    }
    const here = walker.facts.blocks.get(from?.session.at ?? "")
    if (here) found.refused.add(here.entry.path.join())
    return
  }
  if (!to && isOver(turn) && found.ended.length < maxEnded) found.ended.push(trail)
  for (const { blockId, failure } of turn.trail ?? []) if (failure === "") found.ran.add(blockId)
  found.reached.note(turn.trail ?? [], rootVersion)
  noteNearest(found.nearest, walker.facts, turn, trail)
}

function noteAsked(
  { found }: Search,
  from: Place | undefined,
  { stride, trail, isMeant }: { stride: Stride; trail: Trail; isMeant: boolean },
): void {
  const id = from?.turn.input?.id
  if (id === undefined || !isMeant) return
  const asked = found.asked.get(id) ?? { hasLed: false, passed: new Set() }
  found.asked.set(id, asked)
  const isAgain = stride.to?.turn.input?.id === id
  asked.hasLed ||= !isAgain
  if (!isAgain) return
  asked.again ??= trail
  const passed = stride.turn?.trail ?? []
  const hasAnswered = passed.some(({ answer }) => answer?.blockId === id)
  if (hasAnswered) for (const { blockId } of passed) asked.passed.add(blockId)
}

/** Max places per rough key, and max places per question for odd replies, in large searches. */
const maxAlike = 40
const maxOdd = 40
const manyPlaces = 400

function enqueue(search: Search, { to }: Stride, trail: Trail, isFirst = false): void {
  if (!to) return
  const { found, bounds, seen, alike } = search
  const { exact, rough } = stateKey(to, search.walker.facts)
  if (seen.has(exact)) return
  const others = alike.get(rough) ?? 0
  const isFull = seen.size >= bounds.places
  const size = JSON.stringify(to.session).length + JSON.stringify(to.turn.input ?? "").length
  const isAlike = others >= maxAlike && seen.size >= manyPlaces
  if (isAlike || isFull || search.held + size > bounds.held) {
    leaveOut(search, isAlike ? "alike" : isFull ? "places" : "memory")
    return
  }
  alike.set(rough, others + 1)
  seen.add(exact)
  found.places = seen.size
  search.held += size
  const waiting: Waiting = { place: to, trail, size, varied: new Set(), isOdd: false }
  if (isFirst) search.waiting.unshift(waiting)
  else search.waiting.push(waiting)
}

/** Long walks, for the ends of long bots, and values that grow with time: lists, texts, counters. */
const walks = 6
const maxWalk = 100

/** Two walks always send the first or the last fitting reply. */
function same(number: number, meant: readonly Possible[]): Possible | undefined {
  return number === 0 ? meant[0] : number === 1 ? meant.at(-1) : undefined
}

async function wander(search: Search, seed: number): Promise<void> {
  const { walker, bounds } = search
  for (let number = 0; number < walks; number++) {
    const dice = createDice(seed * 1_000 + number)
    let move: Move = { plan: [] }
    let trail: Trail = { move }
    let stride = await walker.go(undefined, move)
    for (let length = 0; length < maxWalk && stride.to; length++) {
      if (!bounds.mayGoOn()) return noteLeft(search, "time")
      const possible = possibleAt(stride.to, walker.facts)
      const meant = possible.filter(({ isMeant = true }) => isMeant)
      const chosen = same(number, meant) ?? drawOne(dice, number % 2 === 0 ? meant : possible)
      if (!chosen) break
      move = { step: chosen.step, plan: [] }
      trail = { before: trail, move }
      const from = stride.to
      stride = await walker.go(from, move)
      note(search, stride, { trail, from })
    }
  }
}

/** The moves of a way, from the start. */
export function movesOf(trail: Trail): Move[] {
  const moves: Move[] = []
  for (let each: Trail | undefined = trail; each; each = each.before) moves.push(each.move)
  return moves.reverse()
}
