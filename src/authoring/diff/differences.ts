/** Compares two JSON objects member by member. */
import { isEqual, isMembers, keysOf, type Members, memberOf } from "../../lib/json.ts"
import type { Path } from "../lint/location.ts"

/** A difference at a path; undefined: no such member. */
export type Difference = { path: Path; before: unknown; after: unknown }

/**
 * The differences of two objects, as deep as their structure is the same. `ignored` names members to skip.
 */
export function differences(
  before: Members,
  after: Members,
  ignored: readonly string[],
): Difference[] {
  const found: Difference[] = []
  for (const key of keysOf(before, after)) {
    if (!ignored.includes(key)) compareMember(before, after, { key, path: [], found })
  }
  return found
}

type Where = { key: string; path: Path; found: Difference[] }

function compareMember(before: Members, after: Members, { key, path, found }: Where): void {
  compare(memberOf(before, key), memberOf(after, key), { path: [...path, key], found })
}

function compare(before: unknown, after: unknown, where: Omit<Where, "key">): void {
  const { path, found } = where
  if (before === after) return
  if (isMembers(before) && isMembers(after)) {
    for (const key of keysOf(before, after)) compareMember(before, after, { key, ...where })
  } else if (Array.isArray(before) && Array.isArray(after) && mayCompareEach(before, after, path)) {
    for (const [index, element] of before.entries()) {
      compare(element, after[index], { path: [...path, index], found })
    }
  } else if (!isEqual(before, after)) found.push({ path, before, after })
}

/** The member with a text as a tree: a changed text is one difference for all its leaves. */
export const richText = "richText"

/** Whether two lists have the same objects in the same order, judged by their ids. */
function mayCompareEach(before: unknown[], after: unknown[], path: Path): boolean {
  if (before.length !== after.length || path.at(-1) === richText) return false
  return before.every((element, index) => {
    const other = after[index]
    return isMembers(element) && isMembers(other) && element.id === other.id
  })
}
