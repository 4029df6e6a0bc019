/**
 * Bounds the storage of handed-out events, in all and at a quarter of that for each creator of
 * workspaces. Deletes from the largest creator, oldest events with finished deliveries first. Deletes
 * pending deliveries only if there are no others, and logs a warning.
 */
import type { Db } from "../../db/connection/openDatabase.ts"
import {
  deleteStoredEvents,
  findMostRoom,
  listStoredEvents,
  recountRoom,
  type StoredEvent,
} from "../../db/events/storedEvents.ts"
import type { Log } from "../../telemetry/log.ts"

type Deps = { db: Db; log: Pick<Log, "warn">; maxDeliveriesBytes: number }

type Deleted = { events: number; unfinished: number }

/** Of the bound, for one creator. */
const share = 1 / 4
/** Fraction of the bound deleted at a time, and freed beyond the excess. */
const step = 1 / 50
const beforeAll = "00000000-0000-0000-0000-000000000000"

/** Deletes events beyond the bound. Returns their number, and that of pending deliveries among them. */
export async function limitDeliveries(
  { db, log, maxDeliveriesBytes: most }: Deps,
  signal: AbortSignal,
): Promise<Deleted> {
  const deleted: Deleted = { events: 0, unfinished: 0 }
  const unfinished = new Map<string, number>()
  try {
    await makeRoom(db, most, signal, (workspaceId, events, pending) => {
      deleted.events += events
      deleted.unfinished += pending
      if (pending > 0) unfinished.set(workspaceId, (unfinished.get(workspaceId) ?? 0) + pending)
    })
  } finally {
    for (const [workspaceId, deliveries] of unfinished) {
      log.warn(
        { workspaceId, deliveries },
        "Deliveries were deleted before they were made: they take more room than PARLEY_DELIVERIES_MB allows",
      )
    }
  }
  return deleted
}

/** The position in the events of a workspace, and whether it may have more finished ones. */
type Queue = { workspaceId: string; afterId: string; hasFinished: boolean }

type Count = (workspaceId: string, events: number, pending: number) => void

async function makeRoom(db: Db, most: number, signal: AbortSignal, count: Count): Promise<void> {
  /** Of workspaces that were recounted in this run: before, their tallies may be too high. */
  const queues = new Map<string, Queue>()
  for (;;) {
    const largest = await findMostRoom(db)
    if (largest === undefined || signal.aborted) return
    const { workspaceIds, bytes, allBytes } = largest
    const excess = bytes - most * share
    if (excess <= 0 && allBytes <= most) return
    const workspaceId =
      workspaceIds.find((id) => queues.get(id)?.hasFinished ?? true) ?? workspaceIds[0] ?? ""
    const queue = queues.get(workspaceId)
    if (queue === undefined) {
      await recountRoom(db, workspaceId)
      queues.set(workspaceId, { workspaceId, afterId: beforeAll, hasFinished: true })
      continue
    }
    let missing = Math.max(excess, 0) + most * step
    while (missing > 0 && !signal.aborted) {
      const freed = await deleteNext(db, queue, missing, count)
      if (freed === undefined) break
      missing -= freed
    }
    if (missing <= 0) continue
    // Newer events are left to the next run.
    if (!queue.hasFinished) return
    queue.hasFinished = false
    queue.afterId = beforeAll
  }
}

/**
 * Deletes the next events of a workspace, up to a batch and about `bytes`. Returns the bytes freed;
 * undefined: none are left.
 */
async function deleteNext(db: Db, queue: Queue, bytes: number, count: Count) {
  const { workspaceId, hasFinished: keepsPending } = queue
  const listed = await listStoredEvents(db, queue)
  if (listed.length === 0) return undefined
  const events: StoredEvent[] = []
  let chosenBytes = 0
  for (const event of listed) {
    if (chosenBytes >= bytes) break
    queue.afterId = event.id
    if (event.isPending && keepsPending) continue
    events.push(event)
    chosenBytes += event.bytes
  }
  if (events.length === 0) return 0
  const deleted = await deleteStoredEvents(db, workspaceId, { events, keepsPending })
  count(workspaceId, events.length, deleted.pending)
  return deleted.bytes
}
