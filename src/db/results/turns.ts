/** Reads the stored turns of a result: the additions of each, by time. */
import { sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"
import { anyUuid } from "../schema/anyOf.ts"
import type { Row } from "../schema/tables.ts"

/** The answers of a result, and a step for each turn that left one, oldest first. */
type AnswersAndSteps = {
  answers: Omit<Row<"answers">, "idx">[]
  steps: Omit<Row<"resultSteps">, "step">[]
}

/** Everything that the turns of a result, and messages to it, have added, oldest first. */
export type StoredTurns = AnswersAndSteps & {
  logs: Row<"logs">[]
  /** What the bot did not hear: said while the chat was paused, or only to start it. */
  kept: Row<"keptMessages">[]
}

/** Lists those of some results whose bots are in the workspace of a bot, in the order given. */
export async function listBeside(
  { kysely }: Db,
  { botId, resultIds }: { botId: string; resultIds: readonly string[] },
): Promise<string[]> {
  if (resultIds.length === 0) return []
  const rows = await kysely
    .selectFrom("results")
    .innerJoin("bots", "bots.id", "results.botId")
    .select("resultId")
    .where("resultId", "=", anyUuid(resultIds))
    .where(
      "bots.workspaceId",
      "=",
      sql<string>`(select workspace_id from bots where id = ${botId})`,
    )
    .execute()
  const found = new Set(rows.map(({ resultId }) => resultId))
  return resultIds.filter((id) => found.has(id))
}

/** The usual start of what is read: all of it. */
const ever = new Date(0)

/** About how many bytes the turns of a result take in memory, from a moment on. */
export async function measureTurns(db: Db, resultId: string, since = ever): Promise<number> {
  const [sizes, { rows }] = await Promise.all([
    measureTurnsOf(db, [resultId], since),
    sql<{ bytes: number }>`
      select coalesce(sum(bytes), 0)::float8 as bytes from (
        select 200 + coalesce(octet_length(details), 0) as bytes
          from logs where result_id = ${resultId} and created_at >= ${since}
        union all
        select 200 + octet_length(message::text) from kept_messages
          where result_id = ${resultId} and created_at >= ${since}
      ) parts`.execute(db.kysely),
  ])
  return (sizes.get(resultId) ?? 0) + (rows[0]?.bytes ?? 0)
}

/** What many results have added, turn by turn, without logs and what was not heard. */
export type TurnsByResult = Map<string, AnswersAndSteps>

/** About how many bytes the answers and steps of some results take in memory, by result. */
export async function measureTurnsOf({ kysely }: Db, resultIds: readonly string[], since = ever) {
  const { rows } = await sql<{ id: string; bytes: number }>`
    select id, sum(bytes)::float8 as bytes from (
      select result_id as id,
          200 + octet_length(content) + coalesce(octet_length(attached_file_urls::text), 0) +
            coalesce(octet_length(shown::text), 0) as bytes
        from answers where result_id = ${anyUuid(resultIds)} and created_at >= ${since}
      union all
      select result_id,
          200 + octet_length(edge_ids::text) + coalesce(octet_length(set_variables::text), 0) +
            coalesce(octet_length(trace::text), 0) + coalesce(octet_length(shown::text), 0)
        from result_steps where result_id = ${anyUuid(resultIds)} and created_at >= ${since}
    ) parts group by id`.execute(kysely)
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** Reads the answers and steps of some results, in order. */
export async function findTurnsOf({ kysely }: Db, resultIds: readonly string[], since = ever) {
  const turns: TurnsByResult = new Map(resultIds.map((id) => [id, { answers: [], steps: [] }]))
  if (resultIds.length === 0) return turns
  const [answers, steps] = await Promise.all([
    kysely
      .selectFrom("answers")
      .select(["resultId", "createdAt", "blockId", "content", "attachedFileUrls", "shown"])
      .where("resultId", "=", anyUuid(resultIds))
      .where("createdAt", ">=", since)
      .orderBy("resultId")
      .orderBy("idx")
      .execute(),
    kysely
      .selectFrom("resultSteps")
      .select(["resultId", "createdAt", "edgeIds", "setVariables", "trace", "shown"])
      .where("resultId", "=", anyUuid(resultIds))
      .where("createdAt", ">=", since)
      .orderBy("resultId")
      .orderBy("step")
      .execute(),
  ])
  for (const row of answers) turns.get(row.resultId)?.answers.push(row)
  for (const row of steps) turns.get(row.resultId)?.steps.push(row)
  return turns
}

/** Reads the turns of a result, from a moment on. Rows of one turn have the same `createdAt`. */
export async function findTurns(db: Db, resultId: string, since = ever): Promise<StoredTurns> {
  const { kysely } = db
  const [turns, logs, kept] = await Promise.all([
    findTurnsOf(db, [resultId], since),
    kysely
      .selectFrom("logs")
      .selectAll()
      .where("resultId", "=", resultId)
      .where("createdAt", ">=", since)
      .orderBy("id")
      .execute(),
    kysely
      .selectFrom("keptMessages")
      .selectAll()
      .where("resultId", "=", resultId)
      .where("createdAt", ">=", since)
      .orderBy("id")
      .execute(),
  ])
  const { answers = [], steps = [] } = turns.get(resultId) ?? {}
  return { answers, steps, logs, kept }
}

/** The version that a result has come to before a moment. Returns undefined while it is that of its start. */
export async function findVersionBefore({ kysely }: Db, resultId: string, before: Date) {
  const { rows } = await sql<{ version: string }>`
    select trace->>'version' as version from result_steps
    where result_id = ${resultId} and created_at < ${before} and trace ? 'version'
    order by step desc limit 1`.execute(kysely)
  return rows[0]?.version
}
