/** The edges of a working draft, indexed by source and target. */
import type { Edge } from "../schema/edge.ts"
import { ownerKey, type Source } from "./exits.ts"
import { createWorkingList, searchesBeforeIndex, type WorkingList } from "./workingList.ts"

/** Keys of an edge's source and target. */
export const edgeKeys = {
  from: (from: Source) => `from ${ownerKey(from)}`,
  toBlock: (blockId: string) => `to block:${blockId}`,
  toGroup: (groupId: string) => `to group:${groupId}`,
}

export type EdgeList = WorkingList<Edge> & {
  /** The edges with one of these keys and perhaps others, in the order of the list. */
  near(keys: readonly string[]): readonly Edge[]
}

/** Above this number, scanning the whole list is faster. */
const fewEdges = 50

export function createEdgeList(given: readonly Edge[]): EdgeList {
  const list = createWorkingList(given)
  let index: Map<string, Set<Edge>> | undefined
  let searches = 0
  const note = (edge: Edge) => {
    for (const key of keysOf(edge)) index?.set(key, (index.get(key) ?? new Set()).add(edge))
  }
  const forget = (edge: Edge) => {
    for (const key of keysOf(edge)) index?.get(key)?.delete(edge)
  }
  return {
    ...list,
    replace(former, edge) {
      list.replace(former, edge)
      forget(former)
      note(edge)
    },
    insert(edge, at) {
      list.insert(edge, at)
      note(edge)
    },
    remove(edge) {
      forget(edge)
      return list.remove(edge)
    },
    near(keys) {
      const edges = list.elements()
      if (++searches === searchesBeforeIndex && new Set(edges).size === edges.length) {
        index = new Map()
        for (const edge of edges) note(edge)
      }
      if (!index) return edges
      const found = new Set<Edge>()
      for (const key of keys) for (const edge of index.get(key) ?? []) found.add(edge)
      if (found.size > fewEdges) return edges.filter((edge) => found.has(edge))
      return [...found]
        .map((edge) => ({ edge, place: edges.indexOf(edge) }))
        .sort((one, other) => one.place - other.place)
        .map(({ edge }) => edge)
    },
  }
}

function keysOf({ from, to: { groupId, blockId } }: Edge): string[] {
  const { from: fromKey, toBlock, toGroup } = edgeKeys
  return [fromKey(from), toGroup(groupId), ...(blockId === undefined ? [] : [toBlock(blockId)])]
}
