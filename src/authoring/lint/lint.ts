/** Checks a bot against every rule. */

import type { Flow } from "../../engine/bot.ts"
import { cut } from "../../engine/cut.ts"
import type { Issue } from "../../errors.ts"
import { type ImportedBot, longestBotName, readImport, sentFlow } from "../upgrade/importedBot.ts"
import { isEdge } from "../upgrade/normalize.ts"
import type { Finding, Rule, Violation } from "./finding.ts"
import { flattenIssues } from "./issues.ts"
import { type LintContext, lintPartsOf, type Surroundings } from "./lintContext.ts"
import { type Path, placeInFlow, pointerOf } from "./location.ts"
import { longText, longTexts } from "./rules/names.ts"
import { rules } from "./rules.ts"

/**
 * The findings for a bot as it was sent: a file, the body of a request, anything. Ordered by pointer. If
 * its shape is invalid only that is reported, at most 50 times.
 */
export function lintBot(raw: unknown, surroundings?: Surroundings): Finding[] {
  return readBot(raw).openLint()(surroundings)
}

/** A bot as it was sent, read once. */
type ReadBot = {
  /** Absent: its shape is invalid. */
  flow?: Flow
  /** Collects what the rules look at. The linter then works as `lintBot`. */
  openLint(): Lint
}

/** Checks a flow against the rules. */
export type Lint = (surroundings?: Surroundings) => Finding[]

/** Reads a bot, for callers who must see its flow before they know its surroundings. */
export function readBot(raw: unknown): ReadBot {
  const read = readImport(raw)
  if (!read.success) {
    const issues = flattenIssues(read.error.issues, raw)
    return { openLint: () => () => ordered(issues.flatMap((issue) => judged(issue, raw))) }
  }
  const flow = sentFlow(read.data)
  return { flow, openLint: () => openLint(flow, raw) }
}

/**
 * Collects what the rules look at in a flow of valid shape; the linter then returns the findings, ordered
 * by pointer. Each of the two takes some 40 ms for 4 MB. `input` is the flow as it was sent.
 */
export function openLint(flow: Flow, input: unknown = flow): Lint {
  const parts = lintPartsOf(flow, keptEdges(input, flow))
  return (surroundings = {}) => check({ ...parts, surroundings }, input)
}

/** The texts of an imported bot that are too long, as findings. */
export function findLongTexts(bot: ImportedBot): Finding[] {
  const isNamed = bot.name.length <= longestBotName
  const message = `The name has ${bot.name.length} characters; at most ${longestBotName} are kept`
  const violations = [
    ...(isNamed ? [] : [{ path: ["name"], message }]),
    ...longTexts(sentFlow(bot)),
  ]
  const rule = { ...longText, severity: "warning" as const }
  return ordered(violations.map((violation) => findingOf(rule, violation, bot)))
}

/** Longest message and pointer, in characters: both may repeat what an author wrote. */
const longestText = 1_000

type Placed = { path: Path; finding: Finding }

function check(context: LintContext, input: unknown): Finding[] {
  const placed: Placed[] = []
  for (const rule of rules) {
    for (const found of rule.check?.(context) ?? []) placed.push(findingOf(rule, found, input))
  }
  // All rules for one block after the other: visiting thousands of blocks for each rule takes far longer.
  const ofBlocks = rules.filter((rule) => rule.checkBlock)
  for (const entry of context.blocks) {
    for (const rule of ofBlocks) {
      const all = rule.checkBlock?.(entry, context) ?? []
      for (const found of all) placed.push(findingOf(rule, found, input))
    }
  }
  return ordered(placed)
}

function judged(issue: Issue, raw: unknown): Placed[] {
  for (const rule of rules) {
    const message = rule.judge?.(issue, raw)
    if (message !== undefined) return [findingOf(rule, { path: issue.path, message }, raw)]
  }
  return []
}

function findingOf(
  rule: Rule,
  { path, message, seenAt = path }: Violation,
  input: unknown,
): Placed {
  const { id, severity, remedy } = rule
  const place = placeInFlow(seenAt, input) ?? placeOutside(seenAt)
  const pointer = cut(pointerOf(path), longestText)
  const shown = cut(message, longestText)
  return { path, finding: { rule: id, severity, pointer, place, message: shown, remedy } }
}

function placeOutside([part]: Path): string {
  if (part === "theme") return "Theme"
  return part === "settings" ? "Settings" : "Bot"
}

function ordered(found: readonly Placed[]): Finding[] {
  const inOrder = found.toSorted((one, other) => comparePaths(one.path, other.path))
  return inOrder.map(({ finding }) => finding)
}

/** Orders by member name and, within lists, by position. */
function comparePaths(one: Path, other: Path): number {
  for (const [at, key] of one.entries()) {
    const against = other[at]
    if (against === undefined) return 1
    if (key === against) continue
    if (typeof key === "number" && typeof against === "number") return key - against
    return String(key) < String(against) ? -1 : 1
  }
  return one.length - other.length
}

/** The indexes of the edges in the input when reading dropped some, as it does in old versions. */
function keptEdges(raw: unknown, { edges }: Flow): number[] | undefined {
  if (typeof raw !== "object" || raw === null || !("edges" in raw)) return undefined
  if (!Array.isArray(raw.edges) || raw.edges.length === edges.length) return undefined
  return raw.edges.flatMap((edge, index) => (isEdge(edge) ? index : []))
}
