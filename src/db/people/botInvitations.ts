/** Reads and writes invitations to work on single bots, for those who share and those who are invited. */
import { type ExpressionBuilder, sql } from "kysely"
import { workspaceOf } from "../bots/bots.ts"
import { bytesBefore, isRead } from "../bots/listedBots.ts"
import type { Db, Source } from "../connection/openDatabase.ts"
import { inTransaction } from "../connection/transactions.ts"
import type { Database, Row } from "../schema/tables.ts"

type BotInvitationRow = Row<"botInvitations">

/** Stores an invitation of an address that is not invited to the bot yet. */
export async function insertBotInvitation(
  db: Source,
  invitation: Pick<BotInvitationRow, "id" | "botId" | "email" | "type">,
): Promise<BotInvitationRow> {
  return await db.kysely
    .insertInto("botInvitations")
    .values(invitation)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Withdraws an invitation. Returns false when the bot has no such one. */
export async function withdrawBotInvitation(
  db: Source,
  { botId, invitationId }: { botId: string; invitationId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("botInvitations")
    .where("botId", "=", botId)
    .where("id", "=", invitationId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export type OwnBotInvitation = Awaited<ReturnType<typeof listOwnBotInvitations>>[number]

/** Lists the invitations of an address to bots that were not deleted, newest first, as an answer holds them. */
export async function listOwnBotInvitations(
  db: Source,
  { email, limit }: { email: string; limit: number },
) {
  const query = db.kysely
    .selectFrom("botInvitations as i")
    .innerJoin("bots", "bots.id", "i.botId")
    .innerJoin("workspaces as w", "w.id", "bots.workspaceId")
    .select(["i.id", "i.botId", "i.type", "i.createdAt", "i.updatedAt"])
    .select(["bots.name as botName", "bots.icon as botIcon"])
    .select(["w.id as workspaceId", "w.name", "w.icon"])
    .select(bytesBefore(sql`i.created_at desc, i.id desc`))
    .where("i.email", "=", email)
    .where("bots.isArchived", "=", false)
    .orderBy("i.createdAt", "desc")
    .orderBy("i.id", "desc")
    .limit(limit)
  const rows = await db.kysely
    .selectFrom(query.as("listed"))
    .selectAll()
    .where(isRead)
    .orderBy("createdAt", "desc")
    .orderBy("id", "desc")
    .execute()
  return rows.map(({ botName, botIcon, workspaceId, name, icon, ...invitation }) => ({
    ...invitation,
    bot: { name: botName, icon: botIcon },
    workspace: { id: workspaceId, name, icon },
  }))
}

/** An invitation, and the person who answers it. */
type Answer = { invitationId: string; user: { id: string; email: string } }

/**
 * Takes an invitation in exchange for the collaboration. Returns undefined when the person has no such
 * one, or its bot was deleted.
 */
export async function acceptBotInvitation(db: Db, answer: Answer) {
  return await inTransaction(db, async (kysely) => {
    const taken = await take({ ...db, kysely }, answer)
    if (taken === undefined) return undefined
    const { botId, type } = taken
    await kysely
      .insertInto("botCollaborators")
      .values({ botId, userId: answer.user.id, type })
      .onConflict((conflict) => conflict.columns(["botId", "userId"]).doNothing())
      .execute()
    return { botId, type }
  })
}

/** Takes an invitation away at the wish of the invited person. Returns undefined as for `acceptBotInvitation`. */
export async function declineBotInvitation(db: Db, answer: Answer) {
  return await inTransaction(db, async (kysely) => await take({ ...db, kysely }, answer))
}

async function take({ kysely, changeLog }: Db, { invitationId, user: { email } }: Answer) {
  const taken = await kysely
    .deleteFrom("botInvitations")
    .where("id", "=", invitationId)
    .where("email", "=", email)
    .where("botId", "in", liveBots)
    .returning(["botId", "type"])
    .executeTakeFirst()
  if (taken === undefined) return undefined
  changeLog?.about(await workspaceOf({ kysely }, taken.botId))
  return taken
}

function liveBots(eb: ExpressionBuilder<Database, "botInvitations">) {
  return eb.selectFrom("bots").select("bots.id").where("bots.isArchived", "=", false)
}
