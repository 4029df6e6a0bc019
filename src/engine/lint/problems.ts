/** What block types themselves find wrong with a block. */
import type { Problem } from "../blocks/declared.ts"
import type { Found } from "./finding.ts"
import type { Site } from "./sites.ts"

/** The problems of one rule. */
export function problemsOf({ block, type, path }: Site, rule: Problem["rule"]): Found[] {
  const problems = type.problems?.(block).filter((problem) => problem.rule === rule) ?? []
  return problems.map(({ at, message }) => ({ path: [...path, ...at], message }))
}
