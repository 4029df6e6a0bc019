/** Conversations in requests and responses. */

import { z } from "zod"
import { conversationStates } from "../../chat/conversations/state.ts"
import { type ChatView, viewChats } from "../../chat/conversations/viewChat.ts"
import { findVersionNumbers } from "../../db/bots/versions.ts"
import type { ChatIds } from "../../db/chats/conversations.ts"
import { cut } from "../../engine/cut.ts"
import { variableValueSchema } from "../../engine/schema/variable.ts"
import { notFound } from "../../errors.ts"
import { chatStepShape, sessionIdSchema, textFormatSchema } from "../chat/schema.ts"
import type { Context } from "../context.ts"
import { presentRow } from "../presentRow.ts"
import { timestampSchema } from "../sharedSchemas.ts"
import { versionNumberSchema } from "../version/schema.ts"

/** The caller's own name for a person. */
export const keySchema = z
  .string()
  .min(1)
  .max(255)
  .describe("The caller's own key for the person, for example `whatsapp:5511999`")

export const resultIdMember = z.string().describe("Id of the result that records the chat")

export const stateSchema = z.enum(conversationStates).meta({
  id: "ConversationState",
  description:
    "active: waits for the person; waiting: for another system or the client; paused: a person has taken over; ended; expired: ended by silence",
})

const waitingSchema = z
  .object({
    groupTitle: z.string().describe("Title of the group"),
    blockId: z.string().describe("Id of the block"),
    type: z.string().describe("Type of the block"),
  })
  .meta({ id: "WaitingBlock", description: "The block at which a chat waits" })

const placeSchema = z
  .object({
    groupId: z.string().max(255).describe("Id of a group in the version that the chat runs"),
    blockId: z.string().max(255).optional().describe("Id of a block in it; absent: its first"),
  })
  .meta({ id: "ChatPlace", description: "A place in the flow of a chat" })

const listedShape = {
  key: keySchema.optional().describe("The caller's own key; absent: a chat without one"),
  state: stateSchema,
  sessionId: sessionIdSchema,
  resultId: resultIdMember,
  versionNumber: versionNumberSchema
    .optional()
    .describe("Number of the version that the chat runs; absent: it is gone"),
  startedAt: timestampSchema("When the chat started"),
  updatedAt: timestampSchema("When it last moved"),
  pausedAt: timestampSchema("When a person took over; absent: nobody has").optional(),
  expiresAt: timestampSchema("When silence ends it; absent: it is over").optional(),
  waitsFor: waitingSchema.optional().describe("Where the chat waits; absent: nowhere"),
}

/** A conversation in a list. */
export const listedConversationSchema = z
  .object(listedShape)
  .meta({ id: "ListedConversation", description: "A chat that the outside can steer" })

/** A conversation with its variables. */
export const conversationSchema = z
  .object({
    ...listedShape,
    variables: z
      .array(
        z.object({
          name: z.string().describe("Name of the variable"),
          value: variableValueSchema
            .optional()
            .describe("Its value; null: none; absent: a session variable, which is not shown"),
        }),
      )
      .describe("Variables of the bot that runs, and of the bots that wait for it"),
  })
  .meta({ id: "Conversation", description: "A chat that the outside can steer" })

/** What a change says; `Idempotency-Key` works as in chats. */
export const changeShape = {
  state: z
    .enum(["active", "paused", "ended"])
    .optional()
    .describe("active: the bot goes on; paused: a person takes over; absent: as it is"),
  variables: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Values by variable name, for every bot under way that has such a variable"),
  continueAt: placeSchema
    .optional()
    .describe("Where the flow goes on; a chat that is paused has to become active with it"),
  textBubbleContentFormat: textFormatSchema,
}

/** The answer to a change: with `continueAt` it carries the step of that walk. */
export const changedSchema = z
  .object({
    conversation: conversationSchema,
    ...chatStepShape,
    messages: chatStepShape.messages.optional().describe("What to show; only with `continueAt`"),
  })
  .meta({ id: "SteeredConversation", description: "A conversation after a change" })

type Presented = z.infer<typeof conversationSchema>

/** Presents chats with their variables. */
export async function presentChats(
  { db }: Pick<Context, "db">,
  views: readonly ChatView[],
): Promise<Presented[]> {
  const numbers = await findVersionNumbers(
    db,
    views.map(({ versionId }) => versionId),
  )
  return views.map((view) =>
    presentRow(conversationSchema, {
      ...view,
      versionNumber: numbers.get(view.versionId),
      // Written by turns alone, in this form.
      variables: view.variables.map(({ name, ...rest }) => ({
        name: cut(name),
        ...rest,
      })) as Presented["variables"],
    }),
  )
}

/** Presents one chat. 404 when it is unknown or was forgotten. */
export async function presentChat(
  ctx: Pick<Context, "db" | "chat">,
  ids: ChatIds & { key?: string },
): Promise<Presented> {
  const [presented] = await presentChats(ctx, await viewChats(ctx.chat, [ids]))
  if (!presented) throw notFound("Conversation")
  return presented
}
