/** Operations on conversations: those of a bot, and one by its key or by its session. */

import { z } from "zod"
import { isOverError } from "../../chat/conversations/sendMessage.ts"
import { steerChat } from "../../chat/conversations/steerChat.ts"
import { type ChatView, viewChats } from "../../chat/conversations/viewChat.ts"
import { readKey } from "../../chat/idempotency.ts"
import { findVersionNumbers } from "../../db/bots/versions.ts"
import {
  type ListedConversation,
  listAnsweredChats,
  listConversations,
} from "../../db/chats/conversations.ts"
import { mapOf } from "../../engine/schema/lists.ts"
import { namedObject } from "../../engine/schema/sharedMembers.ts"
import { variableValueSchema } from "../../engine/schema/variable.ts"
import { cut } from "../../lib/cut.ts"
import { orNotFound } from "../../lib/errors.ts"
import { requireAssignee, requireBot } from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import { chatStepShape, textFormatSchema } from "../chat/chatSchemas.ts"
import type { Context } from "../context.ts"
import { cursorsOf, pageMembers, pageSchema, uuidPositionSchema } from "../cursor.ts"
import { exampleTime } from "../examples.ts"
import { presentRow } from "../presentRow.ts"
import {
  botIdSchema,
  instantSchema,
  sessionIdSchema,
  timestampSchema,
  versionNumberSchema,
} from "../sharedSchemas.ts"
import { operationsOf } from "../trpc.ts"
import {
  exampleChat,
  exampleConversation,
  keySchema,
  resultIdMember,
  resumeAfterSchema,
  stateSchema,
} from "./conversationSchemas.ts"
import { type OpenChat, requireChat, requireKeyedChat } from "./requireChat.ts"

const operation = operationsOf("Conversations")

const inputSchema = z.object({
  botId: botIdSchema,
  chats: z
    .enum(["keyed", "all"])
    .default("keyed")
    .describe(
      "keyed: the chat of every key; all: chats with an answer, those of web pages included",
    ),
  state: stateSchema.optional().describe("Only those in this state; absent: all"),
  assigneeId: z.string().max(255).optional().describe("Only those of this user; absent: all"),
  updatedSince: instantSchema("Only those with a turn since then; absent: all").optional(),
  ...pageMembers,
})

/** A session may hold a megabyte of variables. */
const viewedAtOnce = 10

const batchSize = 200
/** Only sessions hold the state, so a filter may have to read many of them. */
const maxBatches = 10

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

const listedConversationSchema = z
  .object({
    key: keySchema.optional().describe("The caller's own key; absent: a chat without one"),
    state: stateSchema,
    sessionId: sessionIdSchema,
    resultId: resultIdMember,
    versionNumber: versionNumberSchema
      .optional()
      .describe("Number of the version that the chat runs; absent: it was deleted"),
    startedAt: timestampSchema("When the chat, or the result that it continues, started"),
    updatedAt: timestampSchema("When its last turn was"),
    pausedAt: timestampSchema("When a member took over; absent: not paused").optional(),
    resumesAt: timestampSchema("When the bot goes on by itself; absent: never").optional(),
    assigneeId: z.string().optional().describe("Id of the user in charge; absent: none"),
    expiresAt: timestampSchema("When it expires without a reply; absent: it is over").optional(),
    waitsFor: waitingSchema.optional().describe("Where the chat waits; absent: nowhere"),
  })
  .meta({ id: "ListedConversation", description: "A chat that can be steered from outside" })

const conversationSchema = listedConversationSchema
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

const changeSchema = z.object({
  state: z
    .enum(["active", "paused", "ended"])
    .optional()
    .describe("active: the bot continues; paused: a person takes over; absent: unchanged"),
  resumeAfter: resumeAfterSchema,
  assigneeId: z
    .string()
    .max(255)
    .nullable()
    .optional()
    .describe(
      "Id of a user with access to the bot, who is in charge; null: none; absent: unchanged",
    ),
  variables: mapOf(z.string(), z.unknown())
    .optional()
    .describe("Values by variable name, set in every running bot that has such a variable"),
  continueAt: positionSchema
    .optional()
    .describe("Where the flow continues; a paused chat has to be resumed in the same request"),
  textBubbleContentFormat: textFormatSchema,
})

