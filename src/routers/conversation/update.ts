/** PATCH /api/v1/bots/{botId}/conversations/{key} */
import { z } from "zod"
import { keyIdOf } from "../../chat/conversations/sendMessage.ts"
import { findConversation } from "../../db/chats/conversations.ts"
import { notFound } from "../../errors.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { changeChat } from "./change.ts"
import { changedSchema, changeShape, keySchema } from "./schema.ts"

/** Steers the conversation of a key. */
export const updateProcedure = tokenOperation("PATCH /api/v1/bots/{botId}/conversations/{key}", {
  operationId: "updateConversation",
  admits: "botWriters",
  isTrusted: true,
  tag: "Conversations",
  errorResponses: [409],
  summary: "Steer the conversation of a key",
  description:
    "Pauses, resumes or ends it, sets variables, or has it go on elsewhere; a message that is being " +
    "answered comes first. 409 with the code `CHAT_PAUSED` when it has to be resumed, 404 with " +
    "`CHAT_ENDED` or `CHAT_EXPIRED` when it is over.",
})
  .input(z.object({ botId: botIdSchema, key: keySchema, ...changeShape }))
  .output(changedSchema)
  .mutation(async ({ ctx, input: { botId, key, ...change } }) => {
    await requireBot(ctx, botId, "write")
    const ids = await findConversation(ctx.db, keyIdOf({ botId, key }))
    if (!ids) throw notFound("Conversation")
    return await changeChat(ctx, { ...ids, key }, change)
  })
