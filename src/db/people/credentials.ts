/** Reads and writes credentials, always of one workspace or of one user. */
import { sql } from "kysely"
import type { IdsInWorkspace } from "../bots/bots.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { NewRow, Row } from "../schema/tables.ts"

/** Max per workspace, and per account. */
export const maxCredentials = 1_000

/** A credential as it is stored, its data encrypted. */
type CredentialRow = Row<"credentials">

/** The encrypted part of a credential. */
type SealedColumns = Pick<CredentialRow, "data" | "nonce" | "keyId">

export type CredentialOwner = { workspaceId: string } | { userId: string }

/**
 * Returns those of the given ids that belong to credentials of the workspace, with the hosts that each may
 * be sent to besides its provider's.
 */
export async function listKnownCredentials(
  db: Source,
  { workspaceId, ids }: IdsInWorkspace,
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom("credentials")
    .select(["id", "allowedHosts"])
    .where("workspaceId", "=", workspaceId)
    .where("id", "in", ids)
    .execute()
  return new Map(rows.map(({ id, allowedHosts }) => [id, allowedHosts]))
}

/** Lists the credentials of an owner, newest first, of one type if that is given. */
export async function listCredentials(db: Db, owner: CredentialOwner, type?: string) {
  return await ownedBy(db, owner)
    .select(["c.id", "c.type", "c.name", "c.allowedHosts"])
    .$if(type !== undefined, (query) => query.where("c.type", "=", type as string))
    .orderBy("c.createdAt", "desc")
    .orderBy("c.id", "desc")
    .execute()
}

export async function countCredentials(db: Source, owner: CredentialOwner): Promise<number> {
  const { count } = await ownedBy(db, owner)
    .select(sql<string>`count(*)`.as("count"))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function ownedBy({ kysely }: Source, owner: CredentialOwner) {
  return "userId" in owner
    ? kysely.selectFrom("userCredentials as c").where("c.userId", "=", owner.userId)
    : kysely.selectFrom("credentials as c").where("c.workspaceId", "=", owner.workspaceId)
}

/** Finds a credential for a bot of the workspace. Returns undefined when the workspace has none. */
export async function findCredential(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: string },
) {
  return await db.kysely
    .selectFrom("credentials")
    .select(["type", "name", "allowedHosts", "data", "nonce", "keyId"])
    .where("id", "=", id)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
}

/** A credential, and the facts for the access rules about its owner and one user. */
export type CredentialFacts = NonNullable<Awaited<ReturnType<typeof findCredentialFacts>>>

type AskedCredential = { id: string; userId: string }

/**
 * Finds a credential of this user, or of any workspace with the facts about it. Returns undefined
 * when there is no such credential, or it is another user's.
 */
export async function findCredentialFacts(db: Source, { id, userId }: AskedCredential) {
  const own = await db.kysely
    .selectFrom("userCredentials")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .selectAll()
    .executeTakeFirst()
  if (own) return { ...own, scope: "user" as const }
  const found = await db.kysely
    .selectFrom("credentials")
    .innerJoin("workspaces", "workspaces.id", "credentials.workspaceId")
    .leftJoin("workspaceMembers as m", (join) =>
      join.onRef("m.workspaceId", "=", "credentials.workspaceId").on("m.userId", "=", userId),
    )
    .where("credentials.id", "=", id)
    .selectAll("credentials")
    .select([
      // Null: the user is not a member of the workspace.
      "m.role",
      sql<boolean>`(workspaces.is_suspended or workspaces.is_past_due)`.as("isBlocked"),
    ])
    .executeTakeFirst()
  return found && { ...found, scope: "workspace" as const }
}

/**
 * Runs a change to a credential in a transaction. Changes to one credential run one after the other; each
 * sees what the one before has written.
 */
export async function withCredential<Result>(
  db: Db,
  asked: AskedCredential,
  change: (locked: Source, facts: CredentialFacts | undefined) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(db, async (kysely) => {
    for (const table of Object.values(tables)) {
      await kysely.selectFrom(table).select("id").where("id", "=", asked.id).forUpdate().execute()
    }
    // In a statement of its own: one that waits for a lock sees the state from before it.
    return await change({ kysely }, await findCredentialFacts({ kysely }, asked))
  })
}

type NewCredential = Omit<NewRow<"credentials">, "workspaceId">

export async function insertCredential(
  { kysely }: Source,
  credential: NewCredential & CredentialOwner,
): Promise<void> {
  const insert =
    "userId" in credential
      ? kysely.insertInto("userCredentials").values(credential)
      : kysely.insertInto("credentials").values(credential)
  await insert.execute()
}

/** Which credential, and whose: for the bots of a workspace, or for one user and for no bot. */
type CredentialPlace = { id: string } & (
  | { scope: "workspace"; workspaceId: string }
  | { scope: "user"; userId: string }
)

export async function updateCredential(
  db: Source,
  place: CredentialPlace,
  changes: Partial<SealedColumns & Pick<CredentialRow, "name" | "allowedHosts">>,
): Promise<void> {
  await db.kysely
    .updateTable(tables[place.scope])
    .set({ ...changes, updatedAt: sql<Date>`now()` })
    .where("id", "=", place.id)
    .where(ownedIn(place))
    .execute()
}

const tables = { workspace: "credentials", user: "userCredentials" } as const

function ownedIn(place: CredentialPlace) {
  return place.scope === "user"
    ? sql<boolean>`user_id = ${place.userId}`
    : sql<boolean>`workspace_id = ${place.workspaceId}`
}

/**
 * Replaces data that still has this nonce, so that a refreshed token never undoes a person's
 * change.
 */
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

/** Deletes a credential; flows that name it run without it. Returns false when there was none. */
export async function deleteCredential(db: Db, place: CredentialPlace): Promise<boolean> {
  const result = await db.kysely
    .deleteFrom(tables[place.scope])
    .where("id", "=", place.id)
    .where(ownedIn(place))
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
