/** Regular expressions can be evaluated, in bounded time. */
import { isSafeRegex } from "../../conditions.ts"
import type { Rule } from "../finding.ts"
import { each } from "./each.ts"

/** A comparison with a pattern that never matches anything. */
export const invalidRegex: Rule = {
  id: "invalid-regex",
  severity: "warning",
  description:
    "Every regular expression is well-formed, has no back references and is not too large; " +
    "whatever it nests, it then runs in linear time.",
  remedy: "Correct the pattern, or write it without back references.",
  check: ({ sites }) =>
    each(sites, ({ block, type, path }) =>
      (type.conditions?.(block) ?? []).flatMap(({ at, condition }) =>
        (condition?.comparisons ?? []).flatMap(({ comparisonOperator, value }, index) => {
          if (!value || !comparisonOperator?.endsWith("regex")) return []
          // A pattern out of a variable is known in the chat only.
          if (value.includes("{{") || isSafeRegex(value)) return []
          const message = "The regular expression cannot be evaluated, so it matches nothing"
          return [{ path: [...path, ...at, "comparisons", index, "value"], message }]
        }),
      ),
    ),
}
