/** Puts lists into another order. */
import { longestIncreasing } from "../../lib/longestIncreasing.ts"

/** An element to add or to move, and where: counted without it, when those before it are in place. */
export type Placement = { id: string; index: number; isNew: boolean }

/**
 * The additions and moves, in order, that turn a list of ids into another, with as few moves as possible.
 * Unwanted ids stay until they are removed.
 */
export function placements(current: readonly string[], wanted: readonly string[]): Placement[] {
  const places = new Map(current.map((id, index) => [id, index]))
  const common = wanted.filter((id) => places.has(id))
  const staying = longestIncreasing(common.map((id) => places.get(id) ?? 0))
  const stays = new Set(staying.map((at) => common[at]))
  const list = [...current]
  const placed: Placement[] = []
  for (const [at, id] of wanted.entries()) {
    if (stays.has(id)) continue
    const isNew = !places.has(id)
    if (!isNew) list.splice(list.indexOf(id), 1)
    // All before it are in place, perhaps with others to be removed.
    const index = at === 0 ? 0 : list.indexOf(wanted[at - 1] ?? "", at - 1) + 1
    list.splice(index, 0, id)
    placed.push({ id, index, isNew })
  }
  return placed
}
