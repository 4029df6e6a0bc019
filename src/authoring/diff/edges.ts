/** Compares the edges of two flows, each together with the members that name it. */
import { firstBy } from "../../lib/groupBy.ts"
import { isEqual } from "../../lib/json.ts"
import { type Path, pointerOf } from "../lint/location.ts"
import { differences } from "./differences.ts"
import type { FlowChange } from "./diffSchemas.ts"
import { changeOf, memberChange } from "./flowChanges.ts"
import { pair } from "./matching.ts"
import { type Part, pathOf } from "./parts.ts"
import { type Sides, sideOf, targetText } from "./side.ts"
import { placeOf } from "./values.ts"

/** A member `outgoingEdgeId` that differs. */
export type Exit = {
  /** The event, block or item that has it, in the newer flow. */
  owner: Part
  /** Keys from the owner to it. */
  path: Path
  before: string | undefined
  after: string | undefined
}

type EdgeChange = {
  change: FlowChange
  /** The event, block or item that it leaves; undefined: unnamed. */
  owner: Part | undefined
}

/**
 * Pairs each edge that was removed with the new one that replaced it, because builders create a new edge when
 * one is connected elsewhere. Returns the members that changed along with an edge, and the others, which name
 * another edge while both edges stay.
 */
export function matchExits(
  { old, now }: Sides,
  exits: readonly Exit[],
): { byEdge: ReadonlyMap<Part, Exit[]>; others: Exit[] } {
  const gone = unpaired(old.parts.edges)
  const fresh = unpaired(now.parts.edges)
  for (const { before, after } of exits) {
    const [from, to] = [gone.get(before), fresh.get(after)]
    if (from && to && !from.twin && !to.twin) pair(from, to)
  }
  const byEdge = new Map<Part, Exit[]>()
  const others: Exit[] = []
  for (const exit of exits) {
    const removed = exit.after === undefined ? gone.get(exit.before) : undefined
    const edge = removed?.twin ? undefined : (removed ?? fresh.get(exit.after))
    const known = edge ? (byEdge.get(edge) ?? []) : others
    known.push(exit)
    if (edge) byEdge.set(edge, known)
  }
  return { byEdge, others }
}

/** The changes of edges, with the members that changed along with them. */
export function edgeChanges(sides: Sides, byEdge: ReadonlyMap<Part, Exit[]>): EdgeChange[] {
  const { old, now } = sides
  const edges = [...old.parts.edges.filter(({ twin }) => !twin), ...now.parts.edges]
  return edges.flatMap((edge) => {
    const exits = byEdge.get(edge) ?? []
    const { owners, names } = sideOf(edge, sides)
    const owner = owners.get(edge.id)
    return changesOf(edge, exits[0]?.before, sides).map((change) => ({
      owner,
      change: {
        ...change,
        ...(owner ? { place: placeOf(owner, names) } : {}),
        ...(exits.length > 0 ? { exits: exits.map(pointerOfExit) } : {}),
      },
    }))
  })
}

/** `formerId`: the edge that a new one replaced. */
function changesOf(edge: Part, formerId: string | undefined, sides: Sides): FlowChange[] {
  const { id, twin, value } = edge
  if (edge.isOld) {
    return [{ ...changeOf(edge, "removed", sides), before: targetText(id, sides.old) }]
  }
  if (twin && id === twin.id && isEqual(value.to, twin.value.to)) {
    return differences(twin.value, value, []).map((each) => memberChange(edge, each, sides))
  }
  const before = targetText(twin ? twin.id : formerId, sides.old)
  if (twin && isEqual(value.to, twin.value.to)) {
    return [{ ...changeOf(edge, "changed", sides), before: twin.id, after: id, value }]
  }
  const kind = before === undefined ? "added" : "rewired"
  return [{ ...changeOf(edge, kind, sides), before, after: targetText(id, sides.now), value }]
}

function pointerOfExit({ owner, path }: Exit): string {
  return pointerOf([...pathOf(owner), ...path])
}

/** Edges in only one of the flows; of several with the same id the first. */
function unpaired(edges: readonly Part[]): Map<string | undefined, Part> {
  return firstBy(
    edges.filter(({ twin }) => !twin),
    ({ id }) => id,
  )
}
