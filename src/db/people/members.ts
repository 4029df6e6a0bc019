/** Reads and writes who belongs to a workspace. */
import { type InferResult, sql } from "kysely"
import { endPreviews } from "../chats/previews.ts"
import type { Source } from "../connection/openDatabase.ts"
import type { MemberRole } from "../schema/tables.ts"

export type MemberAddress = { workspaceId: string; userId: string }

export type Member = InferResult<ReturnType<typeof membersOf>>[number]

/** Makes a user a member of a workspace. */
export async function insertMember(db: Source, member: MemberAddress & { role: MemberRole }) {
  await db.kysely.insertInto("workspaceMembers").values(member).execute()
}

/** Lists the members of a workspace, in the order in which they joined. */
export async function listMembers(db: Source, workspaceId: string) {
  return await membersOf(db, workspaceId)
    .orderBy("workspaceMembers.createdAt")
    .orderBy("workspaceMembers.userId")
    .execute()
}

export async function findMember(db: Source, { workspaceId, userId }: MemberAddress) {
  return await membersOf(db, workspaceId)
    .where("workspaceMembers.userId", "=", userId)
    .executeTakeFirst()
}

function membersOf(db: Source, workspaceId: string) {
  return db.kysely
    .selectFrom("workspaceMembers")
    .innerJoin("users", "users.id", "workspaceMembers.userId")
    .where("workspaceMembers.workspaceId", "=", workspaceId)
    .select(["workspaceMembers.workspaceId", "workspaceMembers.userId", "workspaceMembers.role"])
    .select(["users.email", "users.name", "users.image"])
}

/** Whether a workspace has another ADMIN besides this member, one whose account is not disabled. */
export async function hasOtherAdmin(db: Source, { workspaceId, userId }: MemberAddress) {
  const found = await db.kysely
    .selectFrom("workspaceMembers")
    .innerJoin("users", "users.id", "workspaceMembers.userId")
    .select("userId")
    .where("workspaceId", "=", workspaceId)
    .where("role", "=", "ADMIN")
    .where("userId", "<>", userId)
    .where("users.disabledAt", "is", null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Counts the members of a workspace and those who are invited, and the seats that they take or will take:
 * guests need none.
 */
export async function countPeople(db: Source, workspaceId: string) {
  // One statement, so that an invitation that becomes a member meanwhile counts once.
  const { rows } = await sql<{ people: string; seats: string }>`select count(*) as people,
      count(*) filter (where role <> 'GUEST') as seats
    from (select role from workspace_members where workspace_id = ${workspaceId}
      union all select role from workspace_invitations where workspace_id = ${workspaceId}) as all_roles`.execute(
    db.kysely,
  )
  return { people: Number(rows[0]?.people), seats: Number(rows[0]?.seats) }
}

export async function updateMember(
  db: Source,
  { workspaceId, userId, role }: MemberAddress & { role: MemberRole },
): Promise<void> {
  await db.kysely
    .updateTable("workspaceMembers")
    .set({ role, updatedAt: sql<Date>`now()` })
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .execute()
  if (role === "GUEST") await endPreviews(db, { workspaceId, ownerUserId: userId })
}

/**
 * Ends a membership, and with it the collaborations on the workspace's bots, also those that the member
 * has not accepted yet: who is removed must not stay as a collaborator.
 */
export async function deleteMember(db: Source, { workspaceId, userId }: MemberAddress) {
  const email = db.kysely.selectFrom("users").select("email").where("id", "=", userId)
  const botIds = db.kysely.selectFrom("bots").select("id").where("workspaceId", "=", workspaceId)
  await db.kysely
    .deleteFrom("workspaceMembers")
    .where("workspaceId", "=", workspaceId)
    .where("userId", "=", userId)
    .execute()
  // Before the collaborations: one that is being accepted is waited for, and found among these.
  await db.kysely
    .deleteFrom("botInvitations")
    .where("email", "in", email)
    .where("botId", "in", botIds)
    .execute()
  await db.kysely
    .deleteFrom("botCollaborators")
    .where("userId", "=", userId)
    .where("botId", "in", botIds)
    .execute()
  await endPreviews(db, { workspaceId, ownerUserId: userId })
}
