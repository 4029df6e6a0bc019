/** GET /api/v1/bots/{botId}/conversations */
import { z } from "zod"
import { type ChatView, viewChats } from "../../chat/conversations/viewChat.ts"
import { type ListedConversation, listConversations } from "../../db/chats/conversations.ts"
import { requireBot } from "../access.ts"
import { botIdSchema } from "../bot/schema.ts"
import type { Context } from "../context.ts"
import { cursorsOf, pageMembers, pageSchema } from "../cursor.ts"
import { instantSchema } from "../sharedSchemas.ts"
import { tokenOperation } from "../trpc.ts"
import {
  exampleConversation,
  listedConversationSchema,
  presentChats,
  stateSchema,
} from "./schema.ts"

const inputSchema = z.object({
  botId: botIdSchema,
  state: stateSchema.optional().describe("Only those in this state; absent: all"),
  updatedSince: instantSchema("Only those with a turn since then; absent: all").optional(),
  ...pageMembers,
})

/** Lists the conversations of a bot. */
export const listProcedure = tokenOperation("GET /bots/{botId}/conversations", {
  operationId: "listConversations",
  admits: "botReaders",
  tag: "Conversations",
  summary: "List conversations",
  description:
    "The current or last chat of every key, most recently started first, without variables. A page " +
    "may be short although more follow. Needs a role at the bot.",
  example: { response: { conversations: [exampleConversation] } },
})
  .input(inputSchema)
  .output(
    pageSchema.extend({
      conversations: z.array(listedConversationSchema).describe("Most recently started first"),
    }),
  )
  .query(async ({ ctx, input }) => {
    await requireBot(ctx, input.botId, "read")
    const cursors = cursorsOf(ctx, ["listConversations", input.botId], z.guid())
    const { views, next } = await findPage(ctx, input, cursors.read(input.cursor))
    const presented = await presentChats(ctx, views)
    const conversations = presented.map(({ variables: _, ...listed }) => listed)
    return { conversations, ...cursors.write(next) }
  })

/** A session may hold a megabyte of variables. */
const viewedAtOnce = 10

/** The views of conversations, without variables. */
async function* viewsOf(chat: Context["chat"], rows: readonly ListedConversation[]) {
  for (let start = 0; start < rows.length; start += viewedAtOnce) {
    const some = rows.slice(start, start + viewedAtOnce)
    for (const view of await viewChats(chat, some, { isList: true })) {
      yield { ...view, variables: [] }
    }
  }
}

const batchSize = 200
/** Only sessions hold the state, so a filter may have to read many of them. */
const maxBatches = 10

/** Reads a page of conversations that pass the filters; `next` is the result id to continue from. */
async function findPage(
  { db, chat }: Pick<Context, "db" | "chat">,
  { botId, state, updatedSince, limit }: z.infer<typeof inputSchema>,
  first: string | undefined,
): Promise<{ views: ChatView[]; next?: string | undefined }> {
  const since = updatedSince === undefined ? 0 : Date.parse(updatedSince)
  const isFiltered = state !== undefined || since > 0
  const size = isFiltered ? batchSize : limit
  const found: ChatView[] = []
  let startAt = first
  for (let batch = 0; batch < maxBatches; batch++) {
    const rows = await listConversations(db, { botId, startAt, limit: size + 1 })
    startAt = rows[size]?.resultId
    for await (const view of viewsOf(chat, rows.slice(0, size))) {
      const isWanted = state === undefined || view.state === state
      if (!isWanted || view.updatedAt.getTime() < since) continue
      if (found.length === limit) return { views: found, next: view.resultId }
      found.push(view)
    }
    if (startAt === undefined || found.length === limit) break
  }
  return { views: found, next: startAt }
}
