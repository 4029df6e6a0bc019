/** Copies of what results say, in one spelling: a job makes them, so that searches read little. */
import { sql } from "kysely"
import { batchSize } from "../../lib/batches.ts"
import { firstUuidAt } from "../../lib/ids.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { anyUuid } from "../schema/anyOf.ts"
import type { Row } from "../schema/tables.ts"
import { folded } from "./anySpelling.ts"
import type { ListingBounds, ResultFilter } from "./listing.ts"
import type { ResultAddress } from "./resultAddress.ts"

/** Finds the last result that has its row, if it has answers. Returns undefined when no job has run yet. */
export async function findTextsUntil({ kysely }: Source): Promise<string | undefined> {
  const row = await kysely.selectFrom("resultTextsUntil").select("until").executeTakeFirst()
  return row?.until
}

/**
 * Gives rows to the next results before an id, at most a batch. Returns the id after which they come;
 * undefined: there were none.
 */
export async function addTexts({ kysely }: Db, beforeId: string): Promise<string | undefined> {
  const after = (await findTextsUntil({ kysely })) ?? firstUuidAt(0)
  const inSpan = kysely.selectFrom("results").where("resultId", ">", after)
  const next = await inSpan
    .select("resultId")
    .where("resultId", "<", beforeId)
    .orderBy("resultId")
    .limit(batchSize)
    .execute()
  const until = next.at(-1)?.resultId
  if (until === undefined) return undefined
  const added = inSpan
    .select(["resultId", "botId"])
    .where("resultId", "<=", until)
    .where(sql<boolean>`has_started and not is_archived`)
  await kysely
    .insertInto("resultTexts")
    .columns(["resultId", "botId"])
    .expression(added)
    .onConflict((conflict) => conflict.column("resultId").doNothing())
    .execute()
  await kysely
    .insertInto("resultTextsUntil")
    .values({ until })
    .onConflict((conflict) => conflict.column("isOnly").doUpdateSet({ until }))
    .execute()
  return after
}

/** A row to fill, and the revision of the result that it is for. */
type DueText = Pick<Row<"resultTexts">, "resultId" | "revision">

/** Lists rows to fill after an id, at most a batch. */
export async function listDueTexts({ kysely }: Db, afterId: string): Promise<DueText[]> {
  return await kysely
    .selectFrom("resultTexts")
    .select(["resultId", "revision"])
    .where(sql<boolean>`is_due`)
    .where("resultId", ">", afterId)
    .orderBy("resultId")
    .limit(batchSize)
    .execute()
}

/** Bytes of texts of a result that are copied: a search reads longer ones where they are. */
export const maxCopied = 32_000

/**
 * Fills some rows, but those of results that have changed since they were listed; removes those of results
 * that are gone.
 */
export async function fillTexts({ kysely }: Db, due: readonly DueText[]): Promise<void> {
  const ids = anyUuid(due.map(({ resultId }) => resultId))
  const { rows } = await sql<{ resultId: string; texts: string[] | null }>`
    select result_id, case when octet_length(variables::text) + (
        select coalesce(sum(octet_length(content)), 0) from answers where answers.result_id = r.result_id
      ) <= ${sql.lit(maxCopied)}
      then array(select value #>> '{}' from jsonb_path_query(variables, '$[*].value[*]') as value)
        || array(select content from answers where answers.result_id = r.result_id) end as texts
    from results r where result_id = ${ids} and has_started and not is_archived`.execute(kysely)
  const texts = new Map(rows.map((row) => [row.resultId, row.texts]))
  const revisionsOf = (some: readonly DueText[]) => sql`(result_id, revision) in (
    select * from unnest(${some.map(({ resultId }) => resultId)}::uuid[],
      ${some.map(({ revision }) => revision)}::int[]))`
  const copies = [...texts].map(([id, all]) => [id, all && folded([...new Set(all)].join("\n"))])
  await sql`update result_texts set is_due = false,
      text = ${JSON.stringify(Object.fromEntries(copies))}::jsonb ->> result_id::text
    where ${revisionsOf(due.filter(({ resultId }) => texts.has(resultId)))}`.execute(kysely)
  await sql`delete from result_texts
    where ${revisionsOf(due.filter(({ resultId }) => !texts.has(resultId)))}`.execute(kysely)
}

/**
 * Voids the copies of some results, to be called in the transaction that deletes them, and before their
 * rows here go: a copy that is being made is then not stored.
 */
export async function voidTexts({ kysely }: Source, results: readonly ResultAddress[]) {
  // In one order: two calls must not wait for each other.
  const sorted = results.toSorted((one, other) => (one.resultId < other.resultId ? -1 : 1))
  await sql`insert into result_texts (result_id, bot_id)
    select * from unnest(${sorted.map(({ resultId }) => resultId)}::uuid[],
      ${sorted.map(({ botId }) => botId)}::text[])
    on conflict (result_id) do update set revision = result_texts.revision + 1`.execute(kysely)
}

/** Rows of this table that a statement reads at most: some milliseconds. */
const rowsPerStatement = 10_000

/**
 * Finds results that may hold the words of a filter, newest first: at most `limit`, among at most 10,000.
 * Their end is the newest that was not looked at; absent: these are all.
 */
export async function findByTexts(
  { kysely }: Db,
  { botId, fromId, beforeId, search }: ResultFilter & { search: string },
  { startAt, limit }: { startAt: string; limit: number },
): Promise<Pick<ListingBounds, "end" | "among">> {
  const inSpan = kysely
    .selectFrom("resultTexts")
    .select("resultId")
    .where("botId", "=", botId)
    .where("resultId", ">=", fromId)
    .where("resultId", "<", beforeId)
    .where("resultId", "<=", startAt)
    .orderBy("resultId", "desc")
  const far = await inSpan.offset(rowsPerStatement).limit(1).executeTakeFirst()
  const rows = await inSpan
    .where("resultId", ">", far?.resultId ?? firstUuidAt(0))
    .where(sql<boolean>`(text is null or strpos(text, ${folded(search)}) > 0)`)
    .limit(limit + 1)
    .execute()
  const found = rows.map(({ resultId }) => resultId)
  return { among: found.slice(0, limit), end: found[limit] ?? far?.resultId }
}

/**
 * Voids the copies of results that are gone, among at most 10,000 after one: processes of older versions
 * delete results without them. Returns how many, and the last that was looked at, if there are more.
 */
export async function voidLeftTexts({ kysely }: Db, afterId: string) {
  const last = await kysely
    .selectFrom("resultTexts")
    .select("resultId")
    .where("resultId", ">", afterId)
    .orderBy("resultId")
    .offset(rowsPerStatement - 1)
    .limit(1)
    .executeTakeFirst()
  let query = kysely
    .updateTable("resultTexts")
    .set(({ eb }) => ({ text: null, isDue: true, revision: eb("revision", "+", 1) }))
    .where("resultId", ">", afterId)
    .where(
      sql<boolean>`not exists (select from results r
        where r.result_id = result_texts.result_id and not r.is_archived)`,
    )
  if (last) query = query.where("resultId", "<=", last.resultId)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return { count: Number(numUpdatedRows), last: last?.resultId }
}
