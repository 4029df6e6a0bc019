/**
 * Finds what a public id runs: the published version, what may keep it from running, and an earlier
 * result.
 */
import type { TurnRows } from "../../engine/recorded/recordedTurn.ts"
import type { KeptVariable } from "../../engine/records.ts"
import type { Statement } from "../connection/hotQuery.ts"
import type { Db } from "../connection/openDatabase.ts"

/** Everything that the start of a chat needs, in one read. */
export type RunnableRow = {
  botId: string
  workspaceId: string
  /** Who created the workspace; null: not known. */
  creatorId: string | null
  name: string
  versionId: string
  publishedAt: Date
  /** The time of the database. */
  now: Date
  isClosed: boolean
  /** New chats are refused. */
  isSuspended: boolean
  /** New chats are refused, unless a count of chats said so by limits that have changed since. */
  isQuarantined: boolean
  /** The earlier result that was asked for, when it is one of this bot and not archived. */
  remembered: RememberedRow | null
}

/** A result that a new chat may continue. */
export type RememberedRow = {
  variables: KeptVariable[]
  /** The last one to each block, in order: others no longer count, and there may be any number of them. */
  answers: { blockId: string; content: string }[]
  /** The first free numbers. */
  nextAnswer: number
  nextStep: number
  /** The version that the earlier chat ran. */
  versionId: string
}

const columns = `b.id as "botId", b.workspace_id as "workspaceId", w.creator_id as "creatorId",
  b.name, p.version_id as "versionId",
  p.updated_at as "publishedAt", (b.is_closed or b.closed_reason is not null) as "isClosed",
  w.is_suspended as "isSuspended", w.is_quarantined as "isQuarantined", now() as now`

const tables = `from bots b
join published_bots p on p.bot_id = b.id
join workspaces w on w.id = b.workspace_id`

/** The read of a start. */
export const findRunnableStatement: Statement = {
  name: "find_runnable",
  isRead: true,
  text: `select ${columns}, null as remembered ${tables} where b.public_id = $1 and not b.is_archived`,
}

/** Any session that holds more is refused: it has at most a million characters. */
const maxAnswerBytes = 4_000_000

/** The read of a start that continues an earlier result. */
export const findRunnableWithResultStatement: Statement = {
  name: "find_runnable_with_result",
  isRead: true,
  text: `select ${columns}, case when r.result_id is null then null else jsonb_build_object(
    'variables', r.variables, 'versionId', r.version_id,
    'answers', coalesce((select jsonb_agg(jsonb_build_object('blockId', a.block_id,
      'content', a.content) order by a.idx) from (
        select last.*, sum(octet_length(content)) over (order by idx desc) as bytes from (
          select distinct on (block_id) block_id, content, idx from answers
          where result_id = $2 order by block_id, idx desc) last
      ) a where a.bytes <= ${maxAnswerBytes}), '[]'),
    'nextAnswer', coalesce((select max(a.idx) + 1 from answers a where a.result_id = $2), 0),
    'nextStep', coalesce((select max(s.step) + 1 from result_steps s where s.result_id = $2), 0)
  ) end as remembered
${tables}
left join results r on r.result_id = $2 and r.bot_id = b.id and not r.is_archived
where b.public_id = $1 and not b.is_archived`,
}

/** Finds what a public id runs. Returns undefined when no published bot has it. */
export async function findRunnable(
  db: Db,
  { publicId, resultId }: { publicId: string; resultId?: string | undefined },
): Promise<RunnableRow | undefined> {
  const rows =
    resultId === undefined
      ? await db.run<RunnableRow>(findRunnableStatement, [publicId])
      : await db.run<RunnableRow>(findRunnableWithResultStatement, [publicId, resultId])
  return rows[0]
}

/** Finds what a bot runs. Returns undefined when it is not published. */
export async function findRunnableBot(db: Db, botId: string): Promise<RunnableRow | undefined> {
  const text = `select ${columns}, null as remembered ${tables} where b.id = $1 and not b.is_archived`
  const rows = await db.run<RunnableRow>({ name: "find_runnable_bot", text }, [botId])
  return rows[0]
}

/**
 * Finds the version that a link enters in a live chat. Returns undefined when it may not be linked.
 */
export async function findLinkedVersion(
  db: Db,
  { botId, workspaceId }: { botId: string; workspaceId: string },
): Promise<string | undefined> {
  const text = `select p.version_id as "versionId" from bots b
join published_bots p on p.bot_id = b.id
where b.id = $1 and b.workspace_id = $2 and not b.is_archived`
  const values = [botId, workspaceId]
  const rows = await db.run<{ versionId: string }>({ name: "find_linked_version", text }, values)
  return rows[0]?.versionId
}

/** A version to prepare for running. */
type VersionToRun = {
  botId: string
  workspaceId: string
  creatorId: string | null
  schemaVersion: string
  /** JSON of the flow without its version. */
  payload: string
}

/** Finds a version with its flow. Returns undefined when it is gone. */
export async function findVersionToRun(db: Db, versionId: string) {
  const text = `select v.bot_id as "botId", b.workspace_id as "workspaceId",
  w.creator_id as "creatorId", v.schema_version as "schemaVersion", v.payload::text as payload
from bot_versions v join bots b on b.id = v.bot_id join workspaces w on w.id = b.workspace_id where v.id = $1`
  const rows = await db.run<VersionToRun>({ name: "find_version", text }, [versionId])
  return rows[0]
}

/** No turn has the fuel to print more. */
const maxHistoryBytes = 8_000_000

/** Finds the answers and steps of a result, in order. Returns undefined when they are too long. */
export async function findHistory(db: Db, resultId: string): Promise<TurnRows | undefined> {
  const text = `select case when bytes <= $2 then coalesce((
    select jsonb_agg(jsonb_build_object('createdAt', a.created_at, 'blockId', a.block_id,
      'content', a.content, 'attachedFileUrls', a.attached_file_urls, 'shown', a.shown) order by a.idx)
    from answers a where a.result_id = $1), '[]') end as answers,
  case when bytes <= $2 then coalesce((
    select jsonb_agg(jsonb_build_object('createdAt', s.created_at, 'shown', s.shown) order by s.step)
    from result_steps s where s.result_id = $1), '[]') end as steps
from (select
  (select coalesce(sum(octet_length(content) + coalesce(octet_length(attached_file_urls::text), 0) +
      coalesce(octet_length(shown::text), 0)), 0)
    from answers where result_id = $1) +
  (select coalesce(sum(octet_length(shown::text)), 0) from result_steps
    where result_id = $1) as bytes) measured`
  const values = [resultId, maxHistoryBytes]
  const [row] = await db.run<StoredHistory | Record<keyof StoredHistory, null>>(
    { name: "find_history", text },
    values,
  )
  if (!row || row.answers === null) return undefined
  const { answers, steps } = row
  return { answers: answers.map(timed), steps: steps.map(timed) }
}

/** Rows of `TurnRows`, with their times as JSON has them. */
type StoredHistory = { [Table in "answers" | "steps"]: InJson<TurnRows[Table][number]>[] }

type InJson<Row> = Omit<Row, "createdAt"> & { createdAt: string }

function timed<Row extends { createdAt: string }>({ createdAt, ...row }: Row) {
  return { ...row, createdAt: new Date(createdAt) }
}
