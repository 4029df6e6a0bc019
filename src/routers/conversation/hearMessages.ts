/** A chat as people see it, while it goes on: for members of the team who watch it. */

import { z } from "zod"
import { viewChats } from "../../chat/conversations/viewChat.ts"
import { notFound, sessionNotFound } from "../../lib/errors.ts"
import { fitting } from "../../lib/responseSize.ts"
import { requireBot } from "../../people/access.ts"
import type { Caller } from "../../people/caller.ts"
import { type Context, createContext } from "../context.ts"
import { botIdSchema, sessionIdSchema } from "../sharedSchemas.ts"
import { requireCaller } from "../trpc.ts"
import {
  afterSchema,
  chatLineSchema,
  chatOver,
  type Position,
  positionsOf,
  readLines,
} from "./chatMessages.ts"
import { keySchema } from "./conversationSchemas.ts"
import { type OpenChat, requireChat, requireKeyedChat } from "./requireChat.ts"

/** One event of the stream. Answers are made of it, and not checked against it. */
export const chatNewsSchema = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("listening").describe("Every line after the position follows"),
    }),
    z.object({
      type: z.literal("message").describe("The next line of the chat"),
      message: chatLineSchema,
    }),
    z.object({
      type: z.literal("typing").describe("The person types; shown for some seconds"),
    }),
    z.object({ type: z.literal("ended").describe("The flow is over, and so is the stream") }),
    z.object({ type: z.literal("expired").describe("Silence has ended the chat and the stream") }),
  ])
  .meta({ id: "ChatNews", description: "What happens in a chat, for the team" })

export type ChatNews = z.infer<typeof chatNewsSchema>

/** The position up to which everything was heard, and what. */
export type HeardNews = { id: string; data: ChatNews }

type Hearing = {
  after?: string | undefined
  /** The position that a client was at when it lost the stream. */
  lastId?: string | undefined
  signal: AbortSignal
}

export const keyedHearingSchema = z.object({
  botId: botIdSchema,
  key: keySchema,
  after: afterSchema,
})

export const sessionHearingSchema = z.object({ sessionId: sessionIdSchema, after: afterSchema })

/** The chat of a key. */
export function hearKeyedChat(
  ctx: Context,
  { botId, key, ...hearing }: z.infer<typeof keyedHearingSchema> & Hearing,
) {
  return hearChat(ctx, hearing, (caller) => requireKeyedChat(caller, { botId, key }, "read"))
}

/** The chat of a session, with or without a key. */
export function hearSession(
  ctx: Context,
  { sessionId, ...hearing }: z.infer<typeof sessionHearingSchema> & Hearing,
) {
  return hearChat(ctx, hearing, (caller) => requireChat(caller, sessionId, "read"))
}

/** Max bytes of lines that wait for a slow reader. */
const maxHeldBytes = 1_000_000

/** Reads a chat for a caller, who is admitted again whenever there is news. */
async function* hearChat(
  ctx: Context,
  { after, lastId, signal }: Hearing,
  find: (caller: Context & { user: Caller }) => Promise<OpenChat>,
): AsyncGenerator<HeardNews, void> {
  const chat = await find({ ...ctx, user: await requireCaller(ctx, "results:read") })
  const { workspaceId, userId } = await admit(ctx, chat)
  const positions = positionsOf(ctx, chat)
  let position = positions.open(lastId ?? after)
  if (position[0] === chatOver[0]) throw sessionNotFound("CHAT_ENDED")
  const heard = (data: ChatNews, at = position) => ({ id: positions.seal(at), data })
  for await (const waking of ctx.live.chats.hear({ ...chat, workspaceId, userId, signal })) {
    if (waking !== "news") {
      await admit(ctx, chat)
      yield heard({ type: waking })
      continue
    }
    // Read before the lines: all of a chat that is over are there.
    const [view] = await viewChats(ctx.chat, [chat])
    if (!view) throw notFound("Session")
    for await (const { line, position: next } of linesAfter(ctx, chat, position)) {
      position = next
      yield heard({ type: "message", message: line })
    }
    const { state } = view
    if (state === "ended" || state === "expired") return yield heard({ type: state }, chatOver)
  }
}

/** Reads no more lines at a time than a reader may leave waiting. */
async function* linesAfter(ctx: Context, chat: OpenChat, start: Position) {
  let position = start
  for (let isRead = false; !isRead; ) {
    await admit(ctx, chat)
    const lines = await readLines(ctx, chat, position)
    const page = fitting(lines, maxHeldBytes)
    yield* page
    position = page.at(-1)?.position ?? position
    isRead = page.length === lines.length
  }
}

/** A token may have been revoked, and a role taken away, since the last time. */
async function admit(ctx: Context, { botId }: OpenChat) {
  const user = await requireCaller(createContext(ctx, ctx), "results:read")
  const { workspaceId } = await requireBot({ db: ctx.db, user }, botId, "read")
  return { workspaceId, userId: user.id }
}
