/** Filters records on the server where that is safe, otherwise here. */

import { pick } from "../../../../lib/foreignJson.ts"
import type { Fuel } from "../../../budget/fuel.ts"
import { cellPasses, cellText } from "../../tableFilter.ts"
import type { NocodbFilter } from "./schema.ts"

type Comparison = { field: string; operator: string; value: string }

/** Delimiters of conditions in a `where`, which the API (version 2) cannot quote. */
const delimiters = /[(),~'"`\\]/

/**
 * The `where` of a query; undefined without a filter, or when a value could be read as syntax: records are
 * then filtered here.
 */
export function whereOf(filter: NocodbFilter | undefined): string | undefined {
  const comparisons = comparisonsOf(filter)
  if (comparisons.length === 0 || !isServerFilter(comparisons)) return undefined
  return comparisons.map(conditionOf).join(filter?.joiner === "OR" ? "~or" : "~and")
}

/** The records that pass, when the server did not filter them. */
export function matching(
  records: unknown[],
  filter: NocodbFilter | undefined,
  fuel: Fuel,
): unknown[] {
  const comparisons = comparisonsOf(filter)
  if (comparisons.length === 0 || isServerFilter(comparisons)) return records
  return records.filter((record) => {
    const results = comparisons.map(({ field, operator, value }) =>
      cellPasses(operator, cellText(pick(record, field)), value, fuel),
    )
    return filter?.joiner === "OR" ? results.some(Boolean) : results.every(Boolean)
  })
}

export function isFilter(filter: NocodbFilter | undefined): boolean {
  return comparisonsOf(filter).length > 0
}

function comparisonsOf(filter: NocodbFilter | undefined): Comparison[] {
  return (filter?.comparisons ?? []).flatMap(({ input, operator = "Equal to", value = "" }) =>
    input ? [{ field: input, operator, value }] : [],
  )
}

function isServerFilter(comparisons: readonly Comparison[]): boolean {
  return comparisons.every(
    ({ field, operator, value }) =>
      !delimiters.test(field) &&
      !delimiters.test(value) &&
      !(patternOperators.has(operator) && /[%_]/.test(value)) &&
      !(valuedOperators.has(operator) && value === ""),
  )
}

/** For these the server uses a pattern with the wildcards `%` and `_`. */
const patternOperators = new Set(["Contains", "Starts with", "Ends with"])

/** Without a value no record passes these here, while the server would pass every record, or all above 0. */
const valuedOperators = new Set([...patternOperators, "Greater than", "Less than"])

function conditionOf({ field, operator, value }: Comparison): string {
  if (operator === "Is set") return `(${field},notblank)`
  if (operator === "Is empty") return `(${field},blank)`
  if (operator === "Contains") return `(${field},like,%${value}%)`
  if (operator === "Starts with") return `(${field},like,${value}%)`
  if (operator === "Ends with") return `(${field},like,%${value})`
  return `(${field},${names[operator] ?? "eq"},${value})`
}

const names: Partial<Record<string, string>> = {
  "Not equal": "neq",
  "Greater than": "gt",
  "Less than": "lt",
}
