/** Reads changes of bots, for listeners. */
import type { Db } from "../connection/openDatabase.ts"

/** The state of a bot: its draft, and when its live version last changed; null: never. */
export type BotState = Awaited<ReturnType<typeof listBotStates>>[number]

/** Reads the states of bots; missing ones are left out. */
export async function listBotStates({ kysely }: Db, botIds: readonly string[]) {
  return await kysely
    .selectFrom("bots as b")
    .select((bot) => [
      "b.id as botId",
      "b.revision",
      bot
        .selectFrom("publications as p")
        .select(({ fn }) => fn.max("p.at").as("at"))
        .whereRef("p.botId", "=", "b.id")
        .as("publishedAt"),
    ])
    .where("b.id", "in", botIds)
    .execute()
}

/** An edit for listeners; no author = account gone. */
export type LandedEdit = Awaited<ReturnType<typeof listEditsAfter>>[number]

/** Edits after a revision, up to a size of each. */
type EditsAfter = { botId: string; after: number; limit: number; maxBytes: number }

/** Lists the edits after a revision, oldest first; larger ones are left out. */
export async function listEditsAfter(
  { kysely }: Db,
  { botId, after, limit, maxBytes }: EditsAfter,
) {
  return await kysely
    .selectFrom("botEdits as e")
    .leftJoin("users as u", "u.id", "e.authorId")
    .select(["e.revision", "e.kind", "e.target", "e.changeId", "e.edits", "e.createdAt"])
    .select(["u.id as authorId", "u.name as authorName", "u.email as authorEmail"])
    .where("e.botId", "=", botId)
    .where("e.revision", ">", after)
    .where("e.bytes", "<=", maxBytes)
    .orderBy("e.revision")
    .limit(limit)
    .execute()
}
