/** Decides, before any block runs, whether a chat may start or go on. */
import type { RunnableRow } from "../db/chats/runnable.ts"
import type { Bot } from "../engine/bot.ts"
import { texts } from "../engine/texts.ts"
import { badRequest, forbidden } from "../shared/errors.ts"
import type { Chat } from "./chat.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"

/** Where a chat call comes from, as far as browsers say. */
export type Origin = {
  origin?: string | undefined
  /** Origin of the page around our own viewer. */
  iframeReferrerOrigin?: string | undefined
}

/** Refuses new chats of suspended workspaces (403), of closed bots (400), from foreign pages (403). */
export function admit(
  chat: Chat,
  bot: Bot,
  { runnable, from }: { runnable: RunnableRow; from: Origin },
): void {
  if (runnable.isBarred) throw forbidden(texts.botClosed)
  if (runnable.isClosed) {
    throw badRequest(bot.flow.settings.general?.systemMessages?.botClosed || texts.botClosed)
  }
  admitOrigin(chat, bot, from)
}

/** Refuses pages that the author did not list, unless the session is a preview. */
export function admitToSession(
  chat: Chat,
  { session, root }: Pick<LoadedSession, "session" | "root">,
  from: Origin,
): void {
  if (!session.isPreview) admitOrigin(chat, root, from)
}

/** Refuses pages that the author did not list; callers other than browsers send no origin. */
function admitOrigin(chat: Chat, bot: Bot, from: Origin): void {
  const allowed = bot.flow.settings.security?.allowedOrigins ?? []
  const { origin, iframeReferrerOrigin } = from
  if (origin === undefined || allowed.length === 0 || allowed.includes(origin)) return
  const isViewer = chat.viewerOrigins.includes(origin)
  const isListed = iframeReferrerOrigin !== undefined && allowed.includes(iframeReferrerOrigin)
  if (!isViewer || !isListed) throw forbidden("Origin not allowed")
}
