/** Explores a bot: what is wrong with it, how to see that, and what was reached. */
import type { Finding } from "../../authoring/lint/finding.ts"
import { placeInFlow, pointerOf } from "../../authoring/lint/location.ts"
import type { Coverage } from "../coverage.ts"
import type { TestFile } from "../files/testFileSchema.ts"
import { conversationFaults, exploreRules } from "./exploreRules.ts"
import { askedAgainAt, type Fault, keyOf } from "./faultsIn.ts"
import { findingTest } from "./findingTest.ts"
import type { FlowFacts } from "./flowFacts.ts"
import { type Bounds, type Found, movesOf, search, type Trail } from "./search.ts"
import { shrink } from "./shrink.ts"
import { closedWays, isDecided, isTaken, type Unreached, unreachedGroups } from "./unreached.ts"
import {
  createWalker,
  type Move,
  type Walked,
  type Walker,
  type WalkParts,
  walkAgain,
} from "./walks.ts"

/** Something that is wrong with a bot, and a test that fails as long as it is. */
export type ExploreFinding = Finding & {
  /** Absent: there was no time for it, or scripts of the bot do not do the same every time. */
  test?: Omit<TestFile, "bot">
}

export type Exploration = {
  findings: ExploreFinding[]
  coverage: Coverage
  /** How many places of conversations were told apart. */
  places: number
  /** What was not explored, as a sentence; absent: nothing was left out. */
  left?: string
}

export type ExploreParts = WalkParts & {
  seed: number
  /** The share of the time that is left: 1 in the beginning, 0 when it is over. */
  left(): number
  /** Absent: the usual ones. */
  bounds?: Partial<Omit<Bounds, "mayGoOn">>
}

/** Bounds of what is remembered at a time, whatever time there is. */
const usualBounds = { places: 20_000, held: 64_000_000 }

/** Most walks that are made to shrink one. */
const shrinkingTries = 200

/** The share of the time that is kept for it. */
const shareForShrinking = 0.25

/** Most groups that nobody reaches that are told. */
const maxUnreached = 100

/** Explores a bot; the same for the same bot and seed whenever time suffices. */
export async function explore(parts: ExploreParts): Promise<Exploration> {
  const { seed, left } = parts
  const walker = createWalker(parts)
  const { facts } = walker
  const mayGoOn = () => left() > shareForShrinking
  const found = await search(walker, { ...usualBounds, ...parts.bounds, mayGoOn }, seed)
  const telling: Telling = { walker, found, hasTime: () => left() > 0 }
  const findings: ExploreFinding[] = []
  for (const { fault, trail } of [...found.faults.values(), ...askedForEver(facts, found)]) {
    if (fault.rule === "failing-script" && hasRun(facts, found, fault)) continue
    const key = keyOf(fault)
    const show = ({ faults }: Walked) => faults.some((each) => keyOf(each) === key)
    findings.push(await tell(telling, fault, { moves: movesOf(trail), show }))
  }
  const unreached = unreachedGroups(facts, found)
  for (const each of unreached.slice(0, maxUnreached)) {
    findings.push(await tellUnreached(telling, each))
  }
  for (const each of closedWays(facts, found, unreached).slice(0, maxUnreached)) {
    findings.push(await tellUnreached(telling, each))
  }
  return {
    findings: findings.toSorted((one, other) => severityOf(one) - severityOf(other)),
    coverage: found.reached.coverage(),
    places: found.places,
    ...(found.left && { left: sentenceOf(found.left) }),
  }
}

/** Whether code that has failed works with other replies: it may be meant to. */
function hasRun({ blocks }: FlowFacts, { ran }: Found, { path }: Fault): boolean {
  return [...ran].some((id) => blocks.get(id)?.entry.path.join() === path.join())
}

function severityOf({ rule }: Finding): number {
  return exploreRules.findIndex(({ id }) => id === rule)
}

type Shown = {
  moves: readonly Move[]
  show(walked: Walked): boolean
  expect?: TestFile["expect"]
}

/** What findings are told from. */
type Telling = { walker: Walker; found: Found; hasTime(): boolean }

async function tell(
  { walker, hasTime }: Telling,
  fault: Fault,
  { moves, show, expect = expectationOf(fault) }: Shown,
): Promise<ExploreFinding> {
  const shrunk = await shrink({
    moves,
    tries: shrinkingTries,
    show: async (fewer) => {
      const walked = hasTime() ? await walkAgain(walker, fewer) : undefined
      return walked && show(walked) ? walked : undefined
    },
  })
  const { rule, path, message } = fault
  const { severity, remedy } = exploreRules.find(({ id }) => id === rule) ?? exploreRules[0]
  const place = placeInFlow(path, walker.facts.flow) ?? "Bot"
  const finding: Finding = { rule, severity, pointer: pointerOf(path), place, message, remedy }
  if (!shrunk) return finding
  const name = `${place}: ${message}`.slice(0, 1_000)
  return { ...finding, test: findingTest({ name, ...shrunk, ...(expect && { expect }) }) }
}

/** A test without one fails because the service refuses. */
function expectationOf({ rule }: Fault): TestFile["expect"] {
  const known = conversationFaults.find((each) => each === rule)
  return known && { without: [known] }
}

/** Questions that nothing leads on from. */
function* askedForEver(facts: FlowFacts, found: Found) {
  if (found.left) return
  for (const [id, { hasLed, again, passed }] of found.asked) {
    const known = facts.blocks.get(id)
    if (hasLed || !again || !known) continue
    // A question that takes answers and is asked again on purpose has no way out that is drawn.
    const isBarred = [...passed].some((blockId) => {
      const each = facts.blocks.get(blockId)
      return each?.exits.some((exit) => !isTaken(exit, found) && isDecided(each, exit, facts))
    })
    if (passed.size > 0 && !isBarred) continue
    yield { fault: askedAgainAt(known), trail: again }
  }
}

/** Shows the way that came nearest to it: a bot that is mended leads to it from there. */
async function tellUnreached(
  telling: Telling,
  { fault, reaches, from }: Unreached,
): Promise<ExploreFinding> {
  const { found } = telling
  const nearest = from && found.nearest.get(`${from.blockId} ${from.item ?? 0}`)
  const ended = [...found.faults.values()].find((each) => each.fault.rule === "dead-end")
  const trail = nearest?.trail ?? ended?.trail ?? (await longest(telling))
  const moves = trail ? movesOf(trail) : [{ plan: [] }]
  // Fewer moves, or other replies, would come less near.
  const show = ({ strides }: Walked) => strides.length >= moves.length
  return await tell(telling, fault, { moves, expect: { reaches: [reaches] }, show })
}

/** Of the ways to an end, the one that passes most blocks: what leads nowhere may belong behind it. */
async function longest({ walker, found, hasTime }: Telling): Promise<Trail | undefined> {
  let best: { trail: Trail; passed: number } | undefined
  for (const trail of found.ended) {
    if (!hasTime()) break
    const walked = await walkAgain(walker, movesOf(trail))
    const passed = new Set(
      walked?.strides.flatMap(({ turn }) => turn?.trail?.map(({ blockId }) => blockId) ?? []),
    ).size
    if (!best || passed > best.passed) best = { trail, passed }
  }
  return best?.trail
}

function sentenceOf({ count, reason }: NonNullable<Found["left"]>): string {
  const places = count === 1 ? "1 place was" : `${count} places or more were`
  if (reason === "time") return `${places} not gone on from: the time is over.`
  if (reason === "alike")
    return `${places} not gone on from: only values such as sums tell them apart.`
  return `${places} not gone on from: there are more than are remembered.`
}
