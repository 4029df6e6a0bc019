/** Reads and writes credentials, always within a workspace. */
import { type Selectable, sql } from "kysely"
import type { Db } from "./open.ts"
import type { CredentialsTable, MemberRole } from "./tables.ts"

/** A credential as it is stored, its data encrypted. */
export type CredentialRow = Selectable<CredentialsTable>

/** What is encrypted of a credential. */
export type SealedColumns = Pick<CredentialRow, "data" | "nonce" | "keyId">

/** A line of a list of credentials. */
export type ListedCredential = Pick<CredentialRow, "id" | "type" | "name">

/** Those of the given ids that name a credential of the workspace, in one statement. */
export async function listKnownCredentials(
  db: Db,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.kysely
    .selectFrom("credentials")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", ids)
    .execute()
  return rows.map(({ id }) => id)
}

/** The credentials of a workspace, newest first; of one type when that is given. */
export async function listCredentials(
  db: Db,
  { workspaceId, type }: { workspaceId: string; type?: string | undefined },
): Promise<ListedCredential[]> {
  return await db.kysely
    .selectFrom("credentials")
    .select(["id", "type", "name"])
    .where("workspaceId", "=", workspaceId)
    .$if(type !== undefined, (query) => query.where("type", "=", type as string))
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute()
}

/** A credential for use by a bot of the workspace; undefined: the workspace has none of that id. */
export async function findCredential(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
): Promise<(SealedColumns & Pick<CredentialRow, "type">) | undefined> {
  return await db.kysely
    .selectFrom("credentials")
    .select(["type", "data", "nonce", "keyId"])
    .where("id", "=", id)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
}

/** A credential and what the access rules ask of its workspace and one user. */
export type CredentialFacts = CredentialRow & {
  /** The user's role in the workspace; null: no member. */
  role: MemberRole | null
  /** Whether the workspace is suspended or past due. */
  isBlocked: boolean
}

/** A credential with the facts about its workspace; undefined: there is no such credential. */
export async function findCredentialFacts(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<CredentialFacts | undefined> {
  return await db.kysely
    .selectFrom("credentials")
    .innerJoin("workspaces", "workspaces.id", "credentials.workspaceId")
    .leftJoin("workspaceMembers", (join) =>
      join
        .onRef("workspaceMembers.workspaceId", "=", "credentials.workspaceId")
        .on("workspaceMembers.userId", "=", userId),
    )
    .where("credentials.id", "=", id)
    .selectAll("credentials")
    .select([
      "workspaceMembers.role",
      sql<boolean>`(workspaces.is_suspended or workspaces.is_past_due)`.as("isBlocked"),
    ])
    .executeTakeFirst()
}

/** Stores a new credential. */
export async function insertCredential(
  db: Db,
  credential: Omit<CredentialRow, "createdAt" | "updatedAt">,
): Promise<void> {
  await db.kysely.insertInto("credentials").values(credential).execute()
}

/** Changes name, data, or both. False: there is no such credential. */
export async function updateCredential(
  db: Db,
  id: string,
  changes: Partial<SealedColumns & Pick<CredentialRow, "name">>,
): Promise<boolean> {
  const result = await db.kysely
    .updateTable("credentials")
    .set({ ...changes, updatedAt: sql<Date>`now()` })
    .where("id", "=", id)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Replaces data that still has this nonce, so that a refreshed token never undoes a person's change. */
export async function replaceCredentialData(
  db: Db,
  { id, nonce }: { id: string; nonce: Buffer },
  sealed: SealedColumns,
): Promise<boolean> {
  const result = await db.kysely
    .updateTable("credentials")
    .set({ ...sealed, updatedAt: sql<Date>`now()` })
    .where("id", "=", id)
    .where("nonce", "=", nonce)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Removes a credential; flows that name it go on without. False: there was none. */
export async function deleteCredential(db: Db, id: string): Promise<boolean> {
  const result = await db.kysely.deleteFrom("credentials").where("id", "=", id).executeTakeFirst()
  return result.numDeletedRows > 0n
}
