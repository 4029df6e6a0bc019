/** Walks every path of a bot by rule, breadth first over the places that differ. */
import type { Condition } from "../../engine/schema/condition.ts"
import { currentOf } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { openReached, type Reached } from "../coverage.ts"
import { drawOne, openDice } from "../play/dice.ts"
import { rootVersion } from "../play/play.ts"
import { type Fault, keyOf } from "./faultsIn.ts"
import type { FlowFacts } from "./flowFacts.ts"
import { type Possible, possibleAt, possibleStarts } from "./moves.ts"
import { stateKey } from "./stateKey.ts"
import type { Move, Place, Stride, Walker } from "./walks.ts"

/** The way to a place: its last move, and the way before it. */
export type Trail = { before?: Trail | undefined; move: Move }

/** What asking a question has led to. */
export type Asked = {
  /** A way that ends with the question being asked again. */
  again?: Trail | undefined
  /** Whether a reply has led on. */
  hasLed: boolean
  /** The blocks that were passed on the way back to it; empty: the replies were refused. */
  passed: Set<string>
}

/** How far exploring may go. */
export type Bounds = {
  /** Whether there is time left. */
  mayGoOn(): boolean
  /** Most places that are told apart. */
  places: number
  /** Most characters of conversations that wait to be gone on with. */
  held: number
}

/** What was found, before it is told. */
export type Found = {
  faults: Map<string, { fault: Fault; trail: Trail }>
  reached: Reached
  asked: Map<string, Asked>
  /** Of each condition that was met, the way that came nearest to making it true: by block and item. */
  nearest: Map<string, { trail: Trail; distance: number }>
  /** Blocks from which a turn was refused: where it went is unknown. As paths, with commas. */
  refused: Set<string>
  /** Some ways to the end. */
  ended: Trail[]
  /** Places that were told apart. */
  places: number
  /** Places that nobody has gone on from, and why. */
  left: { count: number; reason: "time" | "places" | "memory" | "walks" } | undefined
}

/** Most faults, and most ways to an end, that are kept. */
const mostFaults = 200
const mostEnded = 50

/** Most ways in which the chances of one move are tried, and chances of one turn that vary. */
const mostPlans = 48
const mostChances = 8

type Waiting = {
  place: Place
  trail: Trail
  size: number
  /** The ways through the flow whose chances were varied: other replies that take one are not varied again. */
  varied: Set<string>
  /** Whether only what is odd has not been said there. */
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
}

