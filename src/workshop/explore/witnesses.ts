/** Values that make conditions true or false: compared values, their neighbours, matches of patterns. */
import type { BlockEntry } from "../../authoring/lint/blockEntries.ts"
import { samplesOf } from "../../engine/blocks/registry.ts"
import { createFuel, type Fuel, OutOfFuel, spend, unmetered } from "../../engine/budget/fuel.ts"
import { holds } from "../../engine/conditions.ts"
import { canMatch } from "../../engine/regex/canMatch.ts"
import { type Pattern, parsePattern } from "../../engine/regex/parsePattern.ts"
import { readRegex } from "../../engine/regex/readRegex.ts"
import type { Comparison, Condition } from "../../engine/schema/condition.ts"
import type { VariableValue } from "../../engine/schema/variable.ts"
import { createVariables, type StoredValue } from "../../engine/variables/variables.ts"
import { groupBy } from "../../lib/groupBy.ts"
import { memoize } from "../../lib/memoize.ts"
import type { FlowFacts } from "./flowFacts.ts"

/** Max values tried per variable, and their max length. */
const maxValues = 40
const maxValueLength = 2_000

/** Max characters of a pattern in chats. */
const maxPatternLength = 5_000

/** The values worth trying for each compared variable, by id. */
export const witnessesOf = memoize((facts: FlowFacts): ReadonlyMap<string, readonly string[]> => {
  const values = new Map<string, Set<string>>()
  const parts = new Map<string, Set<string>>()
  const add = (to: Map<string, Set<string>>, id: string, value: string) => {
    const known = to.get(id) ?? new Set()
    to.set(id, known)
    if (value !== "" && value.length <= maxValueLength && known.size < maxValues) known.add(value)
  }
  for (const comparison of facts.conditions.flatMap(({ comparisons = [] }) => comparisons)) {
    const { variableId, value } = comparison
    if (!variableId || !value || value.includes("{{")) continue
    for (const each of valuesFor(comparison)) add(values, variableId, each)
    if (isPart(comparison)) add(parts, variableId, value)
  }
  for (const [id, between] of numbersBetween(facts)) {
    for (const each of between) add(values, id, each)
  }
  // One text may satisfy several comparisons.
  for (const [id, found] of parts) {
    if (found.size > 1) add(values, id, [...found].slice(0, 10).join(" "))
  }
  return new Map([...values].map(([id, each]) => [id, [...each]]))
})

/** Numbers between those that a variable is compared with. */
function numbersBetween({ conditions }: FlowFacts): Map<string, string[]> {
  const comparisons = conditions.flatMap((each) => each.comparisons ?? [])
  const numbers = groupBy(
    comparisons.filter(({ variableId, value = "" }) => variableId && isNumber(value)),
    ({ variableId = "" }) => variableId,
  )
  return new Map(
    [...numbers].map(([id, each]) => {
      const sorted = [...new Set(each.map(({ value }) => Number(value)))].toSorted((a, b) => a - b)
      return [id, sorted.slice(1).map((number, at) => String((number + (sorted[at] ?? 0)) / 2))]
    }),
  )
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && !Number.isNaN(Number(text))
}

function isPart({ comparisonOperator }: Comparison): boolean {
  return comparisonOperator === "Contains" || comparisonOperator === "Starts with"
}

function valuesFor({ comparisonOperator, value = "" }: Comparison): string[] {
  if (comparisonOperator?.endsWith("regex")) return sampleOf(value)
  if (!isNumber(value)) return [value]
  const number = Number(value)
  return [value, String(number + 1), String(number - 1)]
}

/** A text that a pattern matches, as a list; empty when none is found. */
function sampleOf(written: string): string[] {
  if (written.length > maxPatternLength) return []
  const [, source = written, flags = ""] = /^\/(.+)\/([gimuy]*)$/s.exec(written) ?? []
  try {
    const pattern = parsePattern(source, flags.includes("u"))
    const sample = pattern && print(pattern)
    return sample ? [sample] : []
  } catch {
    return []
  }
}

/** Characters to try classes with. */
const characters = [..."a1A -_.@,:/+#é"]

