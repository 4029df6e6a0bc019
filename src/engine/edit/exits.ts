/**
 * Where edges leave: an event, a block, an item of it, or a path of an item. Whatever the type of the
 * block, that place names its edge as `outgoingEdgeId`.
 */
import { pick, pickList, pickText } from "../foreignJson.ts"
import type { Edge } from "../schema/edge.ts"

/** Where an edge leaves. */
export type Source = Edge["from"]

const exitName = "outgoingEdgeId"

/** The key of the event or the block that a source is in. */
export function ownerKey({ eventId, blockId }: Source): string {
  return eventId === undefined ? `block:${blockId}` : `event:${eventId}`
}

/** Whether two edges leave the same place. */
export function isSamePlace(one: Source, other: Source): boolean {
  const isSameItem = one.itemId === other.itemId && one.pathId === other.pathId
  return ownerKey(one) === ownerKey(other) && isSameItem
}

/** Whether an event or a block has the place that a source names. */
export function hasPlace(owner: object, from: Source): boolean {
  return placeOf(owner, from) !== undefined
}

/** The edge that is named there; undefined: none, or there is no such place. */
export function edgeNamedAt(owner: object, from: Source): string | undefined {
  const place = placeOf(owner, from)
  return place && pickText(owner, ...place, exitName)
}

/** The owner with another edge there; undefined: with none. Nothing changes where there is no place. */
export function withEdgeAt<Owner extends object>(
  owner: Owner,
  from: Source,
  edgeId: string | undefined,
): Owner {
  const place = placeOf(owner, from)
  return place ? (named(owner, place, edgeId) as Owner) : owner
}

/** The owner as it would be if no edge left it. */
export function withoutExits(owner: object): object {
  const { [exitName]: _, ...others } = owner as { [exitName]?: unknown }
  return Object.fromEntries(
    Object.entries(others).map(([name, value]) => [
      name,
      (name === "items" || name === "paths") && Array.isArray(value)
        ? value.map((each) => (typeof each === "object" && each ? withoutExits(each) : each))
        : value,
    ]),
  )
}

/** The keys that lead from an owner to the place. */
function placeOf(owner: object, from: Source): readonly (string | number)[] | undefined {
  const { itemId, pathId } = from
  if (from.eventId !== undefined || (itemId === undefined && pathId === undefined)) return []
  const items = pickList(owner, "items")
  const at = items.findIndex((item) =>
    itemId === undefined ? pathIn(item, pathId) !== -1 : pick(item, "id") === itemId,
  )
  if (at === -1) return undefined
  if (pathId === undefined) return ["items", at]
  const path = pathIn(items[at], pathId)
  return path === -1 ? undefined : ["items", at, "paths", path]
}

function pathIn(item: unknown, pathId: string | undefined): number {
  return pickList(item, "paths").findIndex((path) => pick(path, "id") === pathId)
}

function named(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  edgeId: string | undefined,
): unknown {
  if (Array.isArray(value) && typeof key === "number") {
    return value.with(key, named(value[key], rest, edgeId))
  }
  const { [exitName]: _, ...others } = value as Record<string, unknown>
  if (key !== undefined) {
    return { ...(value as object), [key]: named(pick(value, key), rest, edgeId) }
  }
  return edgeId === undefined ? others : { ...(value as object), [exitName]: edgeId }
}
