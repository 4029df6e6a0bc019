/** Reads and writes invitations to workspaces, for those who invite and those who are invited. */
import { sql } from "kysely"
import type { Source } from "../connection/open.ts"
import type { MemberRole, Row } from "../schema/tables.ts"

/** An invitation as it is stored. */
export type InvitationRow = Row<"workspaceInvitations">

/** Names an invitation of this workspace. */
type InvitationAddress = { workspaceId: string; invitationId: string }

/** Lists the pending invitations to a workspace, oldest first. */
export async function listInvitations(db: Source, workspaceId: string): Promise<InvitationRow[]> {
  return await db.kysely
    .selectFrom("workspaceInvitations")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .orderBy("createdAt")
    .orderBy("id")
    .execute()
}

/** Finds an invitation. Returns undefined when the workspace has no such invitation. */
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

/** Whether a workspace has invited an email address. */
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

/** Stores an invitation of an email address that the workspace has not invited yet. */
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

/** Changes the role of an invitation. Returns false when it no longer exists. */
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

/** Withdraws an invitation. Returns false when it no longer exists. */
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

/** An invitation as the invited person sees it. */
export type OwnInvitation = Omit<InvitationRow, "email"> & {
  workspace: { name: string; icon: string | null }
}

/** Lists the invitations of an email address, newest first, at most `limit`. */
export async function listOwnInvitations(
  db: Source,
  { email, limit }: { email: string; limit: number },
): Promise<OwnInvitation[]> {
  const rows = await db.kysely
    .selectFrom("workspaceInvitations as i")
    .innerJoin("workspaces as w", "w.id", "i.workspaceId")
    .select(["i.id", "i.workspaceId", "i.role", "i.createdAt", "i.updatedAt", "w.name", "w.icon"])
    .where("i.email", "=", email)
    .orderBy("i.createdAt", "desc")
    .orderBy("i.id", "desc")
    .limit(limit)
    .execute()
  return rows.map(({ name, icon, ...invitation }) => ({ ...invitation, workspace: { name, icon } }))
}

/** Names an invitation of this email address. */
type OwnInvitationAddress = { invitationId: string; email: string }

/**
 * Finds the workspace of an invitation. Returns undefined when the address has no such invitation.
 */
export async function findInvitingWorkspace(
  db: Source,
  { invitationId, email }: OwnInvitationAddress,
): Promise<string | undefined> {
  const row = await db.kysely
    .selectFrom("workspaceInvitations")
    .select("workspaceId")
    .where("id", "=", invitationId)
    .where("email", "=", email)
    .executeTakeFirst()
  return row?.workspaceId
}

/** Uses up an invitation and returns its role, or undefined when it no longer exists. */
export async function takeInvitation(
  db: Source,
  { invitationId, email }: OwnInvitationAddress,
): Promise<MemberRole | undefined> {
  const row = await db.kysely
    .deleteFrom("workspaceInvitations")
    .where("id", "=", invitationId)
    .where("email", "=", email)
    .returning("role")
    .executeTakeFirst()
  return row?.role
}
