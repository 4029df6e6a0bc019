/** Reads and writes invitations to workspaces, for those who invite and those who are invited. */
import { type ExpressionBuilder, sql } from "kysely"
import type { Source } from "../connection/openDatabase.ts"
import type { Database, MemberRole, Row } from "../schema/tables.ts"

export type InvitationRow = Row<"workspaceInvitations">

/** Names an invitation, and the workspace or the email address that it must belong to. */
type InvitationAddress = { invitationId: string } & ({ workspaceId: string } | { email: string })

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

export async function findInvitation(db: Source, address: InvitationAddress) {
  return await db.kysely
    .selectFrom("workspaceInvitations")
    .selectAll()
    .where(isMeant(address))
    .executeTakeFirst()
}

function isMeant({ invitationId, ...owner }: InvitationAddress) {
  return (eb: ExpressionBuilder<Database, "workspaceInvitations">) => {
    const isOwn =
      "email" in owner ? eb("email", "=", owner.email) : eb("workspaceId", "=", owner.workspaceId)
    return eb("id", "=", invitationId).and(isOwn)
  }
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

/** Changes the role of an invitation, while the workspace is locked. */
export async function updateInvitation(db: Source, address: InvitationAddress, role: MemberRole) {
  await db.kysely
    .updateTable("workspaceInvitations")
    .set({ role, updatedAt: sql<Date>`now()` })
    .where(isMeant(address))
    .execute()
}

/** Deletes an invitation, and returns it as it was; undefined when it no longer exists. */
export async function deleteInvitation(db: Source, address: InvitationAddress) {
  return await db.kysely
    .deleteFrom("workspaceInvitations")
    .where(isMeant(address))
    .returningAll()
    .executeTakeFirst()
}

export type OwnInvitation = Awaited<ReturnType<typeof listOwnInvitations>>[number]

/** Lists the invitations of an email address, newest first, at most `limit`. */
export async function listOwnInvitations(
  db: Source,
  { email, limit }: { email: string; limit: number },
) {
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
