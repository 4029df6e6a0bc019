/** Lets large bodies be worked on one at a time, so that everybody else is served in between. */

/** The turns of one process. */
export type BodyTurns = {
  /**
   * Resolves when an owner's next large body may be worked on. Call the function that it resolves
   * with once the request is answered; the turn ends by itself after a while.
   */
  take(owner: string): Promise<() => void>
}

/** A request that waits for the outside world does not hold up others longer than this. */
const longestTurnMs = 250

/** Opens the turns of a process. */
export function openBodyTurns(): BodyTurns {
  /** Those who wait, by owner: owners take turns, whatever number of bodies one of them sends. */
  const lines = new Map<string, (() => void)[]>()
  let isTaken = false

  const begin = (): (() => void) => {
    isTaken = true
    const before = performance.eventLoopUtilization()
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      // The event loop is left to others for as long as it was busy.
      const { active } = performance.eventLoopUtilization(before)
      setTimeout(next, Math.min(active, longestTurnMs))
    }
    const timer = setTimeout(end, longestTurnMs)
    return end
  }
  const next = () => {
    const [first] = lines
    if (first === undefined) {
      isTaken = false
      return
    }
    const [owner, line] = first
    lines.delete(owner)
    const start = line.shift()
    if (line.length > 0) lines.set(owner, line)
    start?.()
  }
  return {
    take: (owner) => {
      if (!isTaken) return Promise.resolve(begin())
      return new Promise((resolve) => {
        const line = lines.get(owner) ?? []
        line.push(() => resolve(begin()))
        lines.set(owner, line)
      })
    },
  }
}
