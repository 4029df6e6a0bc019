/** Matches the parts of two flows by id, and marks those that have moved. */
import { groupBy } from "../../lib/groupBy.ts"
import { longestIncreasing } from "../../lib/longestIncreasing.ts"
import { pointerOf } from "../lint/location.ts"
import { itemsOf, type Part, type Parts, pathOf } from "./parts.ts"

/** Pairs the parts of two flows; of several with the same id the first goes with the first. */
export function matchParts(old: Parts, now: Parts): void {
  pair(old.flow, now.flow)
  pair(old.theme, now.theme)
  pair(old.settings, now.settings)
  pairById(old.edges, now.edges)
  for (const list of ["events", "groups", "variables"] as const) {
    pairById(old[list], now[list])
    markMoved(now[list])
  }
  pairById(childrenOf(old.groups), childrenOf(now.groups))
  for (const group of now.groups) markMoved(group.children)
  matchItems(childrenOf(now.groups))
}

export function pair(old: Part, now: Part): void {
  old.twin = now
  now.twin = old
}

/** Ids that several items share, as in copied blocks, are compared within one block only. */
function matchItems(blocks: readonly Part[]): void {
  const now: Part[] = []
  const old: Part[] = []
  for (const block of blocks) {
    if (!block.twin) continue
    // Unless both blocks have a list of items, the member `items` is compared as a whole.
    if (!itemsOf(block) || !itemsOf(block.twin)) block.children = block.twin.children = []
    now.push(...block.children)
    old.push(...block.twin.children)
  }
  const shared = new Set([...repeatedIds(old), ...repeatedIds(now)])
  pairById(old, now, (item) => {
    if (!shared.has(item.id)) return `${item.id}`
    const block = item.isOld ? item.parent?.twin : item.parent
    return `${block && pointerOf(pathOf(block))} ${item.id}`
  })
  for (const block of blocks) markMoved(block.children)
}

function repeatedIds(parts: readonly Part[]): Set<string | undefined> {
  const seen = new Set<string | undefined>()
  const repeated = new Set<string | undefined>([undefined])
  for (const { id } of parts) {
    if (seen.has(id)) repeated.add(id)
    seen.add(id)
  }
  return repeated
}

function pairById(
  old: readonly Part[],
  now: readonly Part[],
  nameOf: (part: Part) => string = ({ id }) => `${id}`,
): void {
  const olds = groupBy(old, nameOf)
  for (const [name, parts] of groupBy(now, nameOf)) {
    const twins = olds.get(name) ?? []
    for (const [index, part] of parts.entries()) {
      const twin = twins[index]
      if (twin) pair(twin, part)
    }
  }
}

function childrenOf(parts: readonly Part[]): Part[] {
  return parts.flatMap(({ children }) => children)
}

/** Marks the siblings from another parent, and as few others as explain the new order. */
function markMoved(siblings: readonly Part[]): void {
  const stayed: Part[] = []
  for (const part of siblings) {
    if (part.twin?.parent === part.parent?.twin) {
      if (part.twin) stayed.push(part)
    } else if (part.twin) part.isMoved = true
  }
  const kept = new Set(longestIncreasing(stayed.map(({ twin }) => twin?.index ?? 0)))
  for (const [at, part] of stayed.entries()) if (!kept.has(at)) part.isMoved = true
}
