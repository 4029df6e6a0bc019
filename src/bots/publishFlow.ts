/** Publishes a flow, even if others take its default public id. */
import type { BotRow } from "../db/bots/bots.ts"
import { type NewPublication, type Published, publish } from "../db/bots/publications.ts"
import type { VersionContent } from "../db/bots/versions.ts"
import { violatedConstraint } from "../db/connection/databaseFailures.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { AppError, orNotFound } from "../lib/errors.ts"
import { newId, newUuid } from "../lib/ids.ts"
import { publicIdFrom } from "./publicIds.ts"

const maxTries = 5

type FlowToPublish = {
  bot: BotRow
  content: VersionContent
  authorId: string
  note?: string | undefined
  maxBytes?: number | undefined
  eventOf?: NewPublication["eventOf"]
}

/** Publishes the flow of a bot; repeating it with the same flow makes no new version. */
export async function publishFlow(
  db: Db,
  { bot, content, ...by }: FlowToPublish,
): Promise<Published> {
  for (let tries = 1; ; tries++) {
    const publicId = publicIdFrom(bot.name, tries === 1 ? bot.id : newId())
    const ids = { versionId: newUuid(), publishedBotId: newId(), publicId }
    try {
      return orNotFound(await publish(db, { botId: bot.id, ...by, ...content, ...ids }), "Bot")
    } catch (error) {
      if (violatedConstraint(error) !== "bots_public_id_key") throw error
      const words = "Set a public id before publishing"
      if (tries === maxTries) throw new AppError("PUBLIC_ID_TAKEN", words, { data: { publicId } })
    }
  }
}
