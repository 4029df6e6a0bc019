/** Timers of open chats: which are due, and when to look again. */
import { sql } from "kysely"
import { failureOf } from "../connection/databaseFailures.ts"
import { readAnswering } from "../connection/nodes.ts"
import type { Db } from "../connection/openDatabase.ts"
import type { Row } from "../schema/tables.ts"
import type { ChatIds } from "./sessions.ts"

type TimedSession = Pick<
  Row<"chatSessions">,
  "botId" | "versionId" | "revision" | "state" | "updatedAt"
>

/** A timer that is due, with its session; null: that is gone. */
export type DueTimer = Row<"timers"> & {
  [member in keyof TimedSession]: TimedSession[member] | null
} & {
  isClaimed: boolean
  /** Whether the session has stopped accepting messages. */
  isExpired: boolean
  /** The database's clock. */
  now: Date
}

/** A timer that is due, without its session, which may hold a megabyte. */
export type ListedTimer = Row<"timers"> &
  Pick<DueTimer, "botId"> & {
    /** Who created the workspace of the bot, or the workspace itself; null: the session is gone. */
    creatorId: string | null
  }

/** Bots, and creators of workspaces, whose timers are left out. */
export type TimersLeftOut = { botIds: readonly string[]; creatorIds: readonly string[] }

type TimerListing = { limit: number; without: TimersLeftOut }

/**
 * Lists the timers that have been due longest, without those of some bots and creators. When a node of a
 * cluster does not answer, the timers of the others are listed.
 */
export async function listDueTimers(db: Db, listing: TimerListing): Promise<ListedTimer[]> {
  try {
    return await listAllDue(db, listing)
  } catch (error) {
    if (failureOf(error) !== "partial") throw error
    return await listAnsweringDue(db, listing)
  }
}

/** Max per shard, while the database cannot sort those of all shards. */
const maxPerShard = 100

async function listAnsweringDue(db: Db, { limit, without }: TimerListing): Promise<ListedTimer[]> {
  const timers = await readAnswering<Omit<ListedTimer, "dueAt" | "creatorId"> & { dueAt: string }>(
    db,
    ["timers", "chat_sessions"],
    `select t.result_id as "resultId", t.session_id as "sessionId", t.due_at as "dueAt",
  s.bot_id as "botId"
from %1$s t left join %2$s s on s.result_id = t.result_id and s.id = t.session_id
where t.due_at <= now() order by t.due_at limit ${maxPerShard}`,
  )
  const botIds = [...new Set(timers.flatMap(({ botId }) => botId ?? []))]
  const creators = await creatorsOf(db, botIds)
  return timers
    .map((timer) => ({
      ...timer,
      creatorId: creators.get(timer.botId ?? "") ?? null,
      dueAt: new Date(timer.dueAt),
    }))
    .filter(({ botId }) => !without.botIds.includes(botId ?? ""))
    .filter(({ creatorId }) => !without.creatorIds.includes(creatorId ?? ""))
    .sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
    .slice(0, limit)
}

/** Who created the workspaces of bots, by bot. */
async function creatorsOf(db: Db, botIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ botId: string; creatorId: string }>`
    select b.id as "botId", coalesce(w.creator_id, w.id) as "creatorId"
    from bots b join workspaces w on w.id = b.workspace_id
    where b.id = any(${botIds}::text[])`.execute(db.kysely)
  return new Map(rows.map(({ botId, creatorId }) => [botId, creatorId]))
}

async function listAllDue(db: Db, { limit, without }: TimerListing): Promise<ListedTimer[]> {
  const text = `select t.result_id as "resultId", t.session_id as "sessionId", t.due_at as "dueAt",
  s.bot_id as "botId", coalesce(w.creator_id, w.id) as "creatorId"
from timers t
left join chat_sessions s on s.result_id = t.result_id and s.id = t.session_id
left join bots b on b.id = s.bot_id
left join workspaces w on w.id = b.workspace_id
where t.due_at <= now() and coalesce(s.bot_id, '') <> all($2::text[])
  and coalesce(w.creator_id, w.id, '') <> all($3::text[])
order by t.due_at limit $1`
  const values = [limit, [...without.botIds], [...without.creatorIds]]
  return await db.run<ListedTimer>({ name: "list_due_timers", text }, values)
}

/** Finds a timer with its session. Returns undefined when it is no longer due. */
export async function findDueTimer(db: Db, { resultId, sessionId }: ChatIds) {
  const text = `select t.result_id as "resultId", t.session_id as "sessionId", t.due_at as "dueAt",
  s.bot_id as "botId", s.version_id as "versionId", s.revision, s.state,
  s.updated_at as "updatedAt", coalesce(s.claimed_until > now(), false) as "isClaimed",
  coalesce(s.expires_at < now(), false) as "isExpired", now() as now
from timers t
left join chat_sessions s on s.result_id = t.result_id and s.id = t.session_id
where t.due_at <= now() and t.result_id = $1 and t.session_id = $2`
  const [due] = await db.run<DueTimer>({ name: "find_due_timer", text }, [resultId, sessionId])
  return due
}

/** Postpones a timer, unless a turn has set it meanwhile. */
export async function postponeTimer(db: Db, timer: Row<"timers">, seconds: number) {
  const text = `update timers set due_at = now() + make_interval(secs => $4)
where result_id = $1 and session_id = $2 and due_at = $3`
  const { resultId, sessionId, dueAt } = timer
  await db.run({ name: "postpone_timer", text }, [resultId, sessionId, dueAt, seconds])
}

export async function deleteTimer(db: Db, { resultId, sessionId }: ChatIds): Promise<void> {
  const text = "delete from timers where result_id = $1 and session_id = $2"
  await db.run({ name: "delete_timer", text }, [resultId, sessionId])
}
