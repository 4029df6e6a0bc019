/** Reads and writes the collaborators of bots, and the bots shared with a user. */
import { type SqlBool, sql } from "kysely"
import { workspaceOf } from "../bots/bots.ts"
import { bytesBefore, isRead } from "../bots/listedBots.ts"
import { endPreviews } from "../chats/previews.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { MemberRole } from "../schema/tables.ts"

/**
 * A collaborator of a bot, or a person invited to be one: while that is pending, the id is
 * that of the invitation.
 */
export type Collaborator = Awaited<ReturnType<typeof listCollaborators>>[number]

/** Lists the collaborators of a bot and those who are invited, oldest first. */
export async function listCollaborators({ kysely }: Source, botId: string) {
  const accepted = kysely
    .selectFrom("botCollaborators as c")
    .innerJoin("users as u", "u.id", "c.userId")
    .where("c.botId", "=", botId)
    .select(["u.id", "u.email", "u.name", "u.image", sql<boolean>`false`.as("isPending")])
    .select(["c.type", "c.createdAt", "c.updatedAt"])
  const nothing = sql<string | null>`null`
  const invited = kysely
    .selectFrom("botInvitations as i")
    .where("i.botId", "=", botId)
    .select(["i.id", "i.email", nothing.as("name"), nothing.as("image")])
    .select([sql<boolean>`true`.as("isPending"), "i.type", "i.createdAt", "i.updatedAt"])
  return await accepted.unionAll(invited).orderBy("createdAt").orderBy("id").execute()
}

/** The facts that decide whether a person can be invited to a bot. */
type Standing = {
  /** Their role in its workspace; null: they are no member. */
  role: MemberRole | null
  isCollaborator: boolean
  isInvited: boolean
  /** How many collaborate on the bot or are invited. */
  people: number
}

/** Reads it in one statement, so that its duration does not reveal who has an account. */
export async function findStanding(
  { kysely }: Source,
  { botId, email }: { botId: string; email: string },
): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`select
      (select m.role from bots b
        join workspace_members m on m.workspace_id = b.workspace_id
        join users u on u.id = m.user_id
        where b.id = ${botId} and u.email = ${email}) as role,
      exists (select from bot_collaborators c join users u on u.id = c.user_id
        where c.bot_id = ${botId} and u.email = ${email}) as is_collaborator,
      exists (select from bot_invitations where bot_id = ${botId} and email = ${email}) as is_invited,
      ((select count(*) from bot_collaborators where bot_id = ${botId})
        + (select count(*) from bot_invitations where bot_id = ${botId}))::int as people`.execute(
    kysely,
  )
  return rows[0]
}

/** The id of a collaborator or invited person, as in lists. */
type CollaboratorAddress = { botId: string; collaboratorId: string }

/**
 * Changes the role of a collaborator. Previews of those who may only read from now on end, since
 * they show what only those see who may change it. Returns false when there is no such person.
 */
export async function updateCollaborator(
  db: Db,
  { botId, collaboratorId }: CollaboratorAddress,
  type: "READ" | "WRITE",
): Promise<boolean> {
  return await inTransaction(db, async (kysely) => {
    const change = { type, updatedAt: sql<Date>`now()` }
    const changed = await kysely
      .updateTable("botCollaborators")
      .set(change)
      .where("botId", "=", botId)
      .where("userId", "=", collaboratorId)
      .executeTakeFirst()
    if (changed.numUpdatedRows > 0n) {
      if (type === "READ") await endPreviews({ kysely }, { botId, ownerUserId: collaboratorId })
      return true
    }
    const { numUpdatedRows } = await kysely
      .updateTable("botInvitations")
      .set(change)
      .where("botId", "=", botId)
      .where("id", "=", collaboratorId)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  })
}

/**
 * Ends a collaboration and the previews that were started through it, which carry credentials of
 * the workspace. Returns false when there was none, or the bot is in the bin.
 */
export async function deleteCollaborator(
  db: Db,
  { botId, userId }: { botId: string; userId: string },
): Promise<boolean> {
  return await inTransaction(db, async (kysely) => {
    const { numDeletedRows } = await kysely
      .deleteFrom("botCollaborators")
      .where("botId", "=", botId)
      .where("userId", "=", userId)
      .where("botId", "not in", (query) =>
        query.selectFrom("bots").select("id").where("id", "=", botId).where("isInBin", "=", true),
      )
      .executeTakeFirst()
    if (numDeletedRows === 0n) return false
    db.changeLog?.about(await workspaceOf({ kysely }, botId))
    await endPreviews({ kysely }, { botId, ownerUserId: userId })
    return true
  })
}

export type SharedBot = Awaited<ReturnType<typeof listSharedBots>>[number]

type SharedBotListing = {
  userId: string
  /** Only those that were shared before this one. */
  after?: { id: string; sharedAt: Date } | undefined
  limit: number
}

/**
 * Lists the bots shared with a user who is no ADMIN or MEMBER of their workspace, the latest
 * first: not those that were deleted, nor those of workspaces that are suspended or past due.
 */
export async function listSharedBots({ kysely }: Db, { userId, after, limit }: SharedBotListing) {
  let query = kysely
    .selectFrom("botCollaborators as c")
    .innerJoin("bots", "bots.id", "c.botId")
    .innerJoin("workspaces as w", "w.id", "bots.workspaceId")
    .leftJoin("publishedBots", "publishedBots.botId", "bots.id")
    .leftJoin("workspaceMembers as m", (join) =>
      join.onRef("m.workspaceId", "=", "bots.workspaceId").on("m.userId", "=", userId),
    )
    .where("c.userId", "=", userId)
    .where("bots.isArchived", "=", false)
    .where("w.isSuspended", "=", false)
    .where("w.isPastDue", "=", false)
    .where((eb) => eb.or([eb("m.role", "is", null), eb("m.role", "=", "GUEST")]))
    .select(["bots.id", "bots.workspaceId", "bots.name", "bots.icon", "bots.publicId"])
    .select("bots.isClosed")
    .select(["bots.createdAt", "bots.updatedAt", "publishedBots.id as publishedBotId"])
    .select(["c.type as collaboration", "c.createdAt as sharedAt"])
    .select(bytesBefore(sql`c.created_at desc, bots.id desc`))
    .orderBy("c.createdAt", "desc")
    .orderBy("bots.id", "desc")
    .limit(limit)
  if (after !== undefined) {
    query = query.where(sql<SqlBool>`(c.created_at, bots.id) < (${after.sharedAt}, ${after.id})`)
  }
  return await kysely
    .selectFrom(query.as("listed"))
    .selectAll()
    .where(isRead)
    .orderBy("sharedAt", "desc")
    .orderBy("id", "desc")
    .execute()
}
