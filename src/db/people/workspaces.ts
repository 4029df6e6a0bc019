/** Reads and writes workspaces, together with the facts for the access rules. */
import { sql } from "kysely"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { MemberRole, Row, RowChange } from "../schema/tables.ts"
import { insertMember } from "./members.ts"

export type WorkspaceRow = Row<"workspaces">

/** A workspace and the user's role in it; null when the user is not a member. */
export type WorkspaceFacts = WorkspaceRow & { role: MemberRole | null }

/** Names a workspace and the user who asks for it. */
type WorkspaceRequest = { workspaceId: string; userId: string }

export async function findWorkspace(db: Source, { workspaceId, userId }: WorkspaceRequest) {
  return await db.kysely
    .selectFrom("workspaces")
    .leftJoin("workspaceMembers as m", (join) =>
      join.onRef("m.workspaceId", "=", "workspaces.id").on("m.userId", "=", userId),
    )
    .where("workspaces.id", "=", workspaceId)
    .selectAll("workspaces")
    .select("m.role")
    .executeTakeFirst()
}

/** Reads the settings of a workspace that exists. */
export async function findWorkspaceSettings(db: Db, workspaceId: string) {
  const { settings } = await db.kysely
    .selectFrom("workspaces")
    .select("settings")
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow()
  return settings ?? {}
}

type ListedWorkspace = Pick<WorkspaceRow, "id" | "name" | "icon" | "plan">

/** Lists the workspaces that a user is a member of, with their role, oldest first. */
export async function listWorkspaces(
  db: Db,
  userId: string,
): Promise<(ListedWorkspace & { role: MemberRole })[]> {
  return await db.kysely
    .selectFrom("workspaceMembers")
    .innerJoin("workspaces", "workspaces.id", "workspaceMembers.workspaceId")
    .where("workspaceMembers.userId", "=", userId)
    .select(["workspaces.id", "workspaces.name", "workspaces.icon", "workspaces.plan"])
    .select("workspaceMembers.role")
    .orderBy("workspaces.createdAt")
    .orderBy("workspaces.id")
    .execute()
}

type NewWorkspace = ListedWorkspace & { ownerId: string }

export async function countWorkspaces(db: Source, userId: string): Promise<number> {
  const { count } = await db.kysely
    .selectFrom("workspaceMembers")
    .where("userId", "=", userId)
    .select(sql<string>`count(*)`.as("count"))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Creates a workspace with its owner, who is locked, as ADMIN. Returns undefined, with nothing created,
 * when the owner is already a member of one with exactly that name.
 */
export async function insertWorkspace({ kysely }: Source, { ownerId, ...workspace }: NewWorkspace) {
  const namesake = await kysely
    .selectFrom("workspaces")
    .innerJoin("workspaceMembers", "workspaceMembers.workspaceId", "workspaces.id")
    .where("workspaceMembers.userId", "=", ownerId)
    .where("workspaces.name", "=", workspace.name)
    .select("workspaces.id")
    .executeTakeFirst()
  if (namesake !== undefined) return undefined
  const row = await kysely
    .insertInto("workspaces")
    .values({ ...workspace, creatorId: ownerId })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertMember({ kysely }, { workspaceId: row.id, userId: ownerId, role: "ADMIN" })
  return row
}

/**
 * Runs a change to a workspace or its members in a transaction. Changes to one workspace run one
 * after the other; each sees what the one before has written.
 */
export async function withWorkspace<Result>(
  db: Db,
  request: WorkspaceRequest,
  change: (locked: Source, facts: WorkspaceFacts | undefined) => Promise<Result>,
): Promise<Result> {
  db.changeLog?.about(request.workspaceId)
  return await inTransaction(db, async (kysely) => {
    await lockWorkspace({ kysely }, request.workspaceId)
    // In a statement of its own: one that waits for a lock sees the state from before it.
    return await change({ kysely }, await findWorkspace({ kysely }, request))
  })
}

/** Locks a workspace: its bots and results can be written meanwhile. Returns false when there is none. */
export async function lockWorkspace({ kysely }: Source, workspaceId: string): Promise<boolean> {
  const { rows } =
    await sql`select id from workspaces where id = ${workspaceId} for no key update`.execute(kysely)
  return rows.length > 0
}

/** Changes to a workspace; undefined members stay as they are. */
type WorkspaceChanges = Pick<RowChange<"workspaces">, "name" | "icon" | "settings">

/** Changes a workspace that exists. */
export async function updateWorkspace(db: Source, workspaceId: string, changes: WorkspaceChanges) {
  return await db.kysely
    .updateTable("workspaces")
    .set({ ...changes, updatedAt: sql<Date>`now()` })
    .where("id", "=", workspaceId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Deletes a workspace with its members, invitations, folders, themes, credentials, bots and running
 * previews, and returns the ids of the bots. What chats have recorded stays for now: a job removes
 * it.
 */
export async function deleteWorkspace(db: Source, workspaceId: string): Promise<string[]> {
  // The strongest lock: no bot can be added between the list and the end.
  await sql`select id from workspaces where id = ${workspaceId} for update`.execute(db.kysely)
  const bots = await db.kysely
    .selectFrom("bots")
    .select("id")
    .where("workspaceId", "=", workspaceId)
    .execute()
  await db.kysely.deleteFrom("workspaces").where("id", "=", workspaceId).execute()
  await db.kysely.deleteFrom("previewSessions").where("workspaceId", "=", workspaceId).execute()
  return bots.map(({ id }) => id)
}

/**
 * Records that a workspace is in use, at most once a day unless emails about its inactivity went out, which are
 * forgotten. Only for changes that people make: reads and chats must not write workspaces.
 */
export async function recordActivity(db: Db, workspaceId: string): Promise<void> {
  await db.kysely
    .updateTable("workspaces")
    .set({
      lastActivityAt: sql<Date>`now()`,
      inactiveFirstEmailSentAt: null,
      inactiveSecondEmailSentAt: null,
    })
    .where("id", "=", workspaceId)
    .where(
      sql<boolean>`(last_activity_at is null or last_activity_at < now() - interval '1 day'
        or inactive_first_email_sent_at is not null or inactive_second_email_sent_at is not null)`,
    )
    .execute()
}
