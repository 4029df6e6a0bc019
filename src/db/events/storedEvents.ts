/** The storage of handed-out events: tallies of workspaces, and deletions to make room. */
import { sql } from "kysely"
import { batchSize } from "../../lib/batches.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import { anyUuid } from "../schema/anyOf.ts"

/** Adds the size of new events to the tallies of their workspaces, in the transaction that stores them. */
export async function addToTallies(
  { kysely }: Source,
  events: readonly { workspaceId: string; bytes: number }[],
): Promise<void> {
  const sums = new Map<string, number>()
  for (const { workspaceId, bytes } of events) {
    sums.set(workspaceId, (sums.get(workspaceId) ?? 0) + bytes)
  }
  // In one order, so that two processes never wait for each other.
  const rows = [...sums].sort().map(([workspaceId, bytes]) => ({ workspaceId, bytes }))
  await kysely
    .insertInto("eventTallies")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("workspaceId").doUpdateSet({
        bytes: sql<number>`event_tallies.bytes + excluded.bytes`,
      }),
    )
    .execute()
}

/** The creator whose events are largest: their workspaces, largest first. */
type MostRoom = { workspaceIds: string[]; bytes: number; allBytes: number }

/** Finds the creator with the largest events. A deleted workspace counts as its own creator. */
export async function findMostRoom({ kysely }: Db): Promise<MostRoom | undefined> {
  const { rows } = await sql<MostRoom>`
    select array_agg(t.workspace_id order by t.bytes desc) as "workspaceIds",
      sum(t.bytes)::bigint as bytes, sum(sum(t.bytes)) over ()::bigint as "allBytes"
    from event_tallies t left join workspaces w on w.id = t.workspace_id
    group by coalesce(w.creator_id, t.workspace_id)
    order by bytes desc limit 1`.execute(kysely)
  return rows[0]
}

/** Recounts the events of a workspace, whose tally is too high once results were deleted. */
export async function recountRoom(db: Db, workspaceId: string): Promise<void> {
  await inTransaction(db, async (kysely) => {
    // Locks the row: additions wait for the count.
    await kysely
      .updateTable("eventTallies")
      .set({ bytes: 0 })
      .where("workspaceId", "=", workspaceId)
      .execute()
    const { bytes } = await kysely
      .selectFrom("eventBodies")
      .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as("bytes"))
      .where("workspaceId", "=", workspaceId)
      .executeTakeFirstOrThrow()
    await kysely
      .updateTable("eventTallies")
      .set({ bytes })
      .where("workspaceId", "=", workspaceId)
      .execute()
  })
}

/** An event that was handed out. */
export type StoredEvent = { id: string; resultId: string; bytes: number; isPending: boolean }

/** Lists events of a workspace from an id on, the oldest first, at most a batch. */
export async function listStoredEvents(
  { kysely }: Db,
  { workspaceId, afterId }: { workspaceId: string; afterId: string },
): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select b.id, b.result_id as "resultId", b.bytes,
      exists (select from deliveries d
        where d.result_id = b.result_id and d.event_id = b.id and d.state = 'pending') as "isPending"
    from event_bodies b
    where b.workspace_id = ${workspaceId} and b.id > ${afterId}::uuid
    order by b.id limit ${sql.lit(batchSize)}`.execute(kysely)
  return rows
}

/**
 * Deletes events of a workspace with their deliveries; `keepsPending` keeps those with a pending delivery,
 * as after a request to repeat it. Returns the bytes freed, and the number of pending deliveries deleted.
 */
export async function deleteStoredEvents(
  db: Db,
  workspaceId: string,
  { events, keepsPending }: { events: readonly StoredEvent[]; keepsPending: boolean },
): Promise<{ bytes: number; pending: number }> {
  const ids = events.map(({ id }) => id)
  const resultIds = events.map(({ resultId }) => resultId)
  const isOfThese = sql<boolean>`(result_id, event_id) in (
    select * from unnest(${resultIds}::uuid[], ${ids}::uuid[]))`
  return await inTransaction(db, async (kysely) => {
    const remove = async (isMeant: typeof isOfThese) => {
      const statement = kysely.deleteFrom("deliveries").where(isOfThese).where(isMeant)
      return Number((await statement.executeTakeFirst()).numDeletedRows)
    }
    await remove(sql<boolean>`state <> 'pending'`)
    const pending = keepsPending ? 0 : await remove(sql<boolean>`state = 'pending'`)
    const deleted = await kysely
      .deleteFrom("eventBodies")
      .where("id", "=", anyUuid(ids))
      .where(
        sql<boolean>`not exists (select from deliveries d
          where d.result_id = event_bodies.result_id and d.event_id = event_bodies.id)`,
      )
      .returning("bytes")
      .execute()
    const bytes = deleted.reduce((sum, row) => sum + (row.bytes ?? 0), 0)
    await kysely
      .updateTable("eventTallies")
      .set({ bytes: sql<number>`greatest(bytes - ${bytes}, 0)` })
      .where("workspaceId", "=", workspaceId)
      .execute()
    return { bytes, pending }
  })
}
