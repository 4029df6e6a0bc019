/** Disables, enables and deletes the accounts of the service, for its operator. */
import { sql } from "kysely"
import { endPreviewsOfUser } from "../chats/previews.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"

/** Disables an account, or enables it again. Running previews of a disabled one end. */
export async function setDisabled(
  db: Db,
  { userId, isDisabled }: { userId: string; isDisabled: boolean },
): Promise<void> {
  await inTransaction(db, async (kysely) => {
    await kysely
      .updateTable("users")
      .set({ disabledAt: isDisabled ? sql<Date>`now()` : null, updatedAt: sql<Date>`now()` })
      .where("id", "=", userId)
      .execute()
    if (isDisabled) await endPreviewsOfUser({ kysely }, userId)
  })
}

/** Lists the ids of the tokens and sessions of a user, which processes remember for a while. */
export async function listEntryIds({ kysely }: Source, userId: string): Promise<string[]> {
  const tokens = kysely.selectFrom("apiTokens").select("id").where("ownerId", "=", userId)
  const sessions = kysely.selectFrom("userSessions").select("id").where("userId", "=", userId)
  const rows = await tokens.unionAll(sessions).execute()
  return rows.map(({ id }) => id)
}

/** A workspace that a deletion would leave without an ADMIN. */
type KeptWorkspace = { id: string; name: string }

/**
 * Deletes an account with its tokens, sessions and memberships, what waits for its address, and those of its
 * workspaces without other members or contents. Returns the workspaces that need another ADMIN, or
 * deletion, before: then nothing is deleted.
 */
export async function deleteAccount(
  db: Db,
  { id: userId, email }: { id: string; email: string },
): Promise<KeptWorkspace[]> {
  return await inTransaction(db, async (kysely) => {
    await sql`select id from users where id = ${userId} for update`.execute(kysely)
    const administered = kysely
      .selectFrom("workspaceMembers")
      .select("workspaceId")
      .where("userId", "=", userId)
      .where("role", "=", "ADMIN")
    // Locked, so that none gets another bot or loses its other ADMIN meanwhile.
    const workspaces = await kysely
      .selectFrom("workspaces")
      .select(["id", "name"])
      .where("id", "in", administered)
      .orderBy("id")
      .forUpdate()
      .execute()
    const kept: KeptWorkspace[] = []
    const empty: string[] = []
    for (const workspace of workspaces) {
      const { hasAdmin, isEmpty } = await factsOf({ kysely }, { workspaceId: workspace.id, userId })
      if (!hasAdmin && !isEmpty) kept.push(workspace)
      if (!hasAdmin && isEmpty) empty.push(workspace.id)
    }
    if (kept.length > 0) return kept
    if (empty.length > 0) await kysely.deleteFrom("workspaces").where("id", "in", empty).execute()
    await endPreviewsOfUser({ kysely }, userId)
    await kysely.deleteFrom("workspaceInvitations").where("email", "=", email).execute()
    await kysely.deleteFrom("botInvitations").where("email", "=", email).execute()
    await kysely.deleteFrom("signInCodes").where("email", "=", email).execute()
    await kysely.deleteFrom("users").where("id", "=", userId).execute()
    return []
  })
}

/** Whether a workspace has an ADMIN besides a user, and whether it has other people, bots or files. */
async function factsOf(
  { kysely }: Source,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<{ hasAdmin: boolean; isEmpty: boolean }> {
  const { rows } = await sql<{ hasAdmin: boolean; isEmpty: boolean }>`select
    exists (select from workspace_members m join users u on u.id = m.user_id
      where m.workspace_id = ${workspaceId} and m.user_id <> ${userId} and m.role = 'ADMIN'
        and u.disabled_at is null) as "hasAdmin",
    not exists (select from workspace_members where workspace_id = ${workspaceId}
        and user_id <> ${userId})
      and not exists (select from bots where workspace_id = ${workspaceId})
      and not exists (select from author_files where workspace_id = ${workspaceId}) as "isEmpty"`.execute(
    kysely,
  )
  return rows[0] ?? { hasAdmin: false, isEmpty: false }
}
