/** Checks a bot against every rule. */

import type { Flow } from "../../engine/bot.ts"
import { cut } from "../../lib/cut.ts"
import type { Issue } from "../../lib/errors.ts"
import { type ImportedBot, maxBotNameLength, readImport, sentFlow } from "../upgrade/importedBot.ts"
import { isEdge } from "../upgrade/normalize.ts"
import type { Finding, Rule, Violation } from "./finding.ts"
import { flattenIssues } from "./issues.ts"
import { type LintContext, lintContextOf, type Surroundings } from "./lintContext.ts"
import { type Path, placeInFlow, pointerOf } from "./location.ts"
import { longText, longTexts } from "./rules/names.ts"
import { missingSecret } from "./rules/secrets.ts"
import { droppedMembers, unknownMember } from "./rules/unknownMember.ts"
import { rules } from "./rules.ts"

/**
 * The findings for a bot from a file, a request or elsewhere, ordered by pointer. An invalid shape yields
 * only findings about it, at most 50.
 */
export function lintBot(raw: unknown, surroundings?: Surroundings): Finding[] {
  const read = readImport(raw)
  if (read.success) {
    const flow = sentFlow(read.data)
    const placed = check(lintContextOf(flow, surroundings, keptEdges(raw, flow)), raw)
    return ordered([...placed, ...unknownMembers(raw, read.data)])
  }
  const issues = flattenIssues(read.error.issues, raw)
  return ordered(issues.flatMap((issue) => judged(issue, raw)))
}

/** The flow of a sent bot; undefined: its shape is invalid. */
export function readBot(raw: unknown): Flow | undefined {
  const read = readImport(raw)
  return read.success ? sentFlow(read.data) : undefined
}

/**
 * The findings for a flow of valid shape, ordered by pointer; some 80 ms for 4 MB. `input` is the sent flow.
 */
export function lintFlow(
  flow: Flow,
  surroundings?: Surroundings,
  input: unknown = flow,
): Finding[] {
  return ordered(check(lintContextOf(flow, surroundings, keptEdges(input, flow)), input))
}

/** The members of a sent bot that parsing dropped, as findings. */
export function findUnknownMembers(raw: unknown, read: unknown): Finding[] {
  return ordered(unknownMembers(raw, read))
}

function unknownMembers(raw: unknown, read: unknown): Placed[] {
  return droppedMembers(raw, read).map((violation) => findingOf(unknownMember, violation, raw))
}

export function findLongTexts(bot: ImportedBot): Finding[] {
  const isNamed = bot.name.length <= maxBotNameLength
  const message = `The name has ${bot.name.length} characters; at most ${maxBotNameLength} are kept`
  const violations = [
    ...(isNamed ? [] : [{ path: ["name"], message }]),
    ...longTexts(sentFlow(bot)),
  ]
  return ordered(violations.map((violation) => findingOf(longText, violation, bot)))
}

/** Where a copy lacks secrets that its original has. */
export function findMissingSecrets(flow: Flow): Finding[] {
  const violations = missingSecret.check?.(lintContextOf(flow)) ?? []
  return ordered(violations.map((violation) => findingOf(missingSecret, violation, flow)))
}

/** Max characters of messages and pointers: both may quote an author. */
const maxTextLength = 1_000

type Placed = { path: Path; finding: Finding }

function check(context: LintContext, input: unknown): Placed[] {
  const placed: Placed[] = []
  for (const rule of rules) {
    for (const found of rule.check?.(context) ?? []) placed.push(findingOf(rule, found, input))
  }
  // Runs all rules block by block: visiting thousands of blocks for each rule is far slower.
  const ofBlocks = rules.filter((rule) => rule.checkBlock)
  for (const entry of context.blocks) {
    for (const rule of ofBlocks) {
      const all = rule.checkBlock?.(entry, context) ?? []
      for (const found of all) placed.push(findingOf(rule, found, input))
    }
  }
  return placed
}

function judged(issue: Issue, raw: unknown): Placed[] {
  for (const rule of rules) {
    const message = rule.judge?.(issue, raw)
    if (message !== undefined) return [findingOf(rule, { path: issue.path, message }, raw)]
  }
  return []
}

function findingOf(rule: Rule, { path, message, seenAt = path }: Violation, input: unknown) {
  const { id, severity, remedy } = rule
  const place = placeInFlow(seenAt, input) ?? placeOutside(seenAt)
  const pointer = cut(pointerOf(path), maxTextLength)
  const shown = cut(message, maxTextLength)
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

/** The indexes of the edges in the input if parsing dropped some, as in old versions. */
function keptEdges(raw: unknown, { edges }: Flow): number[] | undefined {
  if (typeof raw !== "object" || raw === null || !("edges" in raw)) return undefined
  if (!Array.isArray(raw.edges) || raw.edges.length === edges.length) return undefined
  return raw.edges.flatMap((edge, index) => (isEdge(edge) ? index : []))
}
