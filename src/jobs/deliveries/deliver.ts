/**
 * Delivers events: hands them out to endpoints and begins deliveries that are due, in order, in one
 * process at a time. No receiver waits for another: a healthy endpoint has a few slots, a failing one
 * has one, all failing ones together have a share of the total, and so has each creator of workspaces.
 */

import type { Subscriptions } from "../../chat/events/subscriptions.ts"
import { type DueDelivery, listDue, readBodies } from "../../db/events/deliveries.ts"
import { createAmount, createCap } from "../../lib/caps.ts"
import { caps } from "../../lib/shares.ts"
import { openHeldJob } from "../holdJob.ts"
import { type AttemptDeps, attempt } from "./attempts.ts"
import { createDeliveryWatch, type WatchDeps } from "./deliveryWatch.ts"
import { handOut, newRound } from "./handOut.ts"
import { createSettling } from "./settling.ts"

type DeliveryOptions = Omit<AttemptDeps, "settle" | "subscriptions" | "watch"> & {
  metrics: WatchDeps["metrics"]
  subscriptions: Pick<Subscriptions, "isEmpty" | "changed">
  /** Identifies this process in claims. */
  processId: string
  /** Polling interval, half a second by default. */
  pollMs?: number
  /** How long a claim lasts when it is not renewed, 15 seconds by default. */
  claimSeconds?: number
}

export type RunningDeliveries = ReturnType<typeof runDeliveries>

const eventsAtOnce = 500
const perEndpoint = caps.deliveries.each.endpoint
/** An event may be some megabytes long; those larger than usual share a bounded amount of memory. */
const usualBytes = 64_000
/** Listed per endpoint: more than it has slots, because some may belong to a conversation that is busy. */
const lookedAt = 8
/** From the end of a delivery until its slot looks for the next one. */
const restMs = 50
const stopMs = 2_000

export function runDeliveries(options: DeliveryOptions) {
  const { db, log, subscriptions, processId: by, pollMs = 500, claimSeconds = 15 } = options
  const job = openHeldJob(db, { name: "deliver_events", by, seconds: claimSeconds })
  const settle = createSettling(db)
  const watch = createDeliveryWatch(options)
  const admit = createAdmission()
  const stopping = new AbortController()
  const underWay = new Map<string, { delivery: DueDelivery; done: Promise<void> }>()
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let round = Promise.resolve(0)

  const begin = ({ delivery, leave }: Admitted, body: string) => {
    const key = keyOf(delivery)
    const done = attempt({ ...options, settle, watch }, { ...delivery, body }, stopping.signal)
      .catch((error) => log.warn({ err: error }, "An attempt at a delivery was not stored"))
      .finally(() => {
        underWay.delete(key)
        leave()
        schedule(restMs)
      })
    underWay.set(key, { delivery, done })
  }
  /** Begins due deliveries. Returns the number under way, or 1 if events may be left. */
  const look = async () => {
    if (isStopping || subscriptions.isEmpty() || !(await job.hold())) {
      watch.forget()
      return 0
    }
    await watch.look()
    const turns = newRound()
    try {
      while (await handOut(db, eventsAtOnce, turns)) {
        if (isStopping) return 0
      }
      // Creators that had their turn may get more, after the deliveries due now.
      if (turns.done.size > 0) schedule(restMs)
    } catch (error) {
      // Events handed out before are delivered anyway.
      log.warn({ err: error }, "Events could not be handed out")
    }
    const present = [...underWay.values()].map(({ delivery }) => delivery)
    const room = roomBeside(present)
    const least = turns.done.size > 0 ? 1 : 0
    if (room.limit <= 0) return present.length
    const due = await listDue(db, room)
    const chosen = choose(due, present, admit)
    try {
      const bodies = await readBodies(
        db,
        chosen.map(({ delivery }) => delivery),
      )
      if (isStopping) return 0
      for (const each of chosen) {
        // It may have been deleted meanwhile, with its result or its endpoint.
        const body = bodies.get(each.delivery.id)
        if (body !== undefined) begin(each, body)
      }
      return Math.max(present.length + chosen.length, least)
    } finally {
      for (const { delivery, leave } of chosen) if (!underWay.has(keyOf(delivery))) leave()
    }
  }
  const poll = () => {
    round = round.then(look).catch((error) => {
      log.warn({ err: error }, "Deliveries could not be looked for")
      return 0
    })
    return round
  }
  let dueAt = Number.POSITIVE_INFINITY
  const schedule = (waitMs: number) => {
    const at = performance.now() + waitMs
    if (isStopping || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    timer = setTimeout(() => {
      dueAt = Number.POSITIVE_INFINITY
      void poll().finally(() => schedule(pollMs))
    }, waitMs).unref()
  }
  const allDone = () => Promise.all([...underWay.values()].map(({ done }) => done))
  schedule(pollMs)
  return {
    /** Hands out all events and makes attempts until no delivery is due; for tests. */
    async runDue() {
      while ((await poll()) > 0) await allDone()
      // Nothing is due: cancels the poll that the last delivery scheduled.
      clearTimeout(timer)
      dueAt = Number.POSITIVE_INFINITY
      schedule(pollMs)
    },
    /** Waits a moment for attempts under way, and gives up the rest, which another process repeats. */
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await round
      const late = setTimeout(() => stopping.abort(), stopMs)
      await allDone()
      clearTimeout(late)
      await job.release()
    },
  }
}

