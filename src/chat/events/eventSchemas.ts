/** The schema of each event type, as receivers get it. */
import { z } from "zod"
import { chatMessageSchema } from "../../engine/payload.ts"
import { listOf } from "../../engine/schema/lists.ts"
import { richTextSchema } from "../../engine/schema/richText.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"

const botMembers = {
  workspaceId: z.string().describe("Id of the workspace"),
  botId: z.string().describe("Id of the bot"),
  publicId: z.string().optional().describe("Its public id when the event was handed out"),
}

const conversationMembers = {
  ...botMembers,
  resultId: z.string().describe("Id of the result of the conversation"),
  sessionId: z.string().describe("Id of the session, with which it can be continued"),
  conversationKey: z.string().optional().describe("The caller's own key; absent: it has none"),
  sequence: z
    .int()
    .describe("Counts the events of the session that some endpoint wanted, from 1, without gaps"),
}

const answerMembers = {
  blockId: z.string().describe("Id of the input"),
  groupTitle: z.string().optional().describe("Title of its group"),
  variableName: z.string().optional().describe("Variable that it is saved in; absent: none"),
  content: z.string().describe("The answer as it is saved"),
}

const submittedAnswerSchema = namedObject("SubmittedAnswer", "An accepted reply", {
  ...answerMembers,
  resultId: z
    .string()
    .describe("Id of the result that records it: another one in a linked bot with its own results"),
  attachedFileUrls: z.array(z.string()).optional().describe("Files that came with it"),
})

const completedAnswerSchema = namedObject("CompletedAnswer", "An answer of a completed result", {
  name: z
    .string()
    .describe("Its variable, else the title of its group, numbered from its second input on"),
  variableName: z.string().optional().describe("Variable that it is saved in; absent: none"),
  blockId: z.string().optional().describe("Id of the input; absent: several save to this name"),
  content: z.string().describe("The last answer under that name"),
})

const completedResultSchema = namedObject("CompletedResult", "A result that is completed", {
  id: z.string().describe("Id of the result"),
  answers: z.array(completedAnswerSchema).describe("Its answers, one per name"),
})

const idleSchema = namedObject("IdleConversation", "A conversation in which nothing was said", {
  afterSeconds: z.number().describe("The threshold that was passed"),
  messages: z
    .array(chatMessageSchema)
    .optional()
    .describe("What the flow says to it; absent: nothing"),
})

/** Max people's names are long; everything else of a reply is bounded as in messages. */
const maxAuthorLength = 100
const maxAttachments = 10

/** What a reply of the team says. */
export const replyShape = {
  richText: richTextSchema.optional().describe("The reply as rich text; absent: it is plain text"),
  attachedFileUrls: listOf(z.url({ protocol: /^https?$/ }).max(8192), maxAttachments)
    .optional()
    .describe("Addresses of files"),
  author: z
    .string()
    .min(1)
    .max(maxAuthorLength)
    .optional()
    .describe("Name that is shown with the reply; absent: none"),
}

export const teamReplySchema = namedObject(
  "TeamReply",
  "What a person of the team says in a chat",
  {
    id: z.string().describe("Id of the reply; later messages of the chat have greater ones"),
    text: z.string().describe("The reply: Markdown if there is rich text, else plain text"),
    ...replyShape,
  },
)

export type TeamReply = z.infer<typeof teamReplySchema>

const conversationDataSchema = namedObject(
  "ConversationData",
  "Data of every conversation event",
  conversationMembers,
)

/** Data of a conversation event beyond that of all of them. */
const conversationDataWith = <Shape extends z.ZodRawShape>(name: string, shape: Shape) =>
  namedObject(name, "Data of the event", { ...conversationMembers, ...shape })

const publicationDataSchema = namedObject(
  "PublicationData",
  "Data of the event that a version went live",
  {
    ...botMembers,
    version: z.int().describe("Number of the version that is live now"),
    note: z.string().optional().describe("What its author wrote about it"),
  },
)

const pingDataSchema = namedObject("PingData", "Data of the event", {
  workspaceId: z.string().describe("Id of the workspace"),
  endpointId: z.string().describe("Id of the endpoint"),
})

/** An event of one type; its component is named after the type: `ConversationStartedEvent`. */
function eventOf<Type extends string, Data extends z.ZodObject>(
  type: Type,
  description: string,
  data: Data,
) {
  const words = type.split(".").map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return namedObject(`${words.join("")}Event`, description, {
    type: z.literal(type).describe("What happened"),
    timestamp: z.string().meta({ description: "When it happened", format: "date-time" }),
    data,
  })
}

export const webhookEventSchema = z
  .discriminatedUnion("type", [
    eventOf(
      "conversation.started",
      "A person started a conversation with the flow",
      conversationDataSchema,
    ),
    eventOf(
      "answer.submitted",
      "A reply was accepted",
      conversationDataWith("AnswerSubmittedData", { answer: submittedAnswerSchema }),
    ),
    eventOf("conversation.paused", "A person took over", conversationDataSchema),
    eventOf("conversation.resumed", "The bot goes on", conversationDataSchema),
    eventOf(
      "conversation.reply",
      "A person of the team answered",
      conversationDataWith("ConversationReplyData", { reply: teamReplySchema }),
    ),
    eventOf(
      "conversation.assigned",
      "Another person of the team is in charge, or none",
      conversationDataWith("ConversationAssignedData", {
        assigneeId: z.string().optional().describe("Id of the user in charge; absent: none"),
      }),
    ),
    eventOf(
      "conversation.idle",
      "Nothing was said for a while",
      conversationDataWith("ConversationIdleData", { idle: idleSchema }),
    ),
    eventOf("conversation.expired", "The conversation ended by silence", conversationDataSchema),
    eventOf(
      "conversation.ended",
      "The flow ended, or was ended by a member",
      conversationDataSchema,
    ),
    eventOf(
      "result.completed",
      "The flow is over and has answers",
      conversationDataWith("ResultCompletedData", { result: completedResultSchema }),
    ),
    eventOf("bot.published", "The draft of a bot went live", publicationDataSchema),
    eventOf("bot.rolledBack", "An earlier version of a bot went live", publicationDataSchema),
    eventOf("ping", "A test of the endpoint", pingDataSchema),
  ])
  .meta({ id: "WebhookEvent", description: "What a webhook endpoint receives" })

export type WebhookEvent = z.infer<typeof webhookEventSchema>

/** All types that an endpoint can subscribe to; pings need no subscription. */
export const eventTypes = webhookEventSchema.options
  .map(({ shape }) => shape.type.value)
  .filter((type) => type !== "ping")

export type EventType = (typeof eventTypes)[number]

type BotMembers = keyof typeof botMembers
type OwnMembers = keyof typeof conversationMembers

type DataOf<Type extends WebhookEvent["type"]> = Extract<WebhookEvent, { type: Type }>["data"]

type ConversationType = Exclude<EventType, "bot.published" | "bot.rolledBack">

/** A conversation event, without the common data. */
export type ConversationEvent = {
  [Type in ConversationType]: { type: Type; data: Omit<DataOf<Type>, OwnMembers> }
}[ConversationType]

/** A bot event, without the common data. */
export type BotEvent = {
  [Type in "bot.published" | "bot.rolledBack"]: { type: Type; data: Omit<DataOf<Type>, BotMembers> }
}["bot.published" | "bot.rolledBack"]
