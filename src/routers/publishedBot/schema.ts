/** Published bots in responses. */
import { z } from "zod"
import type { PublicationRow } from "../../db/bots/publishedBots.ts"
import { trustFlow } from "../bot/present.ts"
import { flowMembers } from "../bot/schema.ts"
import { timestampSchema } from "../sharedSchemas.ts"

/** The published version of a bot. */
export const publishedBotSchema = z
  .object({
    ...flowMembers,
    id: z.string().describe("Id of the publication; it stays until the bot is unpublished"),
    createdAt: timestampSchema("When the bot was first published"),
    updatedAt: timestampSchema("When it was last published"),
    botId: z.string().describe("The bot"),
  })
  .meta({ id: "PublishedBot", description: "What new chats of a bot run" })

type PublishedBot = z.infer<typeof publishedBotSchema>

/** Presents a publication. */
export function presentPublication(botId: string, publication: PublicationRow): PublishedBot {
  const { id, createdAt, updatedAt, schemaVersion, payload } = publication
  return {
    ...trustFlow({ version: schemaVersion, ...payload }),
    id,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    botId,
  }
}
