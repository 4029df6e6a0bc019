/** Conversations in requests and responses. */

import { z } from "zod"
import { conversationStates } from "../../chat/conversations/state.ts"
import { type ChatView, viewChats } from "../../chat/conversations/viewChat.ts"
import { findVersionNumbers } from "../../db/bots/versions.ts"
import type { ChatIds } from "../../db/chats/conversations.ts"
import { cut } from "../../engine/cut.ts"
import { namedObject } from "../../engine/schema/members.ts"
import { variableValueSchema } from "../../engine/schema/variable.ts"
import { notFound } from "../../errors.ts"
import { chatStepShape, textFormatSchema } from "../chat/schema.ts"
import type { Context } from "../context.ts"
import { exampleIds, exampleTime } from "../examples.ts"
import {
  presentRow,
  sessionIdSchema,
  timestampSchema,
  versionNumberSchema,
} from "../sharedSchemas.ts"

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
    "active: waits for the person; waiting: waits for another system or the client; paused: a person has taken over; ended: the flow is over; expired: nobody replied in time",
})

const waitingSchema = namedObject("WaitingBlock", "The block at which a chat waits", {
  groupTitle: z.string().describe("Title of the group"),
  blockId: z.string().describe("Id of the block"),
  type: z.string().describe("Type of the block"),
})

const positionSchema = namedObject("ChatPlace", "A place in the flow of a chat", {
  groupId: z.string().max(255).describe("Id of a group in the version that the chat runs"),
  blockId: z
    .string()
    .max(255)
    .optional()
    .describe("Id of a block in the group; absent: its first block"),
})

/** A conversation in a list. */
export const listedConversationSchema = z
  .object({
    key: keySchema.optional().describe("The caller's own key; absent: a chat without one"),
    state: stateSchema,
    sessionId: sessionIdSchema,
    resultId: resultIdMember,
    versionNumber: versionNumberSchema
      .optional()
      .describe("Number of the version that the chat runs; absent: it was deleted"),
    startedAt: timestampSchema("When the chat, or the result that it goes on with, started"),
    updatedAt: timestampSchema("When its last turn was"),
    pausedAt: timestampSchema("When a person took over; absent: nobody has").optional(),
    expiresAt: timestampSchema(
      "When it expires unless somebody replies; absent: it is over",
    ).optional(),
    waitsFor: waitingSchema.optional().describe("Where the chat waits; absent: nowhere"),
  })
  .meta({ id: "ListedConversation", description: "A chat that can be steered from outside" })

/** A conversation with its variables. */
export const conversationSchema = listedConversationSchema
  .extend({
    variables: z
      .array(
        z.object({
          name: z.string().describe("Name of the variable"),
          value: variableValueSchema
            .optional()
            .describe("Value; null: none; absent: a session variable, whose value is never shown"),
        }),
      )
      .describe("Variables of the bot that runs, and of the bots that wait for it"),
  })
  .meta({ id: "Conversation", description: "A chat that can be steered from outside" })

/** A change of a conversation. */
export const changeSchema = z.object({
  state: z
    .enum(["active", "paused", "ended"])
    .optional()
    .describe("active: the bot continues; paused: a person takes over; absent: unchanged"),
  variables: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("Values by variable name, set in every running bot that has such a variable"),
  continueAt: positionSchema
    .optional()
    .describe("Where the flow continues; a paused chat has to be resumed in the same request"),
  textBubbleContentFormat: textFormatSchema,
})

/** The response to a change; with `continueAt` it includes the resulting step. */
export const changedSchema = namedObject("SteeredConversation", "A conversation after a change", {
  conversation: conversationSchema,
  ...chatStepShape,
  messages: chatStepShape.messages.optional().describe("What to show; only with `continueAt`"),
})

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
      // Only turns write variables, and in this form.
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

/** A chat that waits for its first answer. */
export const exampleChat = {
  state: "active",
  sessionId: exampleIds.sessionId,
  resultId: exampleIds.resultId,
  versionNumber: 1,
  startedAt: exampleTime,
  updatedAt: exampleTime,
  expiresAt: "2026-05-24T08:15:30.123Z",
  waitsFor: { groupTitle: "Sign up", blockId: exampleIds.blockId, type: "text input" },
}

/** The same under a key. */
export const exampleConversation = {
  ...exampleChat,
  key: exampleIds.key,
  sessionId: "019e4ec0f94b7d518e627f73a84b95c6Wn4TgB7xKq2LmZ9pRc5VdY",
  resultId: "019e4ec0-f94b-7d51-8e62-7f73a84b95c6",
}
