/** Records changes in workspaces, and lists them. */
import { sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import type { Row } from "../schema/tables.ts"

/** A change to record: one UUIDv7 for the whole operation, and in `target` ids by what they name. */
type NewAuditEntry = Omit<Row<"auditLog">, "counts" | "createdAt"> & {
  counts?: Record<string, number> | undefined
}

/** Inserts an entry, or updates its target and counts when it was inserted before. */
export async function saveAuditEntry({ kysely }: Source, entry: NewAuditEntry): Promise<void> {
  const { target, counts, ...row } = entry
  await kysely
    .insertInto("auditLog")
    .values({
      ...row,
      target: JSON.stringify(target),
      counts: counts === undefined ? null : JSON.stringify(counts),
    })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet(({ ref }) => ({
        target: ref("excluded.target"),
        counts: ref("excluded.counts"),
      })),
    )
    .execute()
}

/** A change in a list; name and email are null when the account is gone. */
export type AuditEntry = Awaited<ReturnType<typeof listAuditEntries>>[number]

/** Lists changes in a workspace, newest first; before an id when one is given. */
export async function listAuditEntries(
  db: Db,
  asked: { workspaceId: string; before?: string | undefined; limit: number },
) {
  const { workspaceId, before, limit } = asked
  let query = db.kysely
    .selectFrom("auditLog as a")
    .leftJoin("users as u", "u.id", "a.userId")
    .select(["a.id", "a.operation", "a.target", "a.counts", "a.createdAt", "a.userId", "a.tokenId"])
    .select("a.isByOperator")
    .select(["u.name as userName", "u.email as userEmail"])
    .where("a.workspaceId", "=", workspaceId)
    .orderBy("a.id", "desc")
    .limit(limit)
  if (before !== undefined) query = query.where("a.id", "<", before)
  return await query.execute()
}

/** Lists what operators have decided, in one workspace or all of them, newest first; before an id when one is given. */
export async function listDecisions(
  { kysely }: Db,
  asked: { workspaceId?: string | undefined; before?: string | undefined; limit: number },
) {
  const { workspaceId, before, limit } = asked
  return await kysely
    .selectFrom("auditLog as a")
    .leftJoin("users as u", "u.id", "a.userId")
    .leftJoin("workspaces as w", "w.id", "a.workspaceId")
    .leftJoin("bots as b", (join) => join.on("b.id", "=", sql<string>`a.target ->> 'botId'`))
    .select(["a.id", "a.operation", "a.createdAt", "a.workspaceId", "a.userId"])
    .select(["u.name as userName", "u.email as userEmail", "w.name as workspaceName"])
    .select(["b.id as botId", sql<string | null>`left(b.name, 100)`.as("botName")])
    .where("a.isByOperator", "=", true)
    .$if(workspaceId !== undefined, (query) => query.where("a.workspaceId", "=", workspaceId ?? ""))
    .$if(before !== undefined, (query) => query.where("a.id", "<", before ?? ""))
    .orderBy("a.id", "desc")
    .limit(limit)
    .execute()
}
