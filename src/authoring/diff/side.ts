/** One of the two flows that a diff compares, with its lookup tables. */
import type { Flow } from "../../engine/bot.ts"
import { cut } from "../../lib/cut.ts"
import { firstBy } from "../../lib/groupBy.ts"
import { isMembers, type Members, memberOf } from "../../lib/json.ts"
import { type Part, type Parts, readParts } from "./parts.ts"
import { type Names, namesOf, placeOf } from "./values.ts"

export type Side = {
  parts: Parts
  names: Names
  /** Of several parts with the same id the first, as in chats. */
  groups: ReadonlyMap<unknown, Part>
  blocks: ReadonlyMap<unknown, Part>
  edges: ReadonlyMap<unknown, Part>
  /** Ids of the edges that leave an event, a block or an item, its own last; absent: none. */
  exits: ReadonlyMap<Part, readonly string[]>
  /** The first part that an edge leaves, by the id of the edge. */
  owners: ReadonlyMap<unknown, Part>
}

export type Sides = { old: Side; now: Side }

/** Reads a flow for a diff; `isOld`: it is the older of the two. */
export function readSide(flow: Flow, isOld: boolean): Side {
  const parts = readParts(flow, isOld)
  const blocks = parts.groups.flatMap(({ children }) => children)
  const leavable = [...parts.events, ...blocks.flatMap((block) => [block, ...block.children])]
  const exits = new Map<Part, string[]>()
  const owners = new Map<unknown, Part>()
  for (const part of leavable) {
    const edgeIds = exitsOf(part)
    if (edgeIds.length > 0) exits.set(part, edgeIds)
    for (const edgeId of edgeIds) if (!owners.has(edgeId)) owners.set(edgeId, part)
  }
  return {
    parts,
    names: namesOf(flow),
    groups: firstBy(parts.groups, idOf),
    blocks: firstBy(blocks, idOf),
    edges: firstBy(parts.edges, idOf),
    exits,
    owners,
  }
}

export function sideOf({ isOld }: Part, { old, now }: Sides): Side {
  return isOld ? old : now
}

/** The group that an edge leads to; undefined: nowhere. */
export function targetOf(edgeId: unknown, { edges, groups }: Side): Part | undefined {
  return groups.get(membersOf(edges.get(edgeId)?.value.to).groupId)
}

/** The target of an edge, as a place; undefined: no such edge. */
export function targetText(edgeId: string | undefined, side: Side): string | undefined {
  const edge = side.edges.get(edgeId)
  if (!edge) return undefined
  const { groupId, blockId } = membersOf(edge.value.to)
  const group = side.groups.get(groupId)
  if (!group) return `Group ${cut(String(groupId))}, which is missing`
  const block = side.blocks.get(blockId)
  return placeOf(block?.parent === group ? block : group, side.names)
}

/** Name of the members that refer to edges. */
export const exitName = "outgoingEdgeId"

function exitsOf({ value, children }: Part): string[] {
  const found: string[] = []
  const visit = (inner: unknown): void => {
    if (Array.isArray(inner)) for (const element of inner) visit(element)
    else if (isMembers(inner)) {
      for (const [name, member] of Object.entries(inner)) {
        // Items are parts of their own.
        if (inner === value && (name === exitName || (name === "items" && children.length > 0))) {
          continue
        }
        if (name === exitName && typeof member === "string") found.push(member)
        else visit(member)
      }
    }
  }
  visit(value)
  const own = memberOf(value, exitName)
  if (typeof own === "string") found.push(own)
  return found
}

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {}
}

function idOf({ id }: Part): unknown {
  return id
}
