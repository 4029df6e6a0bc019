/** Finds the differences within a list of a draft, so that only they are written. */
import type { JsonChange } from "../../db/bots/edits.ts"
import { isEqual, isMembers, type Members } from "../../lib/json.ts"

/** Max changes; beyond, writing the list anew costs less. */
const maxChanges = 8

/**
 * The changes, one after the other, that turn a list into another one. Returns undefined when there would
 * be too many. Parts that are the same object in both are equal, which makes this cheap.
 */
export function changesWithin(
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly string[] = [],
): JsonChange[] | undefined {
  const start = commonLength(before, after)
  const rest = [before.slice(start).reverse(), after.slice(start).reverse()] as const
  const end = commonLength(...rest)
  const [old, fresh] = [before, after].map((list) => list.slice(start, list.length - end))
  if (!old || !fresh || old.length + fresh.length > 2 * maxChanges) return undefined
  const at = (index: number) => [...path, String(start + index)]
  const common = Math.min(old.length, fresh.length)
  const changes: JsonChange[] = []
  for (let index = 0; index < common; index++) {
    if (!isEqual(old[index], fresh[index]))
      changes.push(...changesOf(old[index], fresh[index], at(index)))
  }
  for (let index = old.length - 1; index >= common; index--)
    changes.push({ path: at(index), kind: "remove", former: old[index] })
  for (let index = common; index < fresh.length; index++)
    changes.push({ path: at(index), kind: "insert", value: fresh[index] })
  return changes.length > maxChanges ? undefined : changes
}

/** The changed blocks of a group, if only blocks differ. */
function changesOf(former: unknown, value: unknown, path: readonly string[]): JsonChange[] {
  const whole: JsonChange[] = [{ path, kind: "set", value, former }]
  if (!isMembers(former) || !isMembers(value)) return whole
  const [before, after] = [blocksIn(former), blocksIn(value)]
  if (!before || !after) return whole
  if (!isEqual({ ...former, blocks: [] }, { ...value, blocks: [] })) return whole
  return changesWithin(before, after, [...path, "blocks"]) ?? whole
}

function blocksIn({ blocks }: Members): unknown[] | undefined {
  return Array.isArray(blocks) ? blocks : undefined
}

function commonLength(one: readonly unknown[], other: readonly unknown[]): number {
  const index = one.findIndex((each, at) => each !== other[at])
  return index === -1 ? one.length : index
}
