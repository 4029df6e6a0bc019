/** Items of a choice: displayed ones, items from variables, and lint rules. */

import { readingUnits, spend } from "../../budget/fuel.ts"
import { holds } from "../../conditions.ts"
import type { DisplayCondition } from "../../schema/condition.ts"
import type { Scope } from "../../variables/interpolate.ts"
import { interpolateStructure } from "../../variables/interpolateStructure.ts"
import type { PathInBlock, Problem } from "../declared.ts"

/** The cost of making an item from an element. */
const elementUnits = 20

/** Whether an item shows with the current values. */
export function isDisplayed(when: DisplayCondition | undefined, scope: Scope): boolean {
  return !when?.isEnabled || !when.condition || holds(when.condition, scope)
}

/** The author's displayed items, with their variables replaced; an absent list is empty. */
export function displayedItems<T extends { displayCondition?: DisplayCondition | undefined }>(
  items: readonly T[] | undefined,
  scope: Scope,
): T[] {
  return (items ?? [])
    .filter((item) => isDisplayed(item.displayCondition, scope))
    .map((item) => interpolateStructure(item, scope))
}

/**
 * The values of a variable: the elements of a list, or of a JSON array in a text, else the text itself.
 * Undefined when unset; elements without a value are null.
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

/** The display conditions of items with their paths, without unused ones. */
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

/** Reports items without a label, which are never offered. */
export function unlabelled<Item>(
  items: readonly Item[] | undefined,
  labelOf: (item: Item) => string | null | undefined,
): Problem[] {
  return (items ?? []).flatMap((item, index) => {
    if (labelOf(item)?.trim()) return []
    const message = "This item has no label, so it is never offered"
    return [{ rule: "choice-without-label", at: ["items", index], message }]
  })
}

export function noItems(items: readonly unknown[] | undefined): Problem[] {
  if ((items ?? []).length > 0) return []
  const message = "The question has no choices"
  return [{ rule: "choice-without-items", at: items ? ["items"] : [], message }]
}