/** One delivery of a conversation to an endpoint is under way at a time. */
function keyOf({ endpointId, resultId }: DueDelivery): string {
  return `${endpointId} ${resultId}`
}

function roomBeside(present: readonly DueDelivery[]) {
  const counts = countByEndpoint(present)
  const busy = [...counts].filter(([, count]) => count >= perEndpoint).map(([id]) => id)
  const limit = caps.deliveries.places - present.length
  return { limit, perEndpoint: lookedAt, busy, underWay: present.map(keyOf) }
}

function countByEndpoint(deliveries: readonly DueDelivery[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { endpointId } of deliveries) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  return counts
}

/** A delivery that may begin, and the release of its slots. */
type Admitted = { delivery: DueDelivery; leave: () => void }

/** Counts deliveries in; undefined: there is no room for this one now. */
type Admit = (delivery: DueDelivery) => (() => void) | undefined

function createAdmission(): Admit {
  const enter = createCap("deliveries")
  const enterFailing = createCap("failingDeliveries")
  const hold = createAmount("largeDeliveries")
  return ({ endpointId: endpoint, creatorId: creator, isFailing, bytes }) => {
    const leaves: (() => void)[] = []
    const leave = () => {
      for (const each of leaves) each()
    }
    try {
      leaves.push(enter({ endpoint, creator }, isFull))
      if (isFailing) leaves.push(enterFailing({ endpoint, creator }, isFull))
    } catch {
      leave()
      return undefined
    }
    if (bytes <= usualBytes) return leave
    const give = hold(creator, bytes)
    if (give) leaves.push(give)
    else leave()
    return give && leave
  }
}

const isFull = () => new Error("No slot is free")

/** The deliveries that there are slots for, in order; of each conversation only the first. */
function choose(due: readonly DueDelivery[], present: readonly DueDelivery[], admit: Admit) {
  const counts = countByEndpoint(present)
  const keys = new Set(present.map(keyOf))
  return due.flatMap((delivery) => {
    const count = counts.get(delivery.endpointId) ?? 0
    const key = keyOf(delivery)
    if (keys.has(key) || (delivery.isFailing && count > 0)) return []
    const leave = admit(delivery)
    if (!leave) return []
    keys.add(key)
    counts.set(delivery.endpointId, count + 1)
    return [{ delivery, leave }]
  })
}
