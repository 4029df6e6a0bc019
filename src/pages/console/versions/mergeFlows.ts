/** Two flows as one drawing: the newer one, with what was removed where it stood. */

import type { ViewedFlow } from "../editor/canvas/FlowView.tsx"
import { listAt, textAt } from "../editor/canvas/reading.ts"

type Part = { id?: unknown; outgoingEdgeId?: unknown }

export function mergeFlows(older: ViewedFlow, newer: ViewedFlow): ViewedFlow {
  const edges = new Set(newer.edges.map(({ id }) => id))
  const removed = older.edges.filter(({ id }) => !edges.has(id))
  const gone = new Set(removed.map(({ id }) => id))
  const blocks = new Set(newer.groups.flatMap((group) => group.blocks.map(({ id }) => id)))
  const formerGroups = byId(older.groups)
  const formerBlocks = byId(older.groups.flatMap((group) => group.blocks))
  const formerEvents = byId(older.events ?? [])
  const groups = withRemoved(newer.groups, older.groups).map((group) => {
    const ofGroup = new Set(group.blocks.map(({ id }) => id))
    const isStill = newer.groups.includes(group)
    // A block that another group has now was moved there.
    const former = formerGroups
      .get(group.id)
      ?.blocks.filter(({ id }) => !blocks.has(id) || (isStill && ofGroup.has(id)))
    const all = withRemoved(isStill ? group.blocks : [], former ?? [])
    return {
      ...group,
      blocks: all.map((block) => withExits(block, formerBlocks.get(block.id), gone)),
    }
  })
  return {
    events: withRemoved(newer.events ?? [], older.events ?? []).map((event) =>
      withExits(event, formerEvents.get(event.id), gone),
    ),
    groups,
    edges: [...newer.edges, ...removed],
    variables: withRemoved(newer.variables, older.variables),
  }
}

function byId<T extends { id: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((each) => [each.id, each]))
}

/** The newer parts, and each that is gone behind its former neighbour. */
function withRemoved<T extends { id?: unknown }>(newer: readonly T[], older: readonly T[]): T[] {
  const merged = [...newer]
  const ids = new Set(newer.map(({ id }) => id))
  for (const [index, each] of older.entries()) {
    if (each.id === undefined || ids.has(each.id)) continue
    const before = older[index - 1]?.id
    merged.splice(merged.findIndex(({ id }) => id === before) + 1, 0, each)
  }
  return merged
}

/** A part with the removed edges that left it, and with its removed items and their paths. */
function withExits<T extends Part>(now: T, former: T | undefined, gone: ReadonlySet<string>): T {
  if (former === undefined || former === now) return now
  const edgeId = textAt(former, "outgoingEdgeId")
  const merged: T = {
    ...now,
    ...(textAt(now, "outgoingEdgeId") === "" && gone.has(edgeId) && { outgoingEdgeId: edgeId }),
  }
  const lists = ["items", "paths"].flatMap((name) => {
    const before = listAt(former, name) as readonly Part[]
    if (before.length === 0) return []
    const parts = withRemoved(listAt(now, name) as readonly Part[], before)
    const known = new Map(before.map((each) => [each.id, each]))
    return [[name, parts.map((each) => withExits(each, known.get(each.id), gone))]]
  })
  return { ...merged, ...Object.fromEntries(lists) }
}
