/** Stores and reads the edits of drafts. */
import { type RawBuilder, type SqlBool, sql } from "kysely"
import type { Db } from "../connection/openDatabase.ts"
import { flowColumns } from "../schema/flowColumns.ts"
import type { Row } from "../schema/tables.ts"
import { type BotChange, laterMoment, nextRevision } from "./bots.ts"

/** A change at a place within JSON: a replacement, or an insertion before it. */
export type JsonChange = {
  path: readonly string[]
  kind: "set" | "insert" | "remove"
  /** The new value; absent: a removal. */
  value?: unknown
  /** The old value; absent: an insertion. */
  former?: unknown
}

/** The writes of an edit: columns, and changes within large ones. */
export type DraftColumns = BotChange & { within: { groups?: JsonChange[]; edges?: JsonChange[] } }

/** Changes a draft that is locked. */
export async function writeEdited(
  { kysely }: Db,
  botId: string,
  { within, events, groups, edges, variables, theme, settings, ...columns }: DraftColumns,
): Promise<StoredChange> {
  return await kysely
    .updateTable("bots")
    .set({
      ...columns,
      ...flowColumns({ events, groups, edges, variables, theme, settings }),
      ...(within.groups && { groups: changedWithin("groups", within.groups) }),
      ...(within.edges && { edges: changedWithin("edges", within.edges) }),
      revision: nextRevision,
      updatedAt: laterMoment,
    })
    .where("id", "=", botId)
    .returning(["revision", "updatedAt"])
    .executeTakeFirstOrThrow()
}

function changedWithin(column: "groups" | "edges", changes: readonly JsonChange[]) {
  return changes.reduce(
    (column, { kind, path, value }) => {
      if (kind === "remove") return sql<string>`${column} #- ${path}::text[]`
      const made = sql`${JSON.stringify(value)}::jsonb`
      return kind === "set"
        ? sql<string>`jsonb_set(${column}, ${path}::text[], ${made})`
        : sql<string>`jsonb_insert(${column}, ${path}::text[], ${made})`
    },
    sql<string>`${sql.ref(column)}`,
  )
}

/**
 * An edit to store. Its revision is that of the draft after it, its target the one that an undo or redo takes
 * back; without an author it cannot be undone.
 */
export type NewEdit = Pick<
  Row<"botEdits">,
  "botId" | "revision" | "kind" | "target" | "authorId"
> & {
  changeId?: string | undefined
  edits: readonly unknown[]
  inverses: readonly unknown[]
  elements: readonly string[]
  /** Absent: now. */
  createdAt?: Date
}

/** As much is kept of each bot, however fast its authors edit; compressed it takes a fraction of that. */
export const maxEdits = 10_000
const maxBytes = 64 * 1024 * 1024

/** Edits up to this size are not summed: all that are kept take little more. */
const smallBytes = 8 * 1024

/** Stores an edit, in the transaction that changes the draft, and forgets the oldest beyond the bounds. */
export async function insertEdit(db: Db, made: NewEdit): Promise<void> {
  const { edits, inverses, elements, changeId, ...row } = made
  const texts = {
    edits: JSON.stringify(edits),
    inverses: JSON.stringify(inverses),
    elements: JSON.stringify(elements),
  }
  const bytes = Buffer.byteLength(texts.edits + texts.inverses + texts.elements)
  await db.kysely
    .insertInto("botEdits")
    .values({ ...row, changeId: changeId ?? null, ...texts, bytes })
    .execute()
  const last = Math.max(
    made.revision - maxEdits,
    bytes > smallBytes ? await findLastBeyondBytes(db, made.botId) : 0,
  )
  await db.kysely
    .deleteFrom("botEdits")
    .where("botId", "=", made.botId)
    .where("revision", "<=", last)
    .execute()
}

/** The revision of the last edit before those that fit into the bytes that a bot may have; 0: all fit. */
async function findLastBeyondBytes({ kysely }: Db, botId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`select coalesce(max(revision), 0) as last from (
    select revision, sum(bytes) over (order by revision desc) as bytes
    from bot_edits where bot_id = ${botId}) as e
    where bytes > ${sql.lit(maxBytes)}`.execute(kysely)
  return rows[0]?.last ?? 0
}

export type StoredChange = { revision: number; updatedAt: Date }

/** Finds the result of an earlier request with this id. Returns undefined when there was none. */
export async function findChange(
  { kysely }: Db,
  { botId, changeId }: { botId: string; changeId: string },
): Promise<StoredChange | undefined> {
  return await kysely
    .selectFrom("botEdits")
    .select(["revision", "createdAt as updatedAt"])
    .where("botId", "=", botId)
    .where("changeId", "=", changeId)
    .executeTakeFirst()
}

