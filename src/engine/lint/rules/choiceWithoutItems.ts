/** A question that offers a choice has something to choose. */
import type { Rule } from "../finding.ts"
import { problemsOf } from "../problems.ts"

/** A choice that nobody can make. */
export const choiceWithoutItems: Rule = {
  id: "choice-without-items",
  severity: "warning",
  description: "Every choice has items, or a variable that gives them.",
  remedy: "Add items, or name the variable that holds them.",
  checkBlock: (site) => problemsOf(site, "choice-without-items"),
}
