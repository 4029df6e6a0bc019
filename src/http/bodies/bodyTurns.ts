/** Lets large bodies be worked on one at a time, so that everybody else is served in between. */
import { openLines } from "../../chat/lines.ts"

/** The turns of one process. */
type BodyTurns = {
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
  const lines = openLines()
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
    const start = lines.next()
    isTaken = start !== undefined
    start?.()
  }
  return {
    take: (owner) => {
      if (!isTaken) return Promise.resolve(begin())
      return new Promise((resolve) => {
        lines.add(owner, () => resolve(begin()))
      })
    },
  }
}
