/** Unreachable dependencies of this process, such as a database node: for log, metrics and readiness. */
import type { Log } from "./log.ts"

export type Outages = ReturnType<typeof createOutages>

const repeatMs = 60_000

export function createOutages(log: Pick<Log, "warn" | "info">) {
  const states = new Map<string, { isOut: boolean; loggedAt: number; isLogged: boolean }>()
  return {
    /** Reports that something does not answer. The log has it at once, and once a minute at most. */
    note(what: string, problem: unknown) {
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
    /** Reports that it answers; costs nothing when it did before. */
    clear(what: string) {
      const state = states.get(what)
      if (!state?.isOut) return
      state.isOut = false
      if (!state.isLogged) return
      state.isLogged = false
      log.info({ what }, `The ${what} answers again`)
    },
    /** Names of failing dependencies, sorted. */
    list: () => [...states].flatMap(([what, { isOut }]) => (isOut ? [what] : [])).sort(),
    /** By name: 1 failing, 0 recovered. */
    levels: () => Object.fromEntries([...states].map(([what, { isOut }]) => [what, isOut ? 1 : 0])),
  }
}
