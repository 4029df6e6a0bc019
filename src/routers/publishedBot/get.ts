/** GET /api/v1/bots/{botId}/publishedBot */

import { z } from "zod"
import { withoutCredentials } from "../../bots/sanitise.ts"
import { mustConvert, trustFlow } from "../../bots/storedFlow.ts"
import { findPublication, type PublicationRow } from "../../db/bots/publishedBots.ts"
import { schemaVersionSchema } from "../../engine/bot.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { admitToBot } from "../access.ts"
import { flowMembers } from "../bot/schema.ts"
import { exampleIds, exampleStored, exampleTime } from "../examples.ts"
import { botIdSchema, presentRow, queryFlag, timestampSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"

const publishedBotSchema = namedObject("PublishedBot", "What new chats of a bot run", {
  ...flowMembers,
  id: z.string().describe("Id of the publication; it stays until the bot is unpublished"),
  createdAt: timestampSchema("When the bot was first published"),
  updatedAt: timestampSchema("When it was last published"),
  botId: z.string().describe("The bot"),
})

/** Reads the published version of a bot. */
export const getProcedure = tokenOperation("GET /bots/{botId}/publishedBot", {
  operationId: "getPublishedBot",
  admits: "botViewers",
  isTrusted: true,
  tag: "Bots",
  summary: "Get the published bot",
  description: "Null when the bot is not published. Requires the same access as the bot itself.",
  example: {
    response: {
      publishedBot: {
        ...exampleStored,
        id: "u1b2l3i4s5h6e7d8b9o0t1x2",
        botId: exampleIds.botId,
        createdAt: exampleTime,
        updatedAt: exampleTime,
      },
      version: "6.1",
    },
  },
})
  .input(
    z.object({
      botId: botIdSchema,
      migrateToLatestVersion: queryFlag("Whether to convert it to the latest version"),
    }),
  )
  .output(
    z.object({
      publishedBot: publishedBotSchema.nullable().describe("Null: nothing is published"),
      version: schemaVersionSchema.optional().describe("Version that it is stored in"),
    }),
  )
  .query(async ({ ctx, input }) => {
    const found = await findPublication(ctx.db, { botId: input.botId, userId: ctx.user.id })
    const { publication, id, mode } = admitToBot(found, ctx.user, "see")
    if (publication === undefined) return { publishedBot: null }
    const stored = present(id, publication)
    const groups = mode === "guest" ? withoutCredentials(stored.groups) : stored.groups
    const seen = { ...stored, groups }
    const publishedBot = input.migrateToLatestVersion ? mustConvert(seen) : seen
    return { publishedBot, version: stored.version }
  })

function present(botId: string, publication: PublicationRow): z.infer<typeof publishedBotSchema> {
  const flow = trustFlow({ version: publication.schemaVersion, ...publication.payload })
  return presentRow(publishedBotSchema, { ...publication, ...flow, botId })
}
