/** Items of a choice: which ones are shown, those that a variable lists, and what the linter checks. */

import { readingUnits, spend } from "../../budget/fuel.ts"
import { holds } from "../../conditions.ts"
import type { DisplayCondition } from "../../schema/condition.ts"
import type { Scope } from "../../variables/interpolate.ts"
import { interpolateStructure } from "../../variables/interpolateStructure.ts"
import type { PathInBlock, Problem } from "../declared.ts"

/** The cost of making an item from an element. */
const elementUnits = 20

/** Whether an item shows with the present values. */
export function isDisplayed(when: DisplayCondition | undefined, scope: Scope): boolean {
  return !when?.isEnabled || !when.condition || holds(when.condition, scope)
}

/** The author's items that show, with their variables replaced; an absent list is an empty one. */
export function displayedItems<T extends { displayCondition?: DisplayCondition | undefined }>(
  items: readonly T[] | undefined,
  scope: Scope,
): T[] {
  return (items ?? [])
    .filter((item) => isDisplayed(item.displayCondition, scope))
    .map((item) => interpolateStructure(item, scope))
}

/**
 * The values that a variable holds: the elements of a list, or of a JSON array in a text, else the text
 * itself. Undefined when it holds nothing; elements without a value are null.
 */
export function elementsOf(
  variableId: string | undefined,
  { variables, fuel }: Scope,
): (string | null)[] | undefined {
  const value = variables.value(variableId)
  if (value === undefined || value === null) return undefined
  spend(fuel, Array.isArray(value) ? elementUnits * value.length : readingUnits(value.length))
  if (Array.isArray(value)) return value
  const elements = arrayIn(value)
  if (elements) spend(fuel, elementUnits * elements.length)
  return elements ?? [value]
}

function arrayIn(text: string): (string | null)[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    if (!Array.isArray(parsed)) return undefined
    return parsed.map((element: unknown) =>
      element === null || typeof element === "string" ? element : JSON.stringify(element),
    )
  } catch {
    return undefined
  }
}

/** The conditions that decide whether items show, and where they are; unused ones are left out. */
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

/** The problem of items that are never offered, because they have no label. */
export function unlabelled<Item>(
  items: readonly Item[] | undefined,
  labelOf: (item: Item) => string | null | undefined,
): Problem[] {
  return (items ?? []).flatMap((item, index) => {
    if (labelOf(item)?.trim()) return []
    const message = "This item has no label, so that it is never offered"
    return [{ rule: "choice-without-label", at: ["items", index], message }]
  })
}

/** The problem of a question with nothing to choose from. */
export function noItems(items: readonly unknown[] | undefined): Problem[] {
  if ((items ?? []).length > 0) return []
  const message = "There is nothing to choose from"
  return [{ rule: "choice-without-items", at: items ? ["items"] : [], message }]
}
