/** Blocks that cannot work. */
import type { Problem } from "../../../engine/blocks/declared.ts"
import { createFuel, type Fuel, OutOfFuel } from "../../../engine/budget/fuel.ts"
import { readRegex } from "../../../engine/regex/readRegex.ts"
import type { BlockEntry } from "../blockEntries.ts"
import { type Violation, warning } from "../finding.ts"
import { nearType } from "../nearType.ts"

/** The problems that the type of a block itself reports under a rule. */
export function problemsOf({ block, type, path }: BlockEntry, rule: Problem["rule"]): Violation[] {
  const problems = type.problems?.(block).filter((problem) => problem.rule === rule) ?? []
  return problems.map(({ at, message }) => ({ path: [...path, ...at], message }))
}

export const choiceWithoutItems = warning({
  id: "choice-without-items",
  description: "Every choice has items, or a variable that provides them.",
  remedy: "Add items, or name the variable that holds them.",
  checkBlock: (entry) => problemsOf(entry, "choice-without-items"),
})

export const choiceWithoutLabel = warning({
  id: "choice-without-label",
  description: "Every item of a choice has a label; without one it is not offered.",
  remedy: "Enter the label, or delete the item.",
  checkBlock: (entry) => problemsOf(entry, "choice-without-label"),
})

export const httpWithoutUrl = warning({
  id: "http-without-url",
  description: "Every HTTP request has a URL; without one it is skipped.",
  remedy: "Enter the URL, or delete the block.",
  checkBlock: (entry) => problemsOf(entry, "http-without-url"),
})

function conditionsOf({ block, type, path }: BlockEntry) {
  return (type.conditions?.(block) ?? []).map(({ at, condition }) => {
    return { path: [...path, ...at], comparisons: condition?.comparisons ?? [] }
  })
}

export const conditionWithoutComparisons = warning({
  id: "condition-without-comparisons",
  description: "Every condition has comparisons, each with a variable and an operator.",
  remedy: "Complete the comparison, or delete the condition.",
  checkBlock: (entry) =>
    conditionsOf(entry).flatMap(({ path, comparisons }) => {
      if (comparisons.length === 0) {
        return [{ path, message: "The condition has no comparisons, so it never holds" }]
      }
      return comparisons.flatMap(({ variableId, comparisonOperator }, index) => {
        if (variableId && comparisonOperator) return []
        const missing = variableId ? "operator" : "variable"
        const message = `The comparison has no ${missing}, so it is never true`
        return { path: [...path, "comparisons", index], message }
      })
    }),
})

/** Budget for all patterns of a flow together, about 200 ms. */
const budgetUnits = 1_000_000

const invalid = "The regular expression cannot be evaluated, so it matches nothing"
const unchecked =
  "The flow has too many regular expressions to check: this one and any after it were not checked"

export const invalidRegex = warning({
  id: "invalid-regex",
  description:
    "Every regular expression is well-formed, has no back references and is not too large; " +
    "it then runs in linear time, however deeply it is nested.",
  remedy: "Correct the pattern, or write it without back references.",
  check: ({ blocks }) => {
    const fuel = createFuel(budgetUnits)
    return blocks.flatMap((entry) =>
      conditionsOf(entry).flatMap(({ path, comparisons }) =>
        comparisons.flatMap(({ comparisonOperator, value }, index) => {
          // A pattern that comes from a variable is known only in the chat.
          if (!value || !comparisonOperator?.endsWith("regex") || value.includes("{{")) return []
          const message = judgePattern(value, fuel)
          return message ? { path: [...path, "comparisons", index, "value"], message } : []
        }),
      ),
    )
  },
})

/** The defect of a pattern; undefined: none, or the budget was reported as exhausted before. */
function judgePattern(pattern: string, fuel: Fuel): string | undefined {
  if (fuel.left < 0) return undefined
  try {
    return readRegex(pattern, fuel) ? undefined : invalid
  } catch (error) {
    if (error instanceof OutOfFuel) return unchecked
    throw error
  }
}

export const unsupportedBlock = warning({
  id: "unsupported-block",
  description: "Every block is of a type that this service can run; others are skipped.",
  remedy: "Replace the block with supported ones.",
  checkBlock: ({ block, type, path }) =>
    type.isUnknown && nearType(block.type) === undefined
      ? [{ path: [...path, "type"], message: `Blocks of type "${block.type}" are skipped` }]
      : [],
})
