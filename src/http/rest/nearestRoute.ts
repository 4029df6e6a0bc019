/** Finds the route that a caller of an unknown path most likely meant. */
import type { Route } from "./routes.ts"

/** Longer paths are not typing mistakes. */
const maxLength = 200
/** Nor is it one to leave out or to add more segments than these. */
const maxMissing = 2

/**
 * Returns the closest route of any method, such as `POST /api/v1/bots/{botId}/publish`, of whose fixed
 * letters at most a third differ; undefined when none is close. The prefix `/api/v1`, which is often
 * forgotten, does not count.
 */
export function nearestRoute(
  routes: readonly Route[],
  { method, segments }: { method: string; segments: readonly string[] },
): string | undefined {
  if (segments.join("/").length > maxLength) return undefined
  const asked = withoutVersion(segments)
  let best: { route: Route; distance: number } | undefined
  for (const route of routes) {
    const known = withoutVersion(route.path.slice(1).split("/"))
    if (Math.abs(known.length - asked.length) > maxMissing) continue
    const distance = pathDistance(known, asked)
    const fixed = known.filter((segment) => !segment.startsWith("{")).join("").length
    const isCloser = best === undefined || distance < best.distance
    const isAsClose = distance === best?.distance && route.method === method
    if (distance <= fixed / 3 && (isCloser || isAsClose)) best = { route, distance }
  }
  return best && `${best.route.method} ${best.route.path}`
}

function withoutVersion(segments: readonly string[]): string[] {
  const start = segments.findIndex((segment) => !/^(api|v\d)$/.test(segment))
  return segments.slice(start)
}

/** How many letters to change to turn one path into the other; a parameter matches any segment. */
function pathDistance(known: readonly string[], asked: readonly string[]): number {
  return editDistance(known, asked, (expected, segment) => {
    if (expected === undefined) return (segment ?? "").length + 1
    if (segment === undefined) return expected.startsWith("{") ? 4 : expected.length + 1
    if (expected.startsWith("{")) return segment === "" ? 4 : 0
    const [short = 0, long = 0] = [expected.length, segment.length].sort((a, b) => a - b)
    // These are different words. Comparing letters takes time, and any path may be requested.
    return long > 2 * short ? long : letterDistance(expected, segment)
  })
}

/** How many letters to replace, remove or add to turn one word into the other. */
export function letterDistance(one: string, other: string): number {
  return editDistance([...one], [...other], (a, b) => (a === b ? 0 : 1))
}

/** The least cost of turning one list into the other by replacing, removing and adding elements. */
function editDistance<T>(
  from: readonly T[],
  to: readonly T[],
  cost: (a: T | undefined, b: T | undefined) => number,
): number {
  let row = [0]
  for (const b of to) row.push((row.at(-1) ?? 0) + cost(undefined, b))
  for (const a of from) {
    const next = [(row[0] ?? 0) + cost(a, undefined)]
    for (const [index, b] of to.entries()) {
      const replaced = (row[index] ?? 0) + cost(a, b)
      const left = (row[index + 1] ?? 0) + cost(a, undefined)
      const added = (next[index] ?? 0) + cost(undefined, b)
      next.push(Math.min(replaced, left, added))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
