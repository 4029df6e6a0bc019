/** One of the two flows that a diff compares, with what is looked up in it. */
import type { Flow } from "../../engine/bot.ts"
import { cut } from "../../engine/cut.ts"
import { firstBy } from "../../engine/firstBy.ts"
import { isMembers } from "../upgrade/normalize.ts"
import { type Members, memberOf, type Part, type Parts, readParts } from "./parts.ts"
import { placeOf } from "./places.ts"
import { type Names, namesOf } from "./values.ts"

export type Side = {
  parts: Parts
  names: Names
  /** Of several things with one id the first, as in chats. */
  groups: ReadonlyMap<unknown, Part>
  blocks: ReadonlyMap<unknown, Part>
  edges: ReadonlyMap<unknown, Part>
  /** Ids of the edges by which an event, a block or an item is left, its own last. Absent: none. */
  exits: ReadonlyMap<Part, readonly string[]>
  /** By the id of an edge what it leaves first. */
  owners: ReadonlyMap<unknown, Part>
}

/** The two flows of a diff. */
export type Sides = { old: Side; now: Side }

/** `isOld`: whether it is the older one of the two flows. */
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

/** The flow that a thing is of. */
export function sideOf({ isOld }: Part, { old, now }: Sides): Side {
  return isOld ? old : now
}

/** The group that an edge leads to; undefined: nowhere. */
export function targetOf(edgeId: unknown, { edges, groups }: Side): Part | undefined {
  return groups.get(membersOf(edges.get(edgeId)?.value.to).groupId)
}

/** Where an edge leads, as a place; undefined when there is no such edge. */
export function targetText(edgeId: string | undefined, side: Side): string | undefined {
  const edge = side.edges.get(edgeId)
  if (!edge) return undefined
  const { groupId, blockId } = membersOf(edge.value.to)
  const group = side.groups.get(groupId)
  if (!group) return `Group ${cut(String(groupId))}, which is missing`
  const block = side.blocks.get(blockId)
  return placeOf(block?.parent === group ? block : group, side.names)
}

/** The name of the members that name edges. */
export const exitName = "outgoingEdgeId"

function exitsOf({ value, children }: Part): string[] {
  const found: string[] = []
  const visit = (inner: unknown): void => {
    if (Array.isArray(inner)) for (const element of inner) visit(element)
    else if (isMembers(inner)) {
      for (const [name, member] of Object.entries(inner)) {
        // Items are things of their own.
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
