/** Decides whether a condition over variables holds. */

import { foldCase } from "../lib/foldCase.ts"
import { type Fuel, readingUnits, searchingUnits, spend } from "./budget/fuel.ts"
import { findsMatch } from "./regex/findsMatch.ts"
import { readRegex } from "./regex/readRegex.ts"
import type { Comparison, ComparisonOperator, Condition } from "./schema/condition.ts"
import type { VariableValue } from "./schema/variable.ts"
import { interpolate, type Scope, tokenValue } from "./variables/interpolate.ts"

/** Whether a condition holds with the current values; false without comparisons. */
export function holds(condition: Condition | undefined, scope: Scope): boolean {
  const comparisons = condition?.comparisons ?? []
  if (comparisons.length === 0) return false
  const isTrue = (comparison: Comparison) => compare(comparison, scope)
  return condition?.logicalOperator === "OR" ? comparisons.some(isTrue) : comparisons.every(isTrue)
}

function compare(comparison: Comparison, scope: Scope): boolean {
  if (!comparison.variableId || !comparison.comparisonOperator) return false
  const input = scope.variables.value(comparison.variableId) ?? null
  const value = comparand(comparison.value, scope)
  return tests[comparison.comparisonOperator](input, value, scope.fuel)
}

function comparand(value: string | undefined, scope: Scope): VariableValue {
  if (value === "undefined" || value === "null") return null
  return tokenValue(value, scope) ?? interpolate(value, scope)
}

type Scalar = string | null
type Test<T> = (input: T, value: T, fuel: Fuel) => boolean

const tests: Record<ComparisonOperator, Test<VariableValue>> = {
  "Equal to": pairs("every", normalized, isSame),
  "Not equal": pairs("every", normalized, (input, value) => !isSame(input, value)),
  Contains: (input, value, fuel) =>
    Array.isArray(input)
      ? pairs("some", normalized, isSame)(input, value, fuel)
      : pairs("some", folded, includes)(input, value, fuel),
  "Does not contain": (input, value, fuel) => !tests.Contains(input, value, fuel),
  "Greater than": comparesSizes((input, value) => input > value),
  "Less than": comparesSizes((input, value) => input < value),
  "Greater or equal to": comparesSizes((input, value) => input >= value),
  "Less or equal to": comparesSizes((input, value) => input <= value),
  "Is set": (input) => !isEmpty(input),
  "Is empty": isEmpty,
  "Starts with": pairs("every", folded, (input, value) => both(input, value, "startsWith")),
  "Ends with": pairs("every", folded, (input, value) => both(input, value, "endsWith")),
  "Matches regex": pairs("some", asWritten, matches(true)),
  "Does not match regex": pairs("every", asWritten, matches(false)),
}

/** Prepares an element once for all its comparisons. */
type Prepare = (element: Scalar) => Scalar

/** Compares the elements of both sides with each other. */
function pairs(how: "every" | "some", prepare: Prepare, test: Test<Scalar>): Test<VariableValue> {
  return (input, value, fuel) => {
    const others = prepared(value, prepare, fuel)
    return prepared(input, prepare, fuel)[how]((one) =>
      others[how]((other) => pair(test, one, other, fuel)),
    )
  }
}

/** The costs of comparing two elements and of preparing one, apart from their length. */
const pairUnits = 1
const elementUnits = 4

function pair(test: Test<Scalar>, input: Scalar, value: Scalar, fuel: Fuel): boolean {
  spend(fuel, pairUnits + ((value?.length ?? 0) >> 7))
  return test(input, value, fuel)
}

function prepared(value: VariableValue, prepare: Prepare, fuel: Fuel): Scalar[] {
  const elements = Array.isArray(value) ? value : [value]
  return elements.map((element) => {
    spend(fuel, elementUnits + readingUnits(element?.length ?? 0))
    return prepare(element)
  })
}

function asWritten(element: Scalar): Scalar {
  return element
}

function normalized(element: Scalar): Scalar {
  return element?.normalize() ?? null
}

/** In lower case, trimmed and normalised; null for an empty text. */
function folded(element: Scalar): Scalar {
  return element ? foldCase(element).trim() : null
}

function isEmpty(value: VariableValue): boolean {
  return value === null || value.length === 0
}

function isSame(input: Scalar, value: Scalar): boolean {
  return input === value
}

function both(input: Scalar, value: Scalar, how: "startsWith" | "endsWith"): boolean {
  return input !== null && value !== null && input[how](value)
}

function includes(input: Scalar, value: Scalar, fuel: Fuel): boolean {
  if (input === null || value === null) return false
  spend(fuel, searchingUnits(input.length, value.length))
  return input.includes(value)
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

/** Tests for a match or its absence; false when a side is empty or the pattern cannot be evaluated. */
function matches(isWanted: boolean): Test<Scalar> {
  return (input, value, fuel) => {
    if (!input || !value) return false
    const regex = readRegex(value, fuel)
    return (regex !== undefined && findsMatch(regex, input, fuel)) === isWanted
  }
}
