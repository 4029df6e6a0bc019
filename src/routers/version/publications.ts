/** Operations on what is live: rolling back, and the publication history. */

import { z } from "zod"
import { hasPaidBlock } from "../../bots/flowFacts.ts"
import { trustFlow } from "../../bots/storedFlow.ts"
import { listPublications, rollBack } from "../../db/bots/publications.ts"
import { findVersion } from "../../db/bots/versions.ts"
import { recordActivity } from "../../db/people/workspaces.ts"
import { AppError, notFound } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { requireBot } from "../access.ts"
import { checkPlan } from "../bot/publish.ts"
import { botIdSchema } from "../bot/schema.ts"
import { cursorsOf, pageMembers, pageOf, pageSchema } from "../cursor.ts"
import { exampleAuthor, exampleTime } from "../examples.ts"
import { done } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import { botEventFor } from "../webhookEndpoint/botEvents.ts"
import {
  noteSchema,
  presentPublication,
  publicationSchema,
  versionDoneSchema,
  versionNumberSchema,
} from "./schema.ts"

const examplePublication = { at: exampleTime, author: exampleAuthor }

export const publications = {
  rollback: tokenOperation("POST /bots/{botId}/rollback", {
    operationId: "rollbackBot",
    admits: "botWriters",
    tag: "Bots",
    summary: "Roll a bot back",
    description:
      "New chats run the given version, which must have been live before. Running chats and the draft " +
      "do not change.",
    example: { request: { version: 1 }, response: { ...done, version: 1 } },
  })
    .input(z.object({ botId: botIdSchema, version: versionNumberSchema, note: noteSchema }))
    .output(versionDoneSchema)
    .mutation(async ({ ctx, input: { botId, version: number, note } }) => {
      const facts = await requireBot(ctx, botId, "write")
      const found = await findVersion(ctx.db, { botId, number })
      if (found === undefined) throw notFound(`Version ${number}`)
      if (found.origin !== "publish") {
        throw new AppError(
          "VERSION_NEVER_LIVE",
          `Version ${number} was never live: restore it as the draft and publish it`,
        )
      }
      checkPlan(facts, hasPaidBlock(trustFlow({ version: found.schemaVersion, ...found.payload })))
      const event = botEventFor(ctx, { ...facts, id: botId }, "bot.rolledBack", note)?.({ number })
      const by = { authorId: ctx.user.id, publishedBotId: newId() }
      const made = { botId, number, note, ...by, event }
      if (!(await rollBack(ctx.db, made))) throw notFound("Bot")
      await recordActivity(ctx.db, facts.workspaceId)
      return { ...done, version: number }
    }),

  listPublications: tokenOperation("GET /bots/{botId}/publications", {
    operationId: "listPublications",
    admits: "botReaders",
    tag: "Bots",
    summary: "List the publications of a bot",
    description:
      "Every publication, rollback and unpublication, newest first. Entries from before this history " +
      "was recorded may be incomplete. Needs a role at the bot.",
    example: {
      response: {
        publications: [
          { ...examplePublication, kind: "rollback", version: 1 },
          { ...examplePublication, kind: "publish", version: 2 },
          { ...examplePublication, kind: "publish", version: 1, note: "Asks for the name" },
        ],
      },
    },
  })
    .input(z.object({ botId: botIdSchema, ...pageMembers }))
    .output(
      pageSchema.extend({ publications: z.array(publicationSchema).describe("Newest first") }),
    )
    .query(async ({ ctx, input: { botId, limit, cursor } }) => {
      const facts = await requireBot(ctx, botId, "read")
      const cursors = cursorsOf(ctx, ["listPublications", botId], z.coerce.date())
      const before = cursors.read(cursor)
      const rows = await listPublications(ctx.db, { botId, before, limit: limit + 1 })
      const { page, last } = pageOf(rows, limit)
      const viewer = { facts, user: ctx.user }
      const publications = page.map((row) => presentPublication(row, viewer))
      return { publications, ...cursors.write(last?.at) }
    }),
}
