/** Puts and removes edges, along with their names at the events, blocks and items that they leave. */
import type { Edge } from "../schema/edge.ts"
import type { Refuse } from "./editProblem.ts"
import type { Edit, EditOf } from "./editSchema.ts"
import { edgeNamedAt, hasPlace, isSamePlace, ownerKey } from "./exits.ts"
import { elementOf, type Owner, type WorkingDraft } from "./workingDraft.ts"
import { putInto } from "./workingList.ts"

/** Adds or replaces an edge, and returns the edits that undo it. */
export function putEdge(work: WorkingDraft, edit: EditOf<"edge.put">, refuse: Refuse): Edit[] {
  const { edge, index, isAlone } = edit
  const former = work.edges.find(edge.id)
  const put = () => putInto(work.edges, { element: edge, former, index })
  if (isAlone) return [undoPut(edge, former, { ...put(), isAlone })]

  const source = work.ownerOf(edge.from)
  if (!source || !hasPlace(elementOf(source), edge.from, work.positions))
    throw refuse(ownerKey(edge.from), `Edge "${edge.id}" leaves something that does not exist`)
  if (!hasTarget(work, edge))
    throw refuse(targetKey(edge), `Edge "${edge.id}" leads to something that does not exist`)

  const isElsewhere = former !== undefined && !isSamePlace(former.from, edge.from)
  const formerSource = isElsewhere ? work.ownerOf(former.from) : undefined
  const named = edgeNamedAt(elementOf(source), edge.from, work.positions)
  const wasFree = named === undefined
  const isUndone = former ? isConnected(work, former) && (wasFree || !isElsewhere) : wasFree

  const moved = put()
  // A source that already names the edge does not change, and needs no inverse.
  if (named === edge.id && !isElsewhere)
    return [undoPut(edge, former, { ...moved, ...(!isUndone && { isAlone: true }) })]
  if (isElsewhere) unname(work, former)
  // Read again: it may be the source that was left.
  const owner = work.ownerOf(edge.from)
  if (owner) work.nameEdge(owner, edge.from, edge.id)
  if (isUndone) return [undoPut(edge, former, moved)]
  const isOther = formerSource && ownerKey(edge.from) !== ownerKey(former?.from ?? {})
  return [
    undoPut(edge, former, { ...moved, isAlone: true }),
    source,
    ...(isOther ? [formerSource] : []),
  ]
}

/** Removes an edge, and returns the edits that undo it. */
export function removeEdge(
  work: WorkingDraft,
  edit: EditOf<"edge.remove">,
  refuse: Refuse,
): Edit[] {
  const edge = work.edges.find(edit.edgeId)
  if (!edge) throw refuse(`edge:${edit.edgeId}`, `Edge "${edit.edgeId}" does not exist`)
  if (edit.isAlone) {
    return [{ type: "edge.put", edge, index: work.edges.remove(edge), isAlone: true }]
  }
  return takeOut(work, edge, isConnected(work, edge))
}

/**
 * Removes the edges from and to an element, after `remove` has removed it. Returns the edits that restore
 * them once the element is back.
 */
export function removeWithEdges(
  work: WorkingDraft,
  edges: readonly Edge[],
  remove: () => void,
): Edit[] {
  const connected = new Set(edges.filter((edge) => isConnected(work, edge)))
  remove()
  const restored = new Set<string>()
  return edges
    .map((edge) => takeOut(work, edge, connected.has(edge), restored))
    .reverse()
    .flat()
}

/**
 * `wasConnected`: putting the edge restores its name at the source. `restored`: the sources that edges removed earlier already restore.
 */
function takeOut(
  work: WorkingDraft,
  edge: Edge,
  wasConnected: boolean,
  restored = new Set<string>(),
): Edit[] {
  const source = work.ownerOf(edge.from)
  const isNamed = unname(work, edge)
  const put: Edit = { type: "edge.put", edge, index: work.edges.remove(edge) }
  if (wasConnected) return [put]
  const key = ownerKey(edge.from)
  if (!isNamed || !source || restored.has(key)) return [{ ...put, isAlone: true }]
  restored.add(key)
  return [{ ...put, isAlone: true }, source]
}

/** Clears the name of an edge at its source, if it is named there. */
function unname(work: WorkingDraft, edge: Edge): boolean {
  const owner = namingOwner(work, edge)
  if (owner) work.nameEdge(owner, edge.from, undefined)
  return owner !== undefined
}

/** Whether an edge has both ends, and its source names it. */
export function isConnected(work: WorkingDraft, edge: Edge): boolean {
  return namingOwner(work, edge) !== undefined && hasTarget(work, edge)
}

/** The source of an edge, if it names it. */
function namingOwner(work: WorkingDraft, { id, from }: Edge): Owner | undefined {
  const owner = work.ownerOf(from)
  return owner && edgeNamedAt(elementOf(owner), from, work.positions) === id ? owner : undefined
}

/** The missing target of a dangling edge, as the key that its removal or move touched. */
function targetKey({ to: { groupId, blockId } }: Edge): string {
  return blockId === undefined ? `group:${groupId}` : `block:${blockId}`
}

function hasTarget(work: WorkingDraft, { to: { groupId, blockId } }: Edge): boolean {
  if (blockId === undefined) return work.groups.find(groupId) !== undefined
  return work.homeOf(blockId)?.id === groupId
}

function undoPut(
  { id }: Edge,
  former: Edge | undefined,
  how: { index?: number; isAlone?: true },
): Edit {
  if (former) return { type: "edge.put", edge: former, ...how }
  // An added edge has not moved.
  return { type: "edge.remove", edgeId: id, ...how }
}
