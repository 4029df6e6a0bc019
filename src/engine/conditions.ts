/** Decides whether a condition over variables holds. */
import type { Reading } from "./blocks/block.ts"
import { type Fuel, readingUnits, spend } from "./fuel.ts"
import { findsMatch } from "./regex/findsMatch.ts"
import { readRegex } from "./regex/readRegex.ts"
import type { Comparison, ComparisonOperator, Condition } from "./schema/condition.ts"
import type { VariableValue } from "./schema/variable.ts"
import { interpolate, singleToken } from "./variables/interpolate.ts"

/** Whether a condition holds with the present values; false for one that compares nothing. */
export function holds(condition: Condition | undefined, reading: Reading): boolean {
  const comparisons = condition?.comparisons ?? []
  if (comparisons.length === 0) return false
  const isTrue = (comparison: Comparison) => compare(comparison, reading)
  return condition?.logicalOperator === "OR" ? comparisons.some(isTrue) : comparisons.every(isTrue)
}

/**
 * Whether a `/pattern/flags` or bare pattern can be evaluated at all. False: it is malformed, holds
 * a back reference or is too large, so `Matches regex` is false and `Does not match regex` is true.
 * Nested quantifiers are safe: matching is linear in the length of the text.
 */
export function isSafeRegex(pattern: string, fuel: Fuel): boolean {
  return readRegex(pattern, fuel) !== undefined
}

function compare(comparison: Comparison, reading: Reading): boolean {
  if (!comparison.variableId || !comparison.comparisonOperator) return false
  const input = reading.variables.value(comparison.variableId) ?? null
  const value = comparand(comparison.value, reading)
  return tests[comparison.comparisonOperator](input, value, reading.fuel)
}

function comparand(value: string | undefined, reading: Reading): VariableValue {
  if (value === "undefined" || value === "null") return null
  const name = singleToken(value)
  if (name !== undefined) return reading.variables.named(name)?.value ?? ""
  return interpolate(value, reading)
}

type Scalar = string | null
type Test<T> = (input: T, value: T, fuel: Fuel) => boolean

const tests: Record<ComparisonOperator, Test<VariableValue>> = {
  "Equal to": everyPair(isEqual),
  "Not equal": everyPair((input, value) => !isEqual(input, value)),
  Contains: (input, value, fuel) =>
    somePair(Array.isArray(input) ? isEqual : contains)(input, value, fuel),
  "Does not contain": (input, value, fuel) => {
    const isFound = Array.isArray(input) ? isEqual : contains
    return everyPair((one, other) => !isFound(one, other, fuel))(input, value, fuel)
  },
  "Greater than": comparesSizes((input, value) => input > value),
  "Less than": comparesSizes((input, value) => input < value),
  "Greater or equal to": comparesSizes((input, value) => input >= value),
  "Less or equal to": comparesSizes((input, value) => input <= value),
  "Is set": (input) => !isEmpty(input),
  "Is empty": isEmpty,
  "Starts with": everyPair(withFolded((input, value) => input.startsWith(value))),
  "Ends with": everyPair(withFolded((input, value) => input.endsWith(value))),
  "Matches regex": somePair((input, value, fuel) => matches(input, value, fuel) === true),
  "Does not match regex": everyPair((input, value, fuel) => matches(input, value, fuel) === false),
}

function everyPair(test: Test<Scalar>): Test<VariableValue> {
  return (input, value, fuel) => {
    const others = listed(value)
    return listed(input).every((one) => others.every((o) => chargedTest(test, one, o, fuel)))
  }
}

function somePair(test: Test<Scalar>): Test<VariableValue> {
  return (input, value, fuel) => {
    const others = listed(value)
    return listed(input).some((one) => others.some((o) => chargedTest(test, one, o, fuel)))
  }
}

function chargedTest(test: Test<Scalar>, input: Scalar, value: Scalar, fuel: Fuel): boolean {
  spend(fuel, readingUnits((input?.length ?? 0) + (value?.length ?? 0)))
  return test(input, value, fuel)
}

function listed(value: VariableValue): Scalar[] {
  return Array.isArray(value) ? value : [value]
}

function isEmpty(value: VariableValue): boolean {
  return value === null || value.length === 0
}

function isEqual(input: Scalar, value: Scalar): boolean {
  return input?.normalize() === value?.normalize()
}

const contains = withFolded((input, value) => input.includes(value))

/** A test that ignores case, composition and outer white space, false when a side is empty. */
function withFolded(test: (input: string, value: string) => boolean): Test<Scalar> {
  return (input, value) => (input && value ? test(folded(input), folded(value)) : false)
}

function folded(text: string): string {
  return text.toLowerCase().trim().normalize()
}

function comparesSizes(test: (input: number, value: number) => boolean): Test<VariableValue> {
  return (input, value, fuel) => {
    if (input === null || value === null) return false
    spend(fuel, readingUnits(input.length + value.length))
    const areTexts = typeof input === "string" && typeof value === "string"
    return areTexts ? test(measure(input), measure(value)) : test(sizeOf(input), sizeOf(value))
  }
}

/** A text as a number: its amount, else its instant in milliseconds, else its length. */
function measure(text: string): number {
  const amount = text.startsWith("+") ? Number.NaN : Number(text)
  if (!Number.isNaN(amount)) return amount
  const instant = Date.parse(text)
  return Number.isNaN(instant) ? text.length : instant
}

function sizeOf(value: string | Scalar[]): number {
  return typeof value === "string" ? Number(value) : value.length
}

/** Undefined when a side is empty; a pattern that cannot be evaluated matches nothing. */
function matches(input: Scalar, value: Scalar, fuel: Fuel): boolean | undefined {
  if (!input || !value) return undefined
  const regex = readRegex(value, fuel)
  return regex !== undefined && findsMatch(regex, input, fuel)
}