function print(pattern: Pattern): string {
  if (pattern.kind === "sequence") {
    let text = ""
    for (const part of pattern.parts) if (text.length < maxValueLength) text += print(part)
    return text.slice(0, maxValueLength)
  }
  if (pattern.kind === "either") return pattern.options[0] ? print(pattern.options[0]) : ""
  if (pattern.kind === "repeat") {
    const body = print(pattern.body)
    const most = Math.ceil(maxValueLength / Math.max(1, body.length))
    return body
      .repeat(Math.min(pattern.max, Math.max(pattern.min, 1), most))
      .slice(0, maxValueLength)
  }
  if (pattern.kind !== "character") return ""
  if (/^[^\\[.]$/u.test(pattern.source)) return pattern.source
  const fitting = new RegExp(`^(?:${pattern.source})$`)
  return [...pattern.source, ...characters].find((one) => one !== "\\" && fitting.test(one)) ?? ""
}

/** Whether replies can make a condition true. */
export type Satisfiable =
  /** Some reply does. */
  | "yes"
  /** None can: its comparisons contradict each other. */
  | "no"
  /** Undecidable from the flow alone. */
  | "unknown"

/** Decides from the flow whether replies alone can make a condition true. */
export function satisfiable(condition: Condition, facts: FlowFacts, fuel?: Fuel): Satisfiable {
  const { comparisons = [], logicalOperator } = condition
  if (comparisons.length === 0) return "no"
  if (!comparisons.every((each) => isAskedFor(each, facts))) return "unknown"
  const isEither = logicalOperator === "OR"
  const sets = isEither
    ? comparisons.map((each) => [each])
    : [...groupBy(comparisons, ({ variableId }) => variableId).values()]
  const verdicts = sets.map((set) => oneVariable(set, facts, fuel))
  const [wanted, other] = isEither ? (["yes", "no"] as const) : (["no", "yes"] as const)
  if (verdicts.includes(wanted)) return wanted
  return verdicts.every((each) => each === other) ? other : "unknown"
}

/** Units for all conditions of a flow, about 200 ms, and the minimum cost of one check. */
const budgetUnits = 1_000_000
const lookUnits = 200

/** The conditions that only replies decide and none fulfils. */
export const impossibleConditions = memoize((facts: FlowFacts): ReadonlySet<Condition> => {
  const fuel = createFuel(budgetUnits)
  const found = new Set<Condition>()
  try {
    for (const condition of facts.conditions) {
      if (satisfiable(condition, facts, fuel) === "no") found.add(condition)
    }
  } catch (error) {
    // Unchecked conditions count as possible.
    if (!(error instanceof OutOfFuel)) throw error
  }
  return found
})

/** Whether the flow asks for the compared value, and compares it with a constant that is tried. */
function isAskedFor(comparison: Comparison, facts: FlowFacts): boolean {
  const { variableId = "", value = "", comparisonOperator = "" } = comparison
  const writers = facts.writers.get(variableId) ?? []
  if (value.includes("{{") || writers.length === 0 || facts.given.has(variableId)) return false
  const isAbsence = comparisonOperator === "Is set" || comparisonOperator === "Is empty"
  return writers.every(({ type }) => {
    if (type.kind !== "input") return false
    // Only some dates and phone numbers are tried.
    const isSampled = type.answersAre === "dates" || type.answersAre === "phone numbers"
    return (
      isAbsence || !isSampled || (comparisonOperator === "Equal to" && type.answersAre !== "dates")
    )
  })
}

/** Whether no value can make a comparison true. */
function isImpossible({ comparisonOperator, value = "" }: Comparison, fuel: Fuel): boolean {
  if (comparisonOperator !== "Matches regex" || value === "" || value.includes("{{")) return false
  const regex = readRegex(value, fuel)
  // Each state is tried with every kind of character.
  spend(fuel, 400 * (regex?.states.length ?? 0))
  return regex !== undefined && !canMatch(regex, value)
}

function oneVariable(
  comparisons: readonly Comparison[],
  facts: FlowFacts,
  fuel: Fuel = unmetered(),
): Satisfiable {
  const id = comparisons[0]?.variableId ?? ""
  const condition: Condition = { comparisons: [...comparisons], logicalOperator: "AND" }
  const writers = facts.writers.get(id) ?? []
  const texts = [...(witnessesOf(facts).get(id) ?? []), "Ann", "1"]
  const values = [null, ...texts.filter((text) => writers.some((each) => mayStore(each, text)))]
  const isTrue = values.some((value) => {
    spend(fuel, lookUnits + comparisons.length)
    return outcomesOf([condition], [[id, value]], facts, fuel) === "1"
  })
  // A condition that is too expensive to check may hold.
  if (fuel.left < 0) throw new OutOfFuel()
  if (isTrue) return "yes"
  if (comparisons.some((each) => isImpossible(each, fuel))) return "no"
  const isPlain = comparisons.every(
    ({ comparisonOperator = "", value = "" }) =>
      plainOperators.has(comparisonOperator) || (sizes.has(comparisonOperator) && isNumber(value)),
  )
  return isPlain ? "no" : "unknown"
}

/** Whether a question may store a text, by its choices or bounds. */
function mayStore({ block, type }: BlockEntry, text: string): boolean {
  if (type.kind !== "input") return true
  if (type.labels?.(block) === undefined) {
    const choices = type.choices?.(block)
    if (choices?.every((each) => !each.includes("{{"))) return choices.includes(text)
  }
  if (type.answersAre !== "numbers") return true
  return samplesOf(block, [text]).fitting.some((each) => each.type === "text" && each.text === text)
}

/** Operators that hold for a constant or its neighbours if they hold for anything. */
const plainOperators = new Set(["Equal to", "Is set", "Is empty"])

/** The same for comparisons with numbers: other texts compare by length or time. */
const sizes = new Set(["Greater than", "Less than", "Greater or equal to", "Less or equal to"])

type Values = readonly (readonly [id: string, value: VariableValue, ...more: unknown[]])[]

/** The conditions that hold with these values, as digits; too expensive ones do not. */
export function outcomesOf(
  conditions: readonly Condition[],
  values: Values,
  { flow }: FlowFacts,
  budget?: Fuel,
): string {
  const stored = values.map(([id, value]): StoredValue => [id, value])
  const variables = createVariables(flow.variables, stored, unmetered())
  return conditions
    .map((condition) => {
      try {
        const fuel = budget ?? createFuel(500_000)
        const scope = { variables, fuel, inline: () => undefined }
        return holds(condition, scope) ? 1 : 0
      } catch {
        return 0
      }
    })
    .join("")
}
