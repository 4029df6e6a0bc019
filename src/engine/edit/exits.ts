/**
 * Places that edges leave: an event, a block, an item of it, or a path of an item. Each names its edge as
 * `outgoingEdgeId`.
 */
import { pick, pickList, pickText } from "../../lib/foreignJson.ts"
import type { Edge } from "../schema/edge.ts"

/** The place that an edge leaves. */
export type Source = Edge["from"]

/** Positions of a list's parts by their own ids and by those of their paths; the first of equal ids. */
type Positions = {
  byId: ReadonlyMap<unknown, number>
  byPath: ReadonlyMap<unknown, number>
}

/**
 * Remembered positions of unchanged lists: removing and restoring a block with thousands of items searches
 * for each several times.
 */
export type KnownPositions = WeakMap<readonly unknown[], Positions>

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
export function hasPlace(owner: object, from: Source, known: KnownPositions): boolean {
  return placeOf(owner, from, known) !== undefined
}

/** The edge named at a place; undefined: none, or the place does not exist. */
export function edgeNamedAt(
  owner: object,
  from: Source,
  known: KnownPositions = new WeakMap(),
): string | undefined {
  const place = placeOf(owner, from, known)
  return place && pickText(owner, ...place, exitName)
}

/** The owner with another edge at a place; undefined: none. A missing place changes nothing. */
export function withEdgeAt<Owner extends object>(
  owner: Owner,
  from: Source,
  edgeId: string | undefined,
  known: KnownPositions,
): Owner {
  const place = placeOf(owner, from, known)
  return place ? (named(owner, place, edgeId, known) as Owner) : owner
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
function placeOf(owner: object, from: Source, known: KnownPositions) {
  const { itemId, pathId } = from
  if (from.eventId !== undefined || (itemId === undefined && pathId === undefined)) return []
  const items = pickList(owner, "items")
  const { byId, byPath } = positionsIn(items, known)
  const at = itemId === undefined ? byPath.get(pathId) : byId.get(itemId)
  if (at === undefined) return undefined
  if (pathId === undefined) return ["items", at]
  const path = positionsIn(pickList(items[at], "paths"), known).byId.get(pathId)
  return path === undefined ? undefined : ["items", at, "paths", path]
}

function positionsIn(parts: readonly unknown[], known: KnownPositions): Positions {
  const found = known.get(parts) ?? readPositions(parts)
  known.set(parts, found)
  return found
}

function readPositions(parts: readonly unknown[]): Positions {
  const byId = new Map<unknown, number>()
  const byPath = new Map<unknown, number>()
  for (const [index, part] of parts.entries()) {
    const id = pick(part, "id")
    if (!byId.has(id)) byId.set(id, index)
    for (const path of pickList(part, "paths")) {
      const pathId = pick(path, "id")
      if (!byPath.has(pathId)) byPath.set(pathId, index)
    }
  }
  return { byId, byPath }
}

function named(
  value: unknown,
  [key, ...rest]: readonly (string | number)[],
  edgeId: string | undefined,
  known: KnownPositions,
): unknown {
  if (Array.isArray(value) && typeof key === "number") {
    const changed = value.with(key, named(value[key], rest, edgeId, known))
    // Edge names are not ids, so the positions stay valid.
    known.set(changed, positionsIn(value, known))
    return changed
  }
  const { [exitName]: _, ...others } = value as Record<string, unknown>
  if (key !== undefined) {
    return { ...(value as object), [key]: named(pick(value, key), rest, edgeId, known) }
  }
  return edgeId === undefined ? others : { ...(value as object), [exitName]: edgeId }
}
