/** Compares two JSON objects member by member. */
import type { Path } from "../lint/location.ts"
import { isMembers } from "../upgrade/normalize.ts"
import { type Members, memberOf } from "./parts.ts"

/** What differs at a path; undefined: there is no such member. */
export type Difference = { path: Path; before: unknown; after: unknown }

/** Where two objects differ, as deep as their structure is the same. `ignored` names members to skip. */
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

/** The member that holds a text as a tree: a changed text is one difference, however many leaves it has. */
export const richText = "richText"

/** Whether two lists have the same objects in the same order, judged by their ids. */
function mayCompareEach(before: unknown[], after: unknown[], path: Path): boolean {
  if (before.length !== after.length || path.at(-1) === richText) return false
  return before.every((element, index) => {
    const other = after[index]
    return isMembers(element) && isMembers(other) && element.id === other.id
  })
}

/** Whether two JSON values are equal, in whatever order their members are. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isEqual(each, other[index]))
  }
  if (!isMembers(one) || !isMembers(other)) return false
  return keysOf(one, other).every((key) => isEqual(memberOf(one, key), memberOf(other, key)))
}

function keysOf(before: Members, after: Members): string[] {
  const keys = Object.keys(after)
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) keys.push(key)
  return keys
}