const changedSchema = namedObject("SteeredConversation", "A conversation after a change", {
  conversation: conversationSchema,
  ...chatStepShape,
  messages: chatStepShape.messages.optional().describe("What to show; only with `continueAt`"),
})

export const conversations = {
  get: operation("GET /bots/{botId}/conversations/{key}", {
    operationId: "getConversation",
    admits: "botReaders",
    summary: "Get the conversation of a key",
    description: "The current chat of the key, or its last one. Needs a role at the bot.",
    example: {
      response: {
        conversation: { ...exampleConversation, variables: [{ name: "Name", value: null }] },
      },
    },
    input: { botId: botIdSchema, key: keySchema },
    output: { conversation: conversationSchema },
  }).query(async ({ ctx, input }) => {
    return { conversation: await presentChat(ctx, await requireKeyedChat(ctx, input, "read")) }
  }),

  update: operation("PATCH /bots/{botId}/conversations/{key}", {
    operationId: "updateConversation",
    takesKey: true,
    admits: "botWriters",
    isTrusted: true,
    summary: "Steer the conversation of a key",
    description:
      "Pauses, resumes or ends the chat, sets variables, or continues it elsewhere in the flow, after " +
      "any message that is being answered. 409 with the reason `CHAT_PAUSED` when the chat has to be " +
      "resumed first, 404 with `CHAT_ENDED` or `CHAT_EXPIRED` when it is over.",
    example: {
      request: { state: "paused" },
      response: {
        conversation: {
          ...exampleConversation,
          state: "paused",
          pausedAt: exampleTime,
          variables: [{ name: "Name", value: null }],
        },
      },
    },
    input: changeSchema.extend({ botId: botIdSchema, key: keySchema }),
    output: changedSchema,
  }).mutation(async ({ ctx, input: { botId, key, ...change } }) => {
    return await changeChat(ctx, await requireKeyedChat(ctx, { botId, key }, "write"), change)
  }),

  getSession: operation("GET /sessions/{sessionId}", {
    operationId: "getSession",
    admits: "botReaders",
    isTrusted: true,
    summary: "Get a chat by its session",
    description: "Also works for chats without a key. Needs a role at the bot.",
    example: {
      response: { conversation: { ...exampleChat, variables: [{ name: "Name", value: null }] } },
    },
    input: { sessionId: sessionIdSchema },
    output: { conversation: conversationSchema },
  }).query(async ({ ctx, input: { sessionId } }) => {
    const view = await requireChat(ctx, sessionId, "read")
    const [conversation] = await presentChats(ctx, [view])
    return { conversation: orNotFound(conversation, "Session") }
  }),

  updateSession: operation("PATCH /sessions/{sessionId}", {
    operationId: "updateSession",
    takesKey: true,
    admits: "botWriters",
    summary: "Steer a chat by its session",
    description: "Like `updateConversation`, also for chats without a key.",
    example: {
      request: { variables: { Name: "Ann" } },
      response: { conversation: { ...exampleChat, variables: [{ name: "Name", value: "Ann" }] } },
    },
    input: changeSchema.extend({
      sessionId: sessionIdSchema,
      variables: changeSchema.shape.variables.describe(
        "Values by variable name, as in `updateConversation`",
      ),
    }),
    output: changedSchema,
  }).mutation(async ({ ctx, input: { sessionId, ...change } }) => {
    return await changeChat(ctx, await requireChat(ctx, sessionId, "write"), change)
  }),

  list: operation("GET /bots/{botId}/conversations", {
    operationId: "listConversations",
    admits: "botReaders",
    summary: "List conversations",
    description:
      "The current or last chat of every key, or of every result with `chats=all`, most recently started " +
      "first, without variables. A page " +
      "may be short although more follow. Needs a role at the bot.",
    example: { response: { conversations: [exampleConversation] } },
    input: inputSchema,
    output: pageSchema.extend({
      conversations: z.array(listedConversationSchema).describe("Most recently started first"),
    }),
  }).query(async ({ ctx, input }) => {
    await requireBot(ctx, input.botId, "read")
    const cursors = cursorsOf(ctx, ["listConversations", input.botId], uuidPositionSchema)
    const { views, next } = await findPage(ctx, input, cursors.read(input.cursor))
    const presented = await presentChats(ctx, views)
    const conversations = presented.map(({ variables: _, ...listed }) => listed)
    return { conversations, ...cursors.write(next) }
  }),
}

