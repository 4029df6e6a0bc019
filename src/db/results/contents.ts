/** Measures results, and reads their answers. */
import { sql } from "kysely"
import { groupBy } from "../../lib/groupBy.ts"
import { maxBytes } from "../../lib/responseSize.ts"
import type { Db } from "../connection/openDatabase.ts"
import { anyUuid } from "../schema/anyOf.ts"
import type { Row } from "../schema/tables.ts"

/** An answer in a result. */
export type StoredAnswer = Pick<
  Row<"answers">,
  "resultId" | "blockId" | "content" | "attachedFileUrls"
>

/** Contents of a result: number of answers, time of the last one, and bytes with its variables. */
export type ResultSize = { answers: number; lastAnswerAt: Date | null; bytes: number }

/** Approximate overhead of an answer beside its texts: mainly the names of its input. */
const bytesBeside = 300

/** Measures results, by their ids. */
export async function measureResults(db: Db, resultIds: readonly string[]) {
  const { rows } = await sql<ResultSize & { id: string }>`
    select r.result_id as id, count(a.idx) as answers, max(a.created_at) as "lastAnswerAt",
      (octet_length(r.variables::text) + coalesce(sum(${sql.lit(bytesBeside)} +
        octet_length(a.content) + octet_length(a.block_id) +
        coalesce(octet_length(a.attached_file_urls::text), 0)) filter (where a.idx is not null), 0)
      )::float8 as bytes
    from results r left join answers a
      on a.result_id = r.result_id and a.result_id = ${anyUuid(resultIds)}
    where r.result_id = ${anyUuid(resultIds)}
    group by r.result_id`.execute(db.kysely)
  return new Map(rows.map(({ id, ...size }) => [id, size]))
}

/** No client creates an id that long. */
const maxIdLength = 1_000
/** Visitors can give a bot that loops any number of answers. */
const maxAnswers = 10_000
/** Characters that are kept of each answer, at least, when those of a result are too long together. */
const minCharacters = 200

/**
 * Reads the answers of results, by result, in the order in which they were given. Of a result with more
 * than `maxBytes`, long answers are cut, and the last of very many are missing.
 */
export async function answersByResult(
  db: Db,
  sizes: ReadonlyMap<string, ResultSize>,
): Promise<Map<string, StoredAnswer[]>> {
  if (sizes.size === 0) return new Map()
  const isLarge = ({ answers, bytes }: ResultSize) => bytes > maxBytes || answers > maxAnswers
  const large = [...sizes].filter(([, size]) => isLarge(size))
  const others = [...sizes].filter(([, size]) => !isLarge(size)).map(([id]) => id)
  const answers = await answersOf(db, others).execute()
  for (const [id, { answers: count }] of large) {
    const most = Math.max(minCharacters, Math.floor(maxBytes / 4 / Math.min(count, maxAnswers)))
    const rows = await answersOf(db, [id])
      .clearSelect()
      .select("resultId")
      .select([
        sql<string>`left(block_id, ${maxIdLength})`.as("blockId"),
        sql<string[] | null>`case when octet_length(attached_file_urls::text) <= ${most}
        then attached_file_urls end`.as("attachedFileUrls"),
        sql<string>`case when length(content) > ${most}
        then left(content, ${most}) || '…' else content end`.as("content"),
      ])
      .limit(maxAnswers)
      .execute()
    answers.push(...rows)
  }
  return groupBy(answers, ({ resultId }) => resultId)
}

function answersOf(db: Db, resultIds: readonly string[]) {
  return db.kysely
    .selectFrom("answers")
    .select(["resultId", "blockId", "content", "attachedFileUrls"])
    .where("resultId", "=", anyUuid(resultIds))
    .orderBy("resultId")
    .orderBy("idx")
}
