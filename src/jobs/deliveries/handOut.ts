/** Hands out events: each subscribed event becomes a body and a delivery per endpoint. */
import type { Db } from "../../db/connection/openDatabase.ts"
import { inTransaction } from "../../db/connection/transactions.ts"
import { listActiveEndpoints, type Subscription } from "../../db/events/endpoints.ts"
import {
  findEvents,
  insertDeliveries,
  listCreators,
  listPublicIds,
  type TakenEvent,
} from "../../db/events/outbox.ts"
import { newUuid } from "../../lib/ids.ts"

/** Bytes of events after which no more are taken: one may be megabytes long, a statement at most 256 MB. */
const maxBytes = 1_000_000

/** Max events and bytes of one creator before the others get their turn. */
const maxPerCreator = { events: 1_000, bytes: 2_000_000 }

/** One round: the creators of its events, and those that had their turn. */
export type Round = { taken: Map<string, { events: number; bytes: number }>; done: Set<string> }

/** Begins a round, in which each creator of workspaces has a turn. */
export function newRound(): Round {
  return { taken: new Map(), done: new Set() }
}

/**
 * Takes the oldest events, `limit` at most, and writes their deliveries, in one transaction. Leaves those of
 * creators who have had their turn in this round. Returns whether the round may have more.
 */
export async function handOut(db: Db, limit: number, round = newRound()): Promise<boolean> {
  const take = await findEvents(db, { limit, maxBytes, withoutCreators: [...round.done] })
  if (take === undefined) return false
  return await inTransaction(db, async (kysely) => {
    const events = await take({ kysely })
    if (events.length === 0) return false
    const workspaceIds = [...new Set(events.map(({ workspaceId }) => workspaceId))]
    count(round, events, await listCreators({ kysely }, workspaceIds))
    const endpoints = await listActiveEndpoints({ kysely }, workspaceIds)
    const publicIds = await listPublicIds({ kysely }, events)
    const handed = events.flatMap((event) => {
      const recipients = endpoints.filter((endpoint) => isWantedBy(endpoint, event))
      if (recipients.length === 0) return []
      const to = recipients.map(({ id: endpointId }) => ({ endpointId, id: newUuid() }))
      return { event, to, body: bodyOf(event, publicIds.get(event.botId)) }
    })
    if (handed.length > 0) await insertDeliveries({ kysely }, handed)
    const taken = events.reduce((sum, { bytes }) => sum + bytes, 0)
    return events.length === limit || taken >= maxBytes
  })
}

function count(
  { taken, done }: Round,
  events: readonly TakenEvent[],
  creators: ReadonlyMap<string, string>,
): void {
  for (const { workspaceId, bytes } of events) {
    const creator = creators.get(workspaceId) ?? workspaceId
    const before = taken.get(creator) ?? { events: 0, bytes: 0 }
    const now = { events: before.events + 1, bytes: before.bytes + bytes }
    taken.set(creator, now)
    if (now.events >= maxPerCreator.events || now.bytes >= maxPerCreator.bytes) done.add(creator)
  }
}

function isWantedBy({ workspaceId, types, botIds }: Subscription, event: TakenEvent): boolean {
  const isForBot = botIds === null || botIds.includes(event.botId)
  return workspaceId === event.workspaceId && isForBot && types.includes(event.type)
}

/** The body of an event, the same in every attempt. */
function bodyOf(event: TakenEvent, publicId: string | null | undefined): string {
  const { type, createdAt, workspaceId, botId, payload, sequence } = event
  return JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    data: {
      workspaceId,
      botId,
      ...(publicId && { publicId }),
      ...payload,
      ...(sequence !== null && { sequence }),
    },
  })
}