type Presented = z.infer<typeof conversationSchema>

async function presentChats({ db }: Pick<Context, "db">, views: readonly ChatView[]) {
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

/** Presents one chat. 404 when it is unknown or was purged. */
async function presentChat(ctx: Pick<Context, "db" | "chat">, ids: OpenChat) {
  const [presented] = await presentChats(ctx, await viewChats(ctx.chat, [ids]))
  return orNotFound(presented, "Conversation")
}

/** Steers a chat and presents its new state. */
async function changeChat(
  ctx: Context & { user: Caller },
  ids: OpenChat,
  change: z.infer<typeof changeSchema>,
): Promise<z.infer<typeof changedSchema>> {
  const { idempotencyKey, hasLeft } = ctx
  const { textBubbleContentFormat: textFormat, ...steering } = change
  const keyed = idempotencyKey === undefined ? undefined : readKey(idempotencyKey, change)
  const { botId, resultId, sessionId } = ids
  if (change.assigneeId) await requireAssignee(ctx, { botId, userId: change.assigneeId })
  const request = { resultId, sessionId, ...steering, textFormat, keyed, hasLeft }
  try {
    const { step, isReplayed } = await steerChat(ctx.chat, request)
    if (isReplayed) ctx.setHeader("Idempotent-Replayed", "true")
    return { ...(change.continueAt && step), conversation: await presentChat(ctx, ids) }
  } catch (error) {
    if (change.state === "ended" && isOverError(error)) {
      return { conversation: await presentChat(ctx, ids) }
    }
    throw error
  }
}

/** The views of conversations, without variables. */
async function* viewsOf(chat: Context["chat"], rows: readonly ListedConversation[]) {
  for (let start = 0; start < rows.length; start += viewedAtOnce) {
    const some = rows.slice(start, start + viewedAtOnce)
    for (const view of await viewChats(chat, some, { isList: true })) {
      yield { ...view, variables: [] }
    }
  }
}

/** Reads a page of conversations that pass the filters; `next` is the result id to continue from. */
async function findPage(
  { db, chat }: Pick<Context, "db" | "chat">,
  { botId, chats, state, assigneeId, updatedSince, limit }: z.infer<typeof inputSchema>,
  first: string | undefined,
): Promise<{ views: ChatView[]; next?: string | undefined }> {
  const since = updatedSince === undefined ? 0 : Date.parse(updatedSince)
  const isFiltered = state !== undefined || assigneeId !== undefined || since > 0
  const size = isFiltered ? batchSize : limit
  const found: ChatView[] = []
  let startAt = first
  for (let batch = 0; batch < maxBatches; batch++) {
    const list = chats === "all" ? listAnsweredChats : listConversations
    const rows = await list(db, { botId, startAt, limit: size + 1 })
    startAt = rows[size]?.resultId
    for await (const view of viewsOf(chat, rows.slice(0, size))) {
      const isWanted = state === undefined || view.state === state
      const isOfThem = assigneeId === undefined || view.assigneeId === assigneeId
      if (!isWanted || !isOfThem || view.updatedAt.getTime() < since) continue
      if (found.length === limit) return { views: found, next: view.resultId }
      found.push(view)
    }
    if (startAt === undefined || found.length === limit) break
  }
  return { views: found, next: startAt }
}
