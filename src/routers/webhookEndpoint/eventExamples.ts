/** The webhook events of the story of the examples. */
import type { WebhookEvent } from "../../chat/events/eventSchemas.ts"
import { exampleConversation } from "../conversation/conversationSchemas.ts"
import { exampleCaller, exampleIds, exampleTime } from "../examples.ts"

type EventType = WebhookEvent["type"]

type EventExamples = {
  [Type in EventType]: Extract<WebhookEvent, { type: Type }>
}

const { workspaceId, botId, publicId, endpointId, blockId } = exampleIds
const { key: conversationKey, resultId, sessionId } = exampleConversation

const bot = { workspaceId, botId, publicId }

/** Data of the first, second … event of the conversation. */
const conversation = (sequence: number) => {
  return { ...bot, resultId, sessionId, conversationKey, sequence }
}

const answer = {
  blockId,
  groupTitle: "Sign up",
  variableName: "Name",
  content: "Ann",
}

const at = <Type extends EventType, Data>(type: Type, data: Data) => {
  return { type, timestamp: exampleTime, data }
}

/** By type, in the order of the schema. */
export const eventExamples: EventExamples = {
  "conversation.started": at("conversation.started", conversation(1)),
  "answer.submitted": at("answer.submitted", {
    ...conversation(6),
    answer: { ...answer, resultId },
  }),
  "conversation.paused": at("conversation.paused", conversation(2)),
  "conversation.resumed": at("conversation.resumed", conversation(5)),
  "conversation.reply": at("conversation.reply", {
    ...conversation(4),
    reply: {
      id: "019e4ec1-0a2c-7d11-9b3f-5d44e55f6a77",
      text: "I have your order here.",
      author: "Eve",
    },
  }),
  "conversation.assigned": at("conversation.assigned", {
    ...conversation(3),
    assigneeId: exampleCaller.id,
  }),
  "conversation.idle": at("conversation.idle", {
    ...conversation(2),
    idle: { afterSeconds: 600 },
  }),
  "conversation.expired": at("conversation.expired", conversation(2)),
  "conversation.ended": at("conversation.ended", conversation(8)),
  "result.completed": at("result.completed", {
    ...conversation(7),
    result: {
      id: resultId,
      answers: [{ name: "Name", variableName: "Name", blockId, content: "Ann" }],
    },
  }),
  "bot.published": at("bot.published", {
    ...bot,
    version: 1,
    note: "Asks for the name",
  }),
  "bot.rolledBack": at("bot.rolledBack", { ...bot, version: 1 }),
  ping: at("ping", { workspaceId, endpointId }),
}
