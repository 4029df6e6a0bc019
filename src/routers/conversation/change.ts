/** What the changes of conversations with and without a key have in common. */
import type { z } from "zod"
import { steerChat } from "../../chat/conversations/steerChat.ts"
import { readKey } from "../../chat/idempotency.ts"
import type { ChatIds } from "../../db/chats/conversations.ts"
import { AppError } from "../../errors.ts"
import type { Context } from "../context.ts"
import { type changedSchema, type changeShape, presentChat } from "./schema.ts"

/** A change as it was sent. */
type Change = {
  [Member in keyof typeof changeShape]?: z.infer<(typeof changeShape)[Member]>
}

/** Steers a chat and presents it as it is then. */
export async function changeChat(
  ctx: Context,
  ids: ChatIds & { key?: string },
  change: Change,
): Promise<z.infer<typeof changedSchema>> {
  const { idempotencyKey, hasLeft } = ctx
  const { state, variables, continueAt, textBubbleContentFormat: textFormat = "richText" } = change
  const keyed = idempotencyKey === undefined ? undefined : readKey(idempotencyKey, change)
  const { resultId, sessionId } = ids
  const request = { ...{ resultId, sessionId, state, variables, continueAt }, textFormat, keyed }
  try {
    const { step, isReplayed } = await steerChat(ctx.chat, { ...request, hasLeft })
    if (isReplayed) ctx.setHeader("Idempotent-Replayed", "true")
    return { ...(continueAt && step), conversation: await presentChat(ctx, ids) }
  } catch (error) {
    if (state === "ended" && isOverAlready(error)) {
      return { conversation: await presentChat(ctx, ids) }
    }
    throw error
  }
}

function isOverAlready(error: unknown): boolean {
  const reason = error instanceof AppError ? error.reason : undefined
  return reason === "CHAT_ENDED" || reason === "CHAT_EXPIRED"
}
