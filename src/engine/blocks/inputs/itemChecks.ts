/** What checks of a flow must know of the items of a choice: there are some, and when they show. */
import type { DisplayCondition } from "../../schema/condition.ts"
import type { PathInBlock, Problem } from "../declared.ts"

/** The conditions that decide whether items show, with where they stand; unused ones left out. */
export function displayConditions<T>(
  items: readonly T[] | undefined,
  of: (item: T) => { at: PathInBlock; when: DisplayCondition | undefined },
) {
  return (items ?? []).flatMap((item, index) => {
    const { at, when } = of(item)
    if (!when?.isEnabled || !when.condition) return []
    return [{ at: ["items", index, ...at, "condition"], condition: when.condition }]
  })
}

/** Nothing to choose from, unless variables give what there is. */
export function noItems(items: readonly unknown[] | undefined, isDynamic = false): Problem[] {
  if (isDynamic || (items ?? []).length > 0) return []
  const message = "There is nothing to choose from"
  return [{ rule: "choice-without-items", at: items ? ["items"] : [], message }]
}
