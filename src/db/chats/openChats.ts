/** Counts the chats that still run a version. */
import { sql } from "kysely"
import type { Db } from "../connection/open.ts"
import { anyUuid } from "../schema/anyOf.ts"

/** Which chats to count: those of some versions of a bot, with this result id or a later one. */
type OpenChats = { botId: string; versionIds: readonly string[]; fromId: string }

/** Counts the chats that may still be continued, by version; versions without any are missing. */
export async function countOpenChats(db: Db, { botId, versionIds, fromId }: OpenChats) {
  // Through the results, which have an index by bot.
  const { rows } = await sql<{ versionId: string; count: number }>`
    select s.version_id as "versionId", count(*)::int as count
    from results r join chat_sessions s on s.result_id = r.result_id
    where r.bot_id = ${botId} and not r.is_archived and r.result_id >= ${fromId}
      and s.version_id = ${anyUuid(versionIds)}
    group by s.version_id`.execute(db.kysely)
  return new Map(rows.map(({ versionId, count }) => [versionId, count]))
}
