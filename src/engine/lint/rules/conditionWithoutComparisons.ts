/** Conditions compare something. */
import type { Condition } from "../../schema/condition.ts"
import type { Found, Rule } from "../finding.ts"
import type { Path } from "../location.ts"

/** A condition, or one of its comparisons, that can never be true. */
export const conditionWithoutComparisons: Rule = {
  id: "condition-without-comparisons",
  severity: "warning",
  description: "Every condition has comparisons, each with a variable and an operator.",
  remedy: "Complete the comparison, or delete the condition.",
  checkBlock: ({ block, type, path }) =>
    (type.conditions?.(block) ?? []).flatMap(({ at, condition }) =>
      incomplete(condition, [...path, ...at]),
    ),
}

function incomplete(condition: Condition | undefined, path: Path): Found[] {
  const comparisons = condition?.comparisons ?? []
  if (comparisons.length === 0) {
    return [{ path, message: "The condition compares nothing, so it never holds" }]
  }
  return comparisons.flatMap(({ variableId, comparisonOperator }, index) => {
    if (variableId && comparisonOperator) return []
    const missing = variableId ? "operator" : "variable"
    const message = `The comparison has no ${missing}, so it is never true`
    return [{ path: [...path, "comparisons", index], message }]
  })
}
