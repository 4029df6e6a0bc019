/** Explores a bot: its defects, tests that show them, and coverage. */
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

/** A defect of a bot, with a test that fails until it is fixed. */
export type ExploreFinding = Finding & {
  /** Absent: no time was left for it, or scripts of the bot are not deterministic. */
  test?: Omit<TestFile, "bot">
}

export type Exploration = {
  findings: ExploreFinding[]
  coverage: Coverage
  /** The number of distinct places of conversations. */
  places: number
  /** The unexplored part, as a sentence; absent: none. */
  left?: string
}

export type ExploreParts = WalkParts & {
  seed: number
  /** The share of the time left: from 1 to 0. */
  left(): number
  /** Absent: the default ones. */
  bounds?: Partial<Omit<Bounds, "mayGoOn">>
}

/** Memory bounds, regardless of the time. */
const usualBounds = { places: 20_000, held: 64_000_000 }

/** Max walks to shrink one. */
const shrinkingTries = 200

/** The share of the time reserved for it. */
const shareForShrinking = 0.25

/** Max unreachable groups reported. */
const maxUnreached = 100

/** Explores a bot; deterministic for the bot and seed if time suffices. */
export async function explore(parts: ExploreParts): Promise<Exploration> {
  const { seed, left } = parts
  const walker = createWalker(parts)
  const { facts } = walker
  const mayGoOn = () => left() > shareForShrinking
  const found = await search(walker, { ...usualBounds, ...parts.bounds, mayGoOn }, seed)
  const inputs: ReportInputs = { walker, found, hasTime: () => left() > 0 }
  const findings: ExploreFinding[] = []
  for (const { fault, trail } of [...found.faults.values(), ...endlessQuestions(facts, found)]) {
    if (fault.rule === "failing-script" && hasRun(facts, found, fault)) continue
    const key = keyOf(fault)
    const show = ({ faults }: Walked) => faults.some((each) => keyOf(each) === key)
    findings.push(await report(inputs, fault, { moves: movesOf(trail), show }))
  }
  const unreached = unreachedGroups(facts, found)
  for (const each of unreached.slice(0, maxUnreached)) {
    findings.push(await reportUnreached(inputs, each))
  }
  for (const each of closedWays(facts, found, unreached).slice(0, maxUnreached)) {
    findings.push(await reportUnreached(inputs, each))
  }
  return {
    findings: findings.toSorted((one, other) => severityOf(one) - severityOf(other)),
    coverage: found.reached.coverage(),
    places: found.places,
    ...(found.left && { left: sentenceOf(found.left) }),
  }
}

/** Whether failed code works with other replies: the failure may be intended. */
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

type ReportInputs = { walker: Walker; found: Found; hasTime(): boolean }

async function report(
  { walker, hasTime }: ReportInputs,
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

/** Undefined: the test fails because the service refuses. */
function expectationOf({ rule }: Fault): TestFile["expect"] {
  const known = conversationFaults.find((each) => each === rule)
  return known && { without: [known] }
}

/** Questions without a way on. */
function* endlessQuestions(facts: FlowFacts, found: Found) {
  if (found.left) return
  for (const [id, { hasLed, again, passed }] of found.asked) {
    const known = facts.blocks.get(id)
    if (hasLed || !again || !known) continue
    // A question that accepts answers and repeats on purpose has no drawn way out.
    const isBarred = [...passed].some((blockId) => {
      const each = facts.blocks.get(blockId)
      return each?.exits.some((exit) => !isTaken(exit, found) && isDecided(each, exit, facts))
    })
    if (passed.size > 0 && !isBarred) continue
    yield { fault: askedAgainAt(known), trail: again }
  }
}

/** Shows the nearest way: a fixed bot continues to the group from there. */
async function reportUnreached(inputs: ReportInputs, { fault, reaches, from }: Unreached) {
  const { found } = inputs
  const nearest = from && found.nearest.get(`${from.blockId} ${from.item ?? 0}`)
  const ended = [...found.faults.values()].find((each) => each.fault.rule === "dead-end")
  const trail = nearest?.trail ?? ended?.trail ?? (await longest(inputs))
  const moves = trail ? movesOf(trail) : [{ plan: [] }]
  // Fewer moves or other replies are less near.
  const show = ({ strides }: Walked) => strides.length >= moves.length
  return await report(inputs, fault, { moves, expect: { reaches: [reaches] }, show })
}

/** Of the ways to an end, the one that passes most blocks: the unreachable group may belong after it. */
async function longest({ walker, found, hasTime }: ReportInputs): Promise<Trail | undefined> {
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
  const places = count === 1 ? "1 place was" : `${count} or more places were`
  if (reason === "time") return `${places} left unexplored: out of time.`
  if (reason === "alike")
    return `${places} left unexplored: they differ only in values such as sums.`
  return `${places} left unexplored: out of memory.`
}