/** Explores a bot. The same for the same bot and seed whenever time suffices. */
export async function search(walker: Walker, bounds: Bounds, seed: number): Promise<Found> {
  const found: Found = {
    faults: new Map(),
    reached: openReached(walker.facts.flow),
    asked: new Map(),
    nearest: new Map(),
    refused: new Set(),
    ended: [],
    places: 0,
    left: undefined,
  }
  const search: Search = { walker, bounds, found, seen: new Set(), waiting: [], later: [], held: 0 }
  for (const start of possibleStarts(walker.facts)) await tryOut(search, undefined, start)
  for (let next = takeNext(search); next; next = takeNext(search)) {
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
  await wander(search, seed)
  return found
}

/** What people are meant to say leads everywhere first; what is odd is said where nothing else is left. */
function takeNext(search: Search): Waiting | undefined {
  const usual = search.waiting.shift()
  if (usual) search.later.push({ ...usual, isOdd: true })
  const next = usual ?? search.later.shift()
  if (next?.isOdd) search.held -= next.size
  return next
}

function noteLeft({ found, waiting, later }: Search, reason: "time" | "walks"): void {
  found.left ??= { count: waiting.length + later.length + 1, reason }
}

/** Makes a move in every way that its chances allow, within bounds. */
async function tryOut(
  search: Search,
  from: Waiting | undefined,
  { step, variables, isMeant = false }: Possible,
): Promise<void> {
  const plans: number[][] = [[]]
  let usual: Stride | undefined
  for (let tried = 0; tried < mostPlans; tried++) {
    const plan = plans[tried]
    if (!plan) return
    if (!search.bounds.mayGoOn()) return noteLeft(search, "time")
    const move = { step, variables, plan }
    const stride = await search.walker.go(from?.place, move)
    const trail = { before: from?.trail, move }
    for (let at = plan.length; at < Math.min(stride.ways.length, mostChances); at++) {
      const before = Array.from({ length: at }, (_, index) => plan[index] ?? 0)
      for (let way = 1; way < (stride.ways[at] ?? 0); way++) plans.push([...before, way])
    }
    // An end without a word is the failure's fault only where success does not end so too.
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

/** Keeps what a move has shown: faults, coverage, how near it came to conditions. */
function note(
  { found, walker }: Search,
  { turn, faults, to }: Stride,
  { trail, from }: { trail: Trail; from: Place | undefined },
): void {
  for (const fault of faults) {
    const key = keyOf(fault)
    if (found.faults.size < mostFaults && !found.faults.has(key)) {
      found.faults.set(key, { fault, trail })
    }
  }
  if (!turn) {
    // The engine tells nothing of a turn that it refuses.
    for (const { path } of faults) found.refused.add(path.slice(0, 4).join())
    const here = walker.facts.blocks.get(from?.session.at ?? "")
    if (here) found.refused.add(here.entry.path.join())
    return
  }
  if (!to && isOver(turn) && found.ended.length < mostEnded) found.ended.push(trail)
  found.reached.note(turn.trail ?? [], rootVersion)
  noteNearest(found, walker.facts, turn, trail)
}

/** Most conditions of a turn whose nearness is noted, and most comparisons of one. */
const mostNear = 50

function noteNearest(found: Found, { blocks }: FlowFacts, turn: Turn, trail: Trail): void {
  const met = (turn.trail ?? []).slice(0, 1_000).flatMap(({ blockId, version }) => {
    const conditions = version === rootVersion ? blocks.get(blockId)?.conditions : undefined
    return (conditions ?? []).map((each) => ({ ...each, blockId }))
  })
  if (met.length === 0) return
  const values = new Map(currentOf(turn.session).values.map(([id, value]) => [id, value]))
  for (const { blockId, at, condition } of met.slice(0, mostNear)) {
    const distance = distanceTo(condition, values)
    const key = `${blockId} ${at[1]}`
    if (distance < (found.nearest.get(key)?.distance ?? Number.POSITIVE_INFINITY)) {
      found.nearest.set(key, { trail, distance })
    }
  }
}

/** How much values lack to what a condition looks for: 0 when they only differ in case or spaces. */
function distanceTo({ comparisons = [] }: Condition, values: ReadonlyMap<string, unknown>): number {
  return comparisons.slice(0, mostNear).reduce((sum, { variableId = "", value = "" }) => {
    const actual = plain(String(values.get(variableId) ?? ""))
    const wanted = plain(value)
    if (actual === wanted) return sum
    const isPart = actual !== "" && (actual.includes(wanted) || wanted.includes(actual))
    return sum + (isPart ? 1 : actual === "" ? 3 : 2)
  }, 0)
}

function plain(text: string): string {
  return text
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
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

function enqueue(search: Search, { to }: Stride, trail: Trail): void {
  if (!to) return
  const { found, bounds, seen } = search
  const key = stateKey(to, search.walker.facts)
  if (seen.has(key)) return
  const size = JSON.stringify(to.session).length + JSON.stringify(to.turn.input ?? "").length
  const isFull = seen.size >= bounds.places
  if (isFull || search.held + size > bounds.held) {
    const count = (found.left?.count ?? 0) + 1
    found.left = { count, reason: isFull ? "places" : "memory" }
    return
  }
  seen.add(key)
  found.places = seen.size
  search.held += size
  search.waiting.push({ place: to, trail, size, varied: new Set(), isOdd: false })
}

/** Long walks at random, for what only grows with time: lists, texts, counters. */
const walks = 6
const longestWalk = 60

async function wander(search: Search, seed: number): Promise<void> {
  const { walker, bounds } = search
  for (let number = 0; number < walks; number++) {
    const dice = openDice(seed * 1_000 + number)
    let move: Move = { plan: [] }
    let trail: Trail = { move }
    let stride = await walker.go(undefined, move)
    for (let length = 0; length < longestWalk && stride.to; length++) {
      if (!bounds.mayGoOn()) return noteLeft(search, "walks")
      const possible = possibleAt(stride.to, walker.facts)
      const meant = possible.filter(({ isMeant = true }) => isMeant)
      // A third of the walks says the first thing that fits, again and again.
      const chosen =
        number % 3 === 0 ? meant[0] : drawOne(dice, number % 3 === 1 ? meant : possible)
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
