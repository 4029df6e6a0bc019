/** Keeps the versions of a workspace within their quota of bytes. */
import { type RawBuilder, sql } from "kysely"
import { AppError } from "../../lib/errors.ts"
import type { Db } from "../connection/openDatabase.ts"

/** A version that was just written, in the same transaction. */
type NewcomerOf = { botId: string; versionId: string; maxBytes: number }

/**
 * Bytes of a version as it is stored, compressed, which the database knows without reading it. Each
 * counts for 4 kB at least, which bounds their number, too.
 */
const size = sql<number>`greatest(pg_column_size(v.payload), 4096)`

/** Max versions deleted to make room for one; more are never needed. */
const maxDeleted = 5_000

/**
 * Makes room for a version: deletes versions of the workspace that were never live, replaced drafts
 * before those kept on request and the oldest first, until the rest fits. Throws a 409, which undoes the
 * transaction, when the versions that were live leave no room.
 */
export async function makeRoom(db: Db, newcomer: NewcomerOf): Promise<void> {
  const { botId, versionId, maxBytes } = newcomer
  const workspace = sql`(select workspace_id from bots where id = ${botId})`
  // One at a time per workspace: new versions of several bots would not see each other. On a cluster, whose
  // nodes keep such locks each for itself, the version just written makes those of all others wait.
  await sql`select pg_advisory_xact_lock(hashtextextended('versions of ' || ${workspace}, 0))`.execute(
    db.kysely,
  )
  const used = await bytesOf(db, workspace)
  if (used <= maxBytes) return
  await deleteUnused(db, { workspace, versionId, excess: used - maxBytes })
  const left = await bytesOf(db, workspace)
  if (left <= maxBytes) return
  const data = { used: { bytes: left }, limit: { bytes: maxBytes } }
  throw new AppError("VERSIONS_FULL", full(left, maxBytes), { data })
}

async function bytesOf(db: Db, workspace: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(${size}), 0)::float8 as bytes
    from bots b join bot_versions v on v.bot_id = b.id
    where b.workspace_id = ${workspace}`.execute(db.kysely)
  return rows[0]?.bytes ?? 0
}

type Removal = { workspace: RawBuilder<unknown>; versionId: string; excess: number }

async function deleteUnused(db: Db, { workspace, versionId, excess }: Removal): Promise<void> {
  const { rows } = await sql<{ id: string; bytes: number }>`select v.id, ${size} as bytes
    from bots b join bot_versions v on v.bot_id = b.id
    where b.workspace_id = ${workspace} and v.origin <> 'publish' and v.id <> ${versionId}
      and not exists (select from published_bots where version_id = v.id)
      and not exists (select from publications where version_id = v.id)
    order by v.origin = 'keep', v.created_at, v.id limit ${sql.lit(maxDeleted)}`.execute(db.kysely)
  const ids: string[] = []
  let freed = 0
  for (const { id, bytes } of rows) {
    if (freed >= excess) break
    ids.push(id)
    freed += bytes
  }
  if (ids.length === 0) return
  await db.kysely
    .deleteFrom("botVersions")
    .where("id", "in", ids)
    // Checked again: one may have been published while this waited for its row.
    .where("origin", "<>", "publish")
    .execute()
}

function full(bytes: number, maxBytes: number): string {
  return (
    `The versions of a workspace may take ${megabytes(maxBytes)} MB; with this one they would take ` +
    `${megabytes(bytes)} MB. Those that were live stay, because chats run them: delete unused bots, ` +
    "whose versions are purged 30 days later, or raise PARLEY_VERSIONS_MB"
  )
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}
