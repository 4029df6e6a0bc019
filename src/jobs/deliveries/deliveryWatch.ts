/** Watches deliveries that fail or wait, for the metrics and, once a minute at most, the log. */
import type { Db } from "../../db/connection/openDatabase.ts"
import { type Attempt, countPending } from "../../db/events/deliveries.ts"
import type { Log } from "../../telemetry/log.ts"
import type { Metrics } from "../../telemetry/metrics.ts"

export type WatchDeps = {
  db: Db
  log: Pick<Log, "warn">
  metrics: Pick<Metrics, "countDelivery" | "watch">
}

export type DeliveryWatch = ReturnType<typeof createDeliveryWatch>

const everyMs = 60_000
const maxNamed = 5
const outcomes = { delivered: "delivered", pending: "repeated", failed: "failed" } as const

export function createDeliveryWatch({ db, log, metrics }: WatchDeps) {
  let pending = { due: 0, later: 0 }
  const failing = new Map<string, { attempts: number; lost: number }>()
  let lookAt = Number.NEGATIVE_INFINITY
  metrics.watch({
    name: "parley_deliveries_pending",
    help: "Deliveries of events that are to be made now or later; at most 1,000 of an endpoint are counted",
    label: "when",
    read: () => pending,
  })
  return {
    /** Counts an attempt, by the state in which it leaves its delivery. */
    count(endpointId: string, state: Attempt["state"]) {
      metrics.countDelivery(outcomes[state])
      if (state === "delivered") return
      const counts = failing.get(endpointId) ?? { attempts: 0, lost: 0 }
      failing.set(endpointId, counts)
      counts.attempts += 1
      if (state === "failed") counts.lost += 1
    },
    /** Counts pending deliveries once a minute, and warns of failing and overdue ones. */
    async look() {
      const now = performance.now()
      if (now < lookAt) return
      lookAt = now + everyMs
      const { overdue, ...counted } = await countPending(db, everyMs / 1_000)
      pending = counted
      if (overdue === 0 && failing.size === 0) return
      const all = [...failing.values()]
      const facts = {
        failedAttempts: all.reduce((sum, { attempts }) => sum + attempts, 0),
        givenUp: all.reduce((sum, { lost }) => sum + lost, 0),
        overdue,
        ...pending,
        endpointIds: [...failing.keys()].slice(0, maxNamed),
      }
      failing.clear()
      log.warn(facts, "Deliveries of events fail or wait")
    },
    /** To be called when another process delivers, or nothing is to be delivered. */
    forget() {
      pending = { due: 0, later: 0 }
    },
  }
}
