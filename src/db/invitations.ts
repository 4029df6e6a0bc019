/** Reads and writes invitations into workspaces, and turns them into memberships. */
import { type Selectable, sql } from "kysely"
import type { Db } from "./open.ts"
import type { MemberRole, WorkspaceInvitationsTable } from "./tables.ts"

/** The database, or a transaction in it. */
type Source = Pick<Db, "kysely">

/** An invitation as it is stored. */
export type InvitationRow = Selectable<WorkspaceInvitationsTable>

/** Names an invitation; one of another workspace counts as none. */
export type InvitationAddress = { workspaceId: string; invitationId: string }

// Any number that no other lock of the service has.
const lockSpace = 7_305_119

/**
 * Keeps others until the end of the transaction from inviting a mail address or making its account:
 * neither would see what the other is about to write.
 */
export async function holdEmail(db: Source, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockSpace}, hashtext(${email}))`.execute(db.kysely)
}

/** The invitations into a workspace that wait, oldest first. */
export async function listInvitations(db: Source, workspaceId: string): Promise<InvitationRow[]> {
  return await db.kysely
    .selectFrom("workspaceInvitations")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute()
}

/** Finds an invitation; undefined: the workspace has no such one. */
export async function findInvitation(
  db: Source,
  { workspaceId, invitationId }: InvitationAddress,
): Promise<InvitationRow | undefined> {
  return await db.kysely
    .selectFrom("workspaceInvitations")
    .selectAll()
    .where("id", "=", invitationId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
}

/** Whether a workspace has invited a mail address that has no account yet. */
export async function isInvited(
  db: Source,
  { workspaceId, email }: Pick<InvitationRow, "workspaceId" | "email">,
): Promise<boolean> {
  const found = await db.kysely
    .selectFrom("workspaceInvitations")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .where("email", "=", email)
    .executeTakeFirst()
  return found !== undefined
}

/** Stores an invitation of a mail address that the workspace has not invited. */
export async function insertInvitation(
  db: Source,
  invitation: Pick<InvitationRow, "id" | "workspaceId" | "email" | "role">,
): Promise<InvitationRow> {
  return await db.kysely
    .insertInto("workspaceInvitations")
    .values(invitation)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Invites to another role; false: there is no such invitation any more. */
export async function updateInvitation(
  db: Source,
  { workspaceId, invitationId, role }: InvitationAddress & { role: MemberRole },
): Promise<boolean> {
  const result = await db.kysely
    .updateTable("workspaceInvitations")
    .set({ role, updatedAt: sql<Date>`now()` })
    .where("id", "=", invitationId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Takes an invitation back; false: there is no such invitation any more. */
export async function deleteInvitation(
  db: Source,
  { workspaceId, invitationId }: InvitationAddress,
): Promise<boolean> {
  const result = await db.kysely
    .deleteFrom("workspaceInvitations")
    .where("id", "=", invitationId)
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Makes a new user a member of every workspace that has invited their mail address. */
export async function acceptInvitations(
  db: Source,
  { id: userId, email }: { id: string; email: string },
): Promise<void> {
  // First the workspaces, in one order: whoever deletes one of them locks it first, too.
  await db.kysely
    .selectFrom("workspaces")
    .select("id")
    .where("id", "in", (query) =>
      query.selectFrom("workspaceInvitations").select("workspaceId").where("email", "=", email),
    )
    .orderBy("id")
    .forKeyShare()
    .execute()
  await sql`with accepted as (
      delete from workspace_invitations where email = ${email} returning workspace_id, role)
    insert into workspace_members (workspace_id, user_id, role)
    select workspace_id, ${userId}, role from accepted`.execute(db.kysely)
}
