/** What block types themselves find wrong with a block. */
import type { Problem } from "../blocks/declared.ts"
import type { Found } from "./finding.ts"
import type { Subject } from "./subject.ts"

/** The problems of one rule. */
export function problemsOf({ sites }: Subject, rule: Problem["rule"]): Found[] {
  return sites.flatMap(({ block, type, path }) =>
    (type.problems?.(block) ?? []).flatMap((problem) =>
      problem.rule === rule ? [{ path: [...path, ...problem.at], message: problem.message }] : [],
    ),
  )
}
