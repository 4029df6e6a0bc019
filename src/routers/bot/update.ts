/** PATCH /api/v1/bots/{botId} */

import { z } from "zod"
import { validateChanges } from "../../authoring/upgrade/validateFlow.ts"
import { botChangesSchema } from "../../bots/botInput.ts"
import { refuseOwnDomain } from "../../bots/domains/ownHosts.ts"
import { referencesOf } from "../../bots/flowReferences.ts"
import { readChanges } from "../../bots/readChanges.ts"
import { convert } from "../../bots/storedFlow.ts"
import { surroundingsOf } from "../../bots/surroundings.ts"
import { refuseViolations } from "../../bots/violations.ts"
import { type BotFacts, updateBot } from "../../db/bots/bots.ts"
import { type Db, inRolledBackTransaction } from "../../db/connection/openDatabase.ts"
import { userParty } from "../../lib/party.ts"
import { nonEmpty } from "../../lib/presentMembers.ts"
import { refuseStale, requireBot } from "../../people/access.ts"
import { exampleBot, exampleIds } from "../examples.ts"
import { bodyFlag, botIdSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { presentBot } from "./botSchemas.ts"
import { dryRunFlag, keptBotSchema } from "./findingSchemas.ts"
import { droppedFrom, readBotInput } from "./readBotInput.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  bot: botChangesSchema,
  overwrite: bodyFlag("Whether to change the bot even if `updatedAt` is stale"),
  dryRun: dryRunFlag,
})

export const updateProcedure = tokenOperation("PATCH /bots/{botId}", {
  operationId: "updateBot",
  admits: "botWriters",
  isTrusted: true,
  readInput: readBotInput(inputSchema, (bot) => validateChanges(botChangesSchema, bot)),
  tag: "Bots",
  errorResponses: [409, 422],
  summary: "Update a bot",
  description:
    "Omitted members stay as they are; the others are replaced entirely. With `updatedAt`, the change " +
    "is refused with 409 if the bot has changed since. The response is converted to the " +
    "latest version, the stored bot is not. Members that no bot has are left out and listed in `warnings`. A dry run returns the bot as it would be.",
  queryMembers: ["dryRun"],
  example: {
    request: { bot: { publicId: exampleIds.publicId } },
    response: { bot: { ...exampleBot, revision: 2 } },
  },
  input: inputSchema,
  output: keptBotSchema,
}).mutation(async ({ ctx, input }) => {
  const facts = await requireBot(ctx, input.botId, "write")
  refuseOwnDomain(ctx.settings, input.bot.customDomain)
  const work = (db: Db) => change(db, facts, input)
  if (input.dryRun) ctx.audit?.skip()
  const row = input.dryRun ? await inRolledBackTransaction(ctx.db, work) : await work(ctx.db)
  if (row === undefined) return await refuseStale(ctx, facts.id)
  const stored = presentBot(row)
  const bot = convert(stored) ?? stored
  const warnings = nonEmpty({ warnings: droppedFrom(input.bot) })
  if (!input.dryRun) return { bot, ...warnings }
  const around = await surroundingsOf(ctx.db, { ...facts, botId: row.id }, referencesOf(stored))
  const { findings } = await ctx.heavy.run(userParty(ctx.user.id), "lint", { bot: stored, around })
  return { bot, findings, ...warnings }
})

/** Returns undefined when the bot was changed or deleted meanwhile. */
async function change(db: Db, facts: BotFacts, { bot, overwrite }: z.output<typeof inputSchema>) {
  const changes = await readChanges(db, facts, bot)
  const readAt = overwrite ? undefined : bot.updatedAt
  const updatedAt = readAt ? new Date(readAt) : undefined
  const precondition = { botId: facts.id, version: facts.version, updatedAt }
  return await refuseViolations(updateBot(db, precondition, changes), changes)
}
