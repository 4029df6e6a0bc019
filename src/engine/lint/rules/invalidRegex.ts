/** Regular expressions can be evaluated, in bounded time. */

import { type Fuel, OutOfFuel, openFuel } from "../../budget/fuel.ts"
import { readRegex } from "../../regex/readRegex.ts"
import type { Condition } from "../../schema/condition.ts"
import type { Rule } from "../finding.ts"

/** What all patterns of a flow may take together, about 200 ms. */
const budgetUnits = 2_000_000

const invalid = "The regular expression cannot be evaluated, so it matches nothing"
const unchecked =
  "The flow has more regular expressions than are checked: this one and others were not"

/** A comparison with a pattern that never matches anything. */
export const invalidRegex: Rule = {
  id: "invalid-regex",
  severity: "warning",
  description:
    "Every regular expression is well-formed, has no back references and is not too large; " +
    "whatever it nests, it then runs in linear time.",
  remedy: "Correct the pattern, or write it without back references.",
  check: ({ sites }) => {
    const fuel = openFuel(budgetUnits)
    return sites.flatMap(({ block, type, path }) =>
      (type.conditions?.(block) ?? []).flatMap(({ at, condition }) =>
        problems(condition, fuel).map(({ index, message }) => ({
          path: [...path, ...at, "comparisons", index, "value"],
          message,
        })),
      ),
    )
  },
}

function problems(condition: Condition | undefined, fuel: Fuel) {
  return (condition?.comparisons ?? []).flatMap(({ comparisonOperator, value }, index) => {
    // A pattern out of a variable is known in the chat only.
    if (!value || !comparisonOperator?.endsWith("regex") || value.includes("{{")) return []
    const message = judge(value, fuel)
    return message === undefined ? [] : [{ index, message }]
  })
}

/** What is wrong with a pattern; undefined: nothing, or that others were not checked was said before. */
function judge(pattern: string, fuel: Fuel): string | undefined {
  if (fuel.left < 0) return undefined
  try {
    return readRegex(pattern, fuel) ? undefined : invalid
  } catch (error) {
    if (error instanceof OutOfFuel) return unchecked
    throw error
  }
}
