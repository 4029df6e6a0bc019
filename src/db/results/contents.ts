/** What results hold: how much, and their answers. */
import { type Selectable, sql } from "kysely"
import { groupBy } from "../../engine/groupBy.ts"
import type { Db } from "../connection/open.ts"
import type { AnswersTable } from "../schema/hotTables.ts"

/** An answer in a result. */
export type StoredAnswer = Pick<
  Selectable<AnswersTable>,
  "resultId" | "blockId" | "content" | "attachedFileUrls"
>

/** What a result holds: how many answers, and bytes together with its variables. */
export type ResultSize = { answers: number; bytes: number }

/** About what a page takes in memory, however much its results hold. */
export const mostBytes = 16_000_000

/** Measures results, by their ids. */
export async function measureResults(
  db: Db,
  resultIds: readonly string[],
): Promise<Map<string, ResultSize>> {
  const { rows } = await sql<ResultSize & { id: string }>`
    select r.result_id as id, count(a.idx) as answers,
      (octet_length(r.variables::text) + coalesce(sum(octet_length(a.content)), 0))::float8 as bytes
    from results r left join answers a
      on a.result_id = r.result_id and a.result_id = any(${[...resultIds]}::uuid[])
    where r.result_id = any(${[...resultIds]}::uuid[])
    group by r.result_id`.execute(db.kysely)
  return new Map(rows.map(({ id, ...size }) => [id, size]))
}

/** Anybody can give a bot that loops as many answers as they like. */
const mostAnswers = 10_000
/** What is left of each answer, at least, where those of one result are too long together. */
const leastCharacters = 200

/**
 * The answers of several results by result, in the order in which they were given. Where one result
 * has more than `mostBytes`, long answers are cut, and the last of very many are missing.
 */
export async function answersByResult(
  db: Db,
  sizes: ReadonlyMap<string, ResultSize>,
): Promise<Map<string, StoredAnswer[]>> {
  if (sizes.size === 0) return new Map()
  const isLarge = ({ answers, bytes }: ResultSize) => bytes > mostBytes || answers > mostAnswers
  const large = [...sizes].filter(([, size]) => isLarge(size))
  const others = [...sizes].filter(([, size]) => !isLarge(size)).map(([id]) => id)
  const answers = await answersOf(db, others).execute()
  for (const [id, { answers: count }] of large) {
    const most = Math.max(leastCharacters, Math.floor(mostBytes / 4 / Math.min(count, mostAnswers)))
    const rows = await answersOf(db, [id])
      .clearSelect()
      .select(["resultId", "blockId", "attachedFileUrls"])
      .select(
        sql<string>`case when length(content) > ${most}
        then left(content, ${most}) || '…' else content end`.as("content"),
      )
      .limit(mostAnswers)
      .execute()
    answers.push(...rows)
  }
  return groupBy(answers, ({ resultId }) => resultId)
}

function answersOf(db: Db, resultIds: readonly string[]) {
  return db.kysely
    .selectFrom("answers")
    .select(["resultId", "blockId", "content", "attachedFileUrls"])
    .where("resultId", "=", sql<string>`any(${[...resultIds]}::uuid[])`)
    .orderBy("resultId")
    .orderBy("idx")
}
