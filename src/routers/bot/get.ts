/** GET /api/v1/bots/{botId} */

import { z } from "zod"
import { mustConvert } from "../../bots/storedFlow.ts"
import { requireBotWithFlow, userModeSchema } from "../access.ts"
import { queryFlag } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { presentBot, presentToGuest } from "./present.ts"
import { botIdSchema, botSchema } from "./schema.ts"

/** Reads a bot, and the caller's access to it. */
export const getProcedure = tokenOperation("GET /api/v1/bots/{botId}", {
  operationId: "getBot",
  admits: "botViewers",
  isTrusted: true,
  tag: "Bots",
  summary: "Get a bot",
  description:
    "A publicly shared bot is there for every caller, in mode `guest` and without what only " +
    "its workspace should know. Conversion changes the response, never the stored bot.",
})
  .input(
    z.object({
      botId: botIdSchema,
      migrateToLatestVersion: queryFlag("Whether to convert the bot to the latest version"),
    }),
  )
  .output(z.object({ bot: botSchema, currentUserMode: userModeSchema }))
  .query(async ({ ctx, input }) => {
    const found = await requireBotWithFlow(ctx, input.botId, "see")
    const bot = found.mode === "guest" ? presentToGuest(found) : presentBot(found)
    return {
      bot: input.migrateToLatestVersion ? mustConvert(bot) : bot,
      currentUserMode: found.mode,
    }
  })
