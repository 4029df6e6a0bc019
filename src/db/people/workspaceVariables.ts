/** Reads and writes the variables of workspaces, secrets encrypted. */
import { sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import type { NewRow, Row } from "../schema/tables.ts"

/** Max per workspace. */
export const maxVariables = 200

/** A variable as it is stored: with a value, or encrypted. */
export type VariableRow = Row<"workspaceVariables">

type VariableAddress = Pick<VariableRow, "workspaceId" | "name">

/** The members that hold a value. */
export type StoredValue = Pick<VariableRow, "value" | "data" | "nonce" | "keyId">

/** Lists the variables of a workspace by name. */
export async function listVariables(db: Source, workspaceId: string): Promise<VariableRow[]> {
  return await db.kysely
    .selectFrom("workspaceVariables")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("name")
    .execute()
}

/** Lists the names of the variables of a workspace, and whether each is a secret. */
export async function listVariableNames(db: Source, workspaceId: string) {
  const rows = await db.kysely
    .selectFrom("workspaceVariables")
    .select(["name", sql<boolean>`value is null`.as("isSecret")])
    .where("workspaceId", "=", workspaceId)
    .execute()
  return new Map(rows.map(({ name, isSecret }) => [name, isSecret]))
}

export async function insertVariable(
  db: Source,
  variable: NewRow<"workspaceVariables">,
): Promise<VariableRow> {
  return await db.kysely
    .insertInto("workspaceVariables")
    .values(variable)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Replaces the value of a variable. Returns undefined when there is none. */
export async function updateVariable(
  db: Source,
  { workspaceId, name }: VariableAddress,
  value: StoredValue,
): Promise<VariableRow | undefined> {
  return await db.kysely
    .updateTable("workspaceVariables")
    .set({ ...value, updatedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("name", "=", name)
    .returningAll()
    .executeTakeFirst()
}

/** Replaces how a secret is encrypted, unless it was changed meanwhile. */
export async function resealVariable(
  db: Db,
  { workspaceId, name, nonce }: VariableAddress & { nonce: Buffer },
  sealed: Pick<VariableRow, "data" | "nonce" | "keyId">,
): Promise<void> {
  await db.kysely
    .updateTable("workspaceVariables")
    .set(sealed)
    .where("workspaceId", "=", workspaceId)
    .where("name", "=", name)
    .where("nonce", "=", nonce)
    .execute()
}

/** Returns false when there was none. */
export async function deleteVariable(
  db: Source,
  { workspaceId, name }: VariableAddress,
): Promise<boolean> {
  const result = await db.kysely
    .deleteFrom("workspaceVariables")
    .where("workspaceId", "=", workspaceId)
    .where("name", "=", name)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Returns a text per workspace that changes whenever its variables do; none for those without any. */
export async function variableVersions(
  { kysely }: Db,
  workspaceIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ workspaceId: string; version: string }>`
    select workspace_id as "workspaceId",
      md5(string_agg(name || ' ' || extract(epoch from updated_at), ',' order by name)) as version
    from workspace_variables where workspace_id = any(${workspaceIds})
    group by workspace_id`.execute(kysely)
  return new Map(rows.map(({ workspaceId, version }) => [workspaceId, version]))
}
