/** GET /api/v1/bots/{botId}/versions/{number} */

import { z } from "zod"
import { trustFlow } from "../../bots/storedFlow.ts"
import { findVersion, listVersions } from "../../db/bots/versions.ts"
import { notFound } from "../../errors.ts"
import { requireBot } from "../access.ts"
import { botIdSchema, flowMembers } from "../bot/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { presentVersions } from "./presentVersions.ts"
import { listedVersionMembers, versionNumberSchema } from "./schema.ts"

const versionSchema = z
  .object({
    ...listedVersionMembers,
    bot: z
      .object({
        ...flowMembers,
        name: z.string().describe("Name of the bot"),
      })
      .meta({ id: "VersionFlow", description: "The flow of a version, as an import takes it" }),
  })
  .meta({ id: "Version", description: "A version with its flow" })

/** Reads one version of a bot. */
export const getProcedure = tokenOperation("GET /api/v1/bots/{botId}/versions/{number}", {
  operationId: "getVersion",
  admits: "botReaders",
  isTrusted: true,
  tag: "Bots",
  summary: "Get a version of a bot",
  description: "With its flow, as an import takes it. Needs a role at the bot.",
})
  .input(z.object({ botId: botIdSchema, number: versionNumberSchema }))
  .output(z.object({ version: versionSchema }))
  .query(async ({ ctx, input }) => {
    const facts = await requireBot(ctx, input.botId, "read")
    const before = input.number + 1
    const [listed] = await listVersions(ctx.db, { botId: input.botId, before, limit: 1 })
    const found = await findVersion(ctx.db, input)
    if (found === undefined || listed?.id !== found.id) throw notFound(`Version ${input.number}`)
    const [version] = await presentVersions(ctx, facts, [listed])
    if (version === undefined) throw notFound(`Version ${input.number}`)
    const flow = trustFlow({ version: found.schemaVersion, ...found.payload })
    return { version: { ...version, bot: { ...flow, name: facts.name } } }
  })
