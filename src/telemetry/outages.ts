/** What this process needs and does not reach now, such as a node of the database: for log, metrics and readiness. */
import type { Log } from "./log.ts"

export type Outages = {
  /** Reports that something does not answer. The log has it at once, and then once a minute. */
  note(what: string, problem: unknown): void
  /** Reports that it answers; costs nothing when it did before. */
  clear(what: string): void
  /** The names of what does not answer now, sorted. */
  list(): string[]
  /** 1 for what does not answer, 0 for what answers again, by name. */
  levels(): Readonly<Record<string, number>>
}

const repeatMs = 60_000

/** Opens the outages of a process. */
export function openOutages(log: Pick<Log, "warn" | "info">): Outages {
  /** When each was last in the log; undefined: it answers again. */
  const loggedAt = new Map<string, number | undefined>()
  const list = () => [...loggedAt].flatMap(([what, at]) => (at === undefined ? [] : [what])).sort()
  return {
    note(what, problem) {
      const now = performance.now()
      const last = loggedAt.get(what)
      if (last !== undefined && now - last < repeatMs) return
      loggedAt.set(what, now)
      const err = problem instanceof Error ? problem : new Error(String(problem))
      log.warn({ what, err }, `The ${what} does not answer`)
    },
    clear(what) {
      if (loggedAt.get(what) === undefined) return
      loggedAt.set(what, undefined)
      log.info({ what }, `The ${what} answers again`)
    },
    list,
    levels: () =>
      Object.fromEntries([...loggedAt].map(([what, at]) => [what, at === undefined ? 0 : 1])),
  }
}