/** An edit in a list, with the first elements it touched; no author = account gone. */
export type ListedEdit = Awaited<ReturnType<typeof listEdits>>[number]

/** Max elements listed per edit, which may touch thousands. */
export const maxListed = 100

/** Lists edits, newest first; absent `before`: from the last on. */
export async function listEdits(
  { kysely }: Db,
  { botId, before, limit }: { botId: string; before?: number | undefined; limit: number },
) {
  const path = `$[0 to ${maxListed - 1}]`
  const first = sql<string[]>`jsonb_path_query_array(e.elements, ${path}::jsonpath)`
  let query = kysely
    .selectFrom("botEdits as e")
    .leftJoin("users as u", "u.id", "e.authorId")
    .select(["e.revision", "e.kind", "e.target", first.as("elements"), "e.createdAt"])
    .select(["u.id as authorId", "u.name as authorName", "u.email as authorEmail"])
    .where("e.botId", "=", botId)
    .orderBy("e.revision", "desc")
    .limit(limit)
  if (before !== undefined) query = query.where("e.revision", "<", before)
  return await query.execute()
}

/** An edit after a revision, and its author. */
export type LaterEdit = Awaited<ReturnType<typeof listLaterEdits>>[number]

/** Lists the edits after a revision, newest first. */
export async function listLaterEdits(
  { kysely }: Db,
  { botId, after, limit }: { botId: string; after: number; limit: number },
) {
  return await kysely
    .selectFrom("botEdits")
    .select(["revision", "target", "authorId"])
    .where("botId", "=", botId)
    .where("revision", ">", after)
    .orderBy("revision", "desc")
    .limit(limit)
    .execute()
}

/** An edit that conflicts with another, the elements that both touch, and its author if there still is one. */
export type Obstacle = {
  elements: string[]
  author: { id: string; name: string | null; email: string } | null
  createdAt: Date
}

/** Max elements of one obstacle. */
const maxNamed = 50

/** Finds the last of some edits that touched one of these elements. Returns undefined when none did. */
export async function findObstacle(
  { kysely }: Db,
  edits: { botId: string; revisions: readonly number[] },
  elements: readonly string[],
): Promise<Obstacle | undefined> {
  const { botId, revisions } = edits
  if (revisions.length === 0 || elements.length === 0) return undefined
  const { rows } = await sql<Obstacle>`select e.created_at as "createdAt",
      case when u.id is not null
        then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as author,
      array(select each from jsonb_array_elements_text(e.elements) as each
        where each = any(${elements}::text[]) limit ${sql.lit(maxNamed)}) as elements
    from bot_edits e left join users u on u.id = e.author_id
    where e.bot_id = ${botId} and e.revision = any(${revisions}::int[])
      and e.elements ?| ${elements}::text[]
    order by e.revision desc limit 1`.execute(kysely)
  return rows[0]
}

/** An edit that can be taken back. */
export type Reversible = { revision: number; inverses: unknown[] }

/** The edit to undo: its bot and author. */
type Author = { botId: string; authorId: string }

/** Finds the author's last edit that is not undone. Returns undefined when there is none. */
export async function findUndoable(db: Db, author: Author): Promise<Reversible | undefined> {
  return await findLast(db, author, {
    is: sql<SqlBool>`e.kind <> 'undo'`,
    unless: sql<SqlBool>`l.kind = 'undo' and l.target = e.revision`,
  })
}

/**
 * Finds the author's last undo that is not redone and after which the author edited nothing else. Returns
 * undefined when there is none.
 */
export async function findRedoable(db: Db, author: Author): Promise<Reversible | undefined> {
  return await findLast(db, author, {
    is: sql<SqlBool>`e.kind = 'undo'`,
    unless: sql<SqlBool>`l.kind = 'edit' or l.kind = 'redo' and l.target = e.revision`,
  })
}

/** The last edit `e` of an author for which `is` holds, and `unless` for no later edit `l` of that author. */
async function findLast(
  { kysely }: Db,
  { botId, authorId }: Author,
  { is, unless }: { is: RawBuilder<SqlBool>; unless: RawBuilder<SqlBool> },
): Promise<Reversible | undefined> {
  return await kysely
    .selectFrom("botEdits as e")
    .select(["e.revision", "e.inverses"])
    .where("e.botId", "=", botId)
    .where("e.authorId", "=", authorId)
    .where(is)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("botEdits as l")
            .select("l.revision")
            .where("l.botId", "=", botId)
            .where("l.authorId", "=", authorId)
            .whereRef("l.revision", ">", "e.revision")
            .where(sql<SqlBool>`(${unless})`),
        ),
      ),
    )
    .orderBy("e.revision", "desc")
    .limit(1)
    .executeTakeFirst()
}
