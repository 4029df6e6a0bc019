/** Conversations in requests and responses. */

import { z } from "zod"
import { conversationStates } from "../../chat/conversations/state.ts"
import { exampleIds, exampleTime } from "../examples.ts"

/** The caller's own name for a person. */
export const keySchema = z
  .string()
  .min(1)
  .max(255)
  .describe("The caller's own key for the person, for example `whatsapp:5511999`")

export const resultIdMember = z.string().describe("Id of the result that records the chat")

const maxPauseSeconds = 30 * 86_400

export const resumeAfterSchema = z
  .number()
  .min(1)
  .max(maxPauseSeconds)
  .nullable()
  .optional()
  .describe(
    "Seconds after which a paused chat resumes by itself; null: once it is resumed; absent: unchanged",
  )

export const stateSchema = z.enum(conversationStates).meta({
  id: "ConversationState",
  description:
    "active: waits for the person; waiting: waits for another system or the client; paused: a person has taken over; ended: the flow is over; expired: no reply in time",
})

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

/** What a person of the team says, in two chats. */
export const exampleReply = { text: "I have your order here.", author: "Eve" }

export const exampleReplyIds = [
  "019e4ec1-0a2c-7d11-9b3f-5d44e55f6a77",
  "019e4ec1-3c4e-7f33-8d51-7f66a77b8c99",
] as const

export const exampleLine = (id: string) => ({
  ...{ id, at: exampleTime, from: "team", type: "text" },
  ...exampleReply,
})

/** The first line of the chat of the key. */
export const exampleQuestion = {
  ...{ id: "019e4ec0-f94b-7000-8000-000000000001", at: exampleTime, from: "bot" },
  ...{ groupTitle: "Sign up", blockId: "b1", type: "text", text: "Your name?" },
}
