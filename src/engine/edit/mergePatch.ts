/** Merge patches of JSON objects (RFC 7396): null removes a member. */
import { isEqual, isMembers, keysOf, type Members, memberOf } from "../../lib/json.ts"

/**
 * Merges a patch into an object. An object that loses its last member is removed, so that undoing the first
 * change of a part restores its absence.
 */
export function mergePatch(target: unknown, patch: Members): Members {
  const merged = new Map(isMembers(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const now = isMembers(value) ? mergePatch(merged.get(name), value) : value
    if (now === null || (isEmpty(now) && !isEmpty(value))) merged.delete(name)
    else merged.set(name, now)
  }
  return Object.fromEntries(merged)
}

/** The patches that lead from an object to another, in the order in which they are to be merged. */
export function patchesBetween(before: Members, after: Members): Members[] {
  const patch = patchBetween(before, after)
  if (isEmpty(patch)) return []
  if (isEqual(mergePatch(before, patch), after)) return [patch]
  // Empty objects as parts: each changed member is removed and inserted again as a whole.
  const names = Object.keys(patch)
  const present = names.filter((name) => Object.hasOwn(after, name))
  return [
    Object.fromEntries(names.map((name) => [name, null])),
    Object.fromEntries(present.map((name) => [name, after[name]])),
  ]
}

function patchBetween(before: Members, after: Members): Members {
  const patch: [string, unknown][] = []
  for (const name of keysOf(before, after)) {
    const [old, now] = [memberOf(before, name), memberOf(after, name)]
    if (isEqual(old, now)) continue
    // Removals are named member by member, so that concurrent edits may add to the same object.
    const isInner = isMembers(old) && !isEmpty(old) && (isMembers(now) || now === undefined)
    patch.push([name, isInner ? patchBetween(old, now ?? {}) : (now ?? null)])
  }
  return Object.fromEntries(patch)
}

function isEmpty(value: unknown): boolean {
  return isMembers(value) && Object.keys(value).length === 0
}
