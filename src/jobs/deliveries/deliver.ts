/**
 * Delivers events: hands them out to endpoints, and begins what is due in its order. One process does
 * it at a time. Slots are shared so that no receiver waits for another: an endpoint has a few, one that
 * fails a single one, and all that fail together a part of the whole.
 */
import type { Subscriptions } from "../../chat/events/subscriptions.ts"
import { type DueDelivery, listDue } from "../../db/events/deliveries.ts"
import { type HandOut, handOut, type TakenEvent } from "../../db/events/outbox.ts"
import { newUuid } from "../../ids.ts"
import { openHeldJob } from "../holdJob.ts"
import { type AttemptDeps, attempt } from "./attempts.ts"
import { openSettling } from "./settling.ts"

/** How deliveries are made. */
type DeliveryOptions = Omit<AttemptDeps, "settle" | "subscriptions"> & {
  subscriptions: Pick<Subscriptions, "isEmpty" | "changed">
  /** Identifies this process in claims. */
  processId: string
  /** Time between looks, half a second by default. */
  pollMs?: number
  /** How long a claim lasts when it is not renewed, 15 seconds by default. */
  claimSeconds?: number
}

export type RunningDeliveries = {
  /** Hands out what there is, attempts what is due until nothing is, and waits for it; for tests. */
  runDue(): Promise<void>
  /** Waits a moment for what is under way and gives the rest up: another process repeats it. */
  stop(): Promise<void>
}

const eventsAtOnce = 500
const mostUnderWay = 512
const mostFailingUnderWay = 128
const perEndpoint = 4
/** Of one endpoint more are looked at: some may belong to a conversation with one under way. */
const lookedAt = 8
/** Between a delivery that ends and the look for what it made room for. */
const restMs = 50
const stopMs = 2_000

/** Starts to deliver. */
export function runDeliveries(options: DeliveryOptions): RunningDeliveries {
  const { db, log, subscriptions, processId: by, pollMs = 500, claimSeconds = 15 } = options
  const job = openHeldJob({ db, name: "deliver_events", by, seconds: claimSeconds })
  const settle = openSettling(db)
  const stopping = new AbortController()
  const underWay = new Map<string, { delivery: DueDelivery; done: Promise<void> }>()
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let round = Promise.resolve(0)

  const begin = (delivery: DueDelivery) => {
    const key = keyOf(delivery)
    const done = attempt({ ...options, settle }, delivery, stopping.signal)
      .catch((error) => log.warn({ err: error }, "An attempt at a delivery was not stored"))
      .finally(() => {
        underWay.delete(key)
        schedule(restMs)
      })
    underWay.set(key, { delivery, done })
  }
  /** Returns how many deliveries are under way now. */
  const look = async () => {
    if (isStopping || subscriptions.isEmpty() || !(await job.hold())) return 0
    while ((await handOut(db, { limit: eventsAtOnce, deliveriesOf })) === eventsAtOnce) {
      if (isStopping) return 0
    }
    const present = [...underWay.values()].map(({ delivery }) => delivery)
    const room = roomBeside(present)
    if (room.limit <= 0) return present.length
    const chosen = choose(await listDue(db, room), present)
    if (!isStopping) for (const delivery of chosen) begin(delivery)
    return present.length + chosen.length
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
    async runDue() {
      while ((await poll()) > 0) await allDone()
      // Nothing is due: the looks after what has just ended would find whatever comes next.
      clearTimeout(timer)
      dueAt = Number.POSITIVE_INFINITY
      schedule(pollMs)
    },
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

const deliveriesOf: HandOut["deliveriesOf"] = (event, to) => {
  if (to.recipients.length === 0) return []
  const { id: eventId, resultId, type } = event
  const body = bodyOf(event, to.publicId)
  return to.recipients.map(({ id }) => {
    return { endpointId: id, id: newUuid(), eventId, resultId, type, body }
  })
}

/** What receivers get of an event: the same for every receiver and attempt. */
function bodyOf(event: TakenEvent, publicId: string | undefined): string {
  const { type, createdAt, workspaceId, botId, payload, sequence } = event
  return JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    data: {
      workspaceId,
      botId,
      ...(publicId !== undefined && { publicId }),
      ...payload,
      ...(sequence !== null && { sequence }),
    },
  })
}

/** One delivery of a conversation to an endpoint is under way at a time. */
function keyOf({ endpointId, resultId }: DueDelivery): string {
  return `${endpointId} ${resultId}`
}

function roomBeside(present: readonly DueDelivery[]) {
  const counts = countByEndpoint(present)
  const busy = [...counts].filter(([, count]) => count >= perEndpoint).map(([id]) => id)
  const limit = mostUnderWay - present.length
  return { limit, perEndpoint: lookedAt, busy, underWay: present.map(keyOf) }
}

function countByEndpoint(deliveries: readonly DueDelivery[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { endpointId } of deliveries) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
  return counts
}

/** Those that there are slots for, in their order, and of each conversation the first. */
function choose(due: readonly DueDelivery[], present: readonly DueDelivery[]): DueDelivery[] {
  const counts = countByEndpoint(present)
  const keys = new Set(present.map(keyOf))
  let failing = present.filter(({ isFailing }) => isFailing).length
  return due.filter((delivery) => {
    const { endpointId, isFailing } = delivery
    const key = keyOf(delivery)
    const count = counts.get(endpointId) ?? 0
    if (keys.has(key) || count >= (isFailing ? 1 : perEndpoint)) return false
    if (isFailing && failing >= mostFailingUnderWay) return false
    keys.add(key)
    counts.set(endpointId, count + 1)
    if (isFailing) failing += 1
    return true
  })
}
