/** GET /api/v1/bots/{botId}/conversations/{key} */
import { z } from "zod"
import { keyIdOf } from "../../chat/conversations/sendMessage.ts"
import { findConversation } from "../../db/chats/conversations.ts"
import { notFound } from "../../errors.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import { tokenOperation } from "../trpc.ts"
import { conversationSchema, keySchema, presentChat } from "./schema.ts"

/** Finds the conversation of a key. */
export const getProcedure = tokenOperation("GET /api/v1/bots/{botId}/conversations/{key}", {
  operationId: "getConversation",
  admits: "botReaders",
  tag: "Conversations",
  summary: "Get the conversation of a key",
  description: "The present chat of the key, or its last one. Needs a role at the bot.",
})
  .input(z.object({ botId: botIdSchema, key: keySchema }))
  .output(z.object({ conversation: conversationSchema }))
  .query(async ({ ctx, input: { botId, key } }) => {
    await requireBot(ctx, botId, "read")
    const ids = await findConversation(ctx.db, keyIdOf({ botId, key }))
    if (!ids) throw notFound("Conversation")
    return { conversation: await presentChat(ctx, { ...ids, key }) }
  })
