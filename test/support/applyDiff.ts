/** Turns one flow into another by nothing but the diff between them. */

import type { FlowChange } from "../../src/authoring/diff/diffSchemas.ts"
import type { Flow } from "../../src/engine/bot.ts"

type Members = Record<string, unknown>

/** Returns the newer flow, except for what a diff leaves out; `comparable` makes the two equal. */
export function applyDiff(changes: readonly FlowChange[], before: Flow): Flow {
  const root: Members = structuredClone(before)
  root.events ??= []
  // Everything is looked up before anything moves.
  const things = changes.map((change) => {
    const { what, path, pointerBefore } = change
    const isWhole = pointerBefore !== undefined && path === undefined
    return {
      ...change,
      isWhole: path === undefined,
      isEdge: what === "edge",
      thing: isWhole ? valueAt(root, pointerBefore) : change.value,
      list: isWhole ? (valueAt(root, parentOf(pointerBefore)) as unknown[]) : [],
      holder: path === undefined ? {} : holderOf(root, `${pointerBefore}${path}`),
    }
  })
  for (const { path, holder, value } of things) {
    if (path !== undefined) setMember(holder, path, value)
  }
  for (const { list, thing, pointerBefore, isWhole } of things) {
    if (isWhole && pointerBefore !== undefined) list.splice(list.indexOf(thing), 1)
  }
  // Edges have no order; a group is there before its blocks, and each before those after it.
  const placed = things.filter(({ isWhole, pointerAfter }) => isWhole && pointerAfter !== undefined)
  for (const { isEdge, kind, thing, value, pointerAfter } of placed.toSorted(byPlace)) {
    const now = kind === "moved" ? thing : structuredClone(value)
    if (isEdge) (root.edges as unknown[]).push(now)
    else insertAt(root, pointerAfter ?? "", now)
  }
  for (const { exits = [], pointerAfter, id } of things) {
    const edgeId = pointerAfter === undefined ? undefined : id
    for (const exit of exits) setMember(holderOf(root, exit), exit, edgeId)
  }
  return root as Flow
}

/** A flow without what has no meaning: coordinates, the order of edges, that there is no event. */
export function comparable({ events, groups, edges, ...flow }: Flow): object {
  const place = { graphCoordinates: undefined }
  return {
    ...flow,
    events: (events ?? []).map((event) => ({ ...event, ...place })),
    groups: groups.map((group) => ({ ...group, ...place })),
    edges: edges.map((edge) => JSON.stringify(edge, ["id", "from", "to", ...edgeKeys])).toSorted(),
  }
}

const edgeKeys = ["eventId", "blockId", "itemId", "pathId", "groupId"]

type Placed = { pointerAfter?: string | undefined }

function byPlace({ pointerAfter: one = "" }: Placed, { pointerAfter: other = "" }: Placed): number {
  return keysOf(one).length - keysOf(other).length || indexIn(one) - indexIn(other)
}

function indexIn(pointer: string): number {
  return Number(keysOf(pointer).at(-1))
}

function keysOf(pointer: string): string[] {
  const keys = pointer.split("/").slice(1)
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf("/"))
}

function valueAt(root: unknown, pointer: string): unknown {
  return keysOf(pointer).reduce<unknown>((value, key) => (value as Members)[key], root)
}

function holderOf(root: Members, pointer: string): Members {
  return valueAt(root, parentOf(pointer)) as Members
}

function setMember(holder: Members, pointer: string, value: unknown): void {
  const key = keysOf(pointer).at(-1) ?? ""
  if (value === undefined) delete holder[key]
  else holder[key] = structuredClone(value)
}

/** A list that is not there yet comes with its first element. */
function insertAt(root: Members, pointer: string, value: unknown): void {
  const parent = parentOf(pointer)
  if (valueAt(root, parent) === undefined) setMember(holderOf(root, parent), parent, [])
  const list = valueAt(root, parent) as unknown[]
  list.splice(indexIn(pointer), 0, value)
}
