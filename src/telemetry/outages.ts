/** Unreachable dependencies of this process, such as a database node: for log, metrics and readiness. */
import type { Log } from "./log.ts"

export type Outages = {
  /** Reports that something does not answer. The log has it at once, and once a minute at most. */
  note(what: string, problem: unknown): void
  /** Reports that it answers; costs nothing when it did before. */
  clear(what: string): void
  /** Names of failing dependencies, sorted. */
  list(): string[]
  /** By name: 1 failing, 0 recovered. */
  levels(): Readonly<Record<string, number>>
}

const repeatMs = 60_000

export function createOutages(log: Pick<Log, "warn" | "info">): Outages {
  const states = new Map<string, { isOut: boolean; loggedAt: number; isLogged: boolean }>()
  return {
    note(what, problem) {
      const now = performance.now()
      const state = states.get(what) ?? { isOut: true, loggedAt: -repeatMs, isLogged: false }
      states.set(what, state)
      state.isOut = true
      // Also when it answers now and then: that would fill the log.
      if (now - state.loggedAt < repeatMs) return
      state.loggedAt = now
      state.isLogged = true
      const err = problem instanceof Error ? problem : new Error(String(problem))
      log.warn({ what, err }, `The ${what} does not answer`)
    },
    clear(what) {
      const state = states.get(what)
      if (!state?.isOut) return
      state.isOut = false
      if (!state.isLogged) return
      state.isLogged = false
      log.info({ what }, `The ${what} answers again`)
    },
    list: () => [...states].flatMap(([what, { isOut }]) => (isOut ? [what] : [])).sort(),
    levels: () => Object.fromEntries([...states].map(([what, { isOut }]) => [what, isOut ? 1 : 0])),
  }
}
