/** Finds sessions by their ids, admits callers to them, and makes them ready to run. */
import type { CallContext } from "../../effects/perform.ts"
import { areTooLarge, useWorkspaceVariables } from "../../effects/snapshots.ts"
import { type KnownVariables, openTurnVariables } from "../../effects/variables/turnVariables.ts"
import type { Bot } from "../../engine/bot.ts"
import { limitsOf } from "../../engine/budget/fuel.ts"
import type { TextFormat } from "../../engine/payload.ts"
import { readSession, type Session } from "../../engine/session.ts"
import type { EngineDeps } from "../../engine/turn/run.ts"
import { AppError, sessionNotFound, tooExpensive } from "../../lib/errors.ts"
import { newId, newUuid, resultIdOfSession } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"
import { createLiveStore } from "./liveStore.ts"
import { createPreviewStore } from "./previewStore.ts"
import type { LoadedSession, SessionStore, StoredSession } from "./sessionStore.ts"

/** Where a chat call comes from, as far as browsers say. */
export type Origin = {
  origin?: string | undefined
  /** Origin of the page around our own viewer. */
  iframeReferrerOrigin?: string | undefined
  /** The bots that are served at the domain to which the call came; undefined: all. */
  onlyBots: ReadonlySet<string> | undefined
}

/** The store of a session by its id alone. */
export function createSessionStore(chat: Chat, sessionId: string): SessionStore {
  const resultId = resultIdOfSession(sessionId)
  return resultId === undefined
    ? createPreviewStore(chat, sessionId)
    : createLiveStore(chat, { resultId, sessionId })
}

/** Finds a session to read, not to run a turn. Returns undefined when no session has that id. */
export async function findLoadedSession(
  chat: Chat,
  sessionId: string,
): Promise<LoadedSession | undefined> {
  const { session } = await createSessionStore(chat, sessionId).find()
  return session && loadSession(chat, session)
}

/** The same, or 404; 403 for pages that the author did not list. */
export async function requireSession(
  chat: Chat,
  sessionId: string,
  from: Origin,
): Promise<LoadedSession> {
  const loaded = await findLoadedSession(chat, sessionId)
  if (!loaded) throw sessionNotFound()
  admitToSession(chat, loaded, from)
  return loaded
}

/**
 * Refuses pages that the author did not list, unless the session is a preview; 404 at a domain that is not that of
 * its bot.
 */
export function admitToSession(
  chat: Chat,
  { session, root }: Pick<LoadedSession, "session" | "root">,
  from: Origin,
): void {
  const { onlyBots } = from
  if (onlyBots && (session.isPreview || !onlyBots.has(root.id))) throw sessionNotFound()
  if (!session.isPreview) admitOrigin(chat, root, from)
}

/** Refuses pages that the author did not list; callers other than browsers send no origin. */
export function admitOrigin(chat: Chat, bot: Bot, from: Origin): void {
  const listed = bot.flow.settings.security?.allowedOrigins ?? []
  const { origin, iframeReferrerOrigin } = from
  if (origin === undefined || listed.length === 0 || listed.includes(origin)) return
  const allowed = listed.map(plainOrigin)
  if (allowed.includes(origin)) return
  const isViewer = chat.viewerOrigins.includes(origin)
  // The chat page itself is ours; a page around it has to be listed.
  const isAdmitted =
    iframeReferrerOrigin === undefined ||
    [...chat.viewerOrigins, ...allowed].includes(iframeReferrerOrigin)
  if (!isViewer || !isAdmitted) throw new AppError("ORIGIN_NOT_ALLOWED", "Origin not allowed")
}

/** An origin as browsers send it, of an address in any spelling; other texts as they are. */
export function plainOrigin(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text
}

/** Reads a session's state and loads the bots on its queue. */
export async function loadSession(chat: Chat, stored: StoredSession): Promise<LoadedSession> {
  const { owner, unanswered, aheadMs } = stored
  const session = readSession(stored.state)
  const bots: LoadedSession["bots"] = new Map()
  for (const { version } of session.queue) await loadBot(chat, { session, bots }, version)
  const root = bots.get(session.queue.at(-1)?.version ?? "")
  if (!root) throw new Error("A session without a bot")
  const isLasting = session.conversation?.isLasting === true
  return { session, bots, root, owner, unanswered: isLasting ? undefined : unanswered, aheadMs }
}

/**
 * Adds a version to the bots of a session; the flow of a preview may be gone, which is a 404. Throws a 422
 * when they are too large together: a chat may wait in a hundred bots.
 */
export async function loadBot(
  { snapshots }: Pick<Chat, "snapshots">,
  { session, bots }: Pick<LoadedSession, "session" | "bots">,
  version: string,
): Promise<void> {
  if (bots.has(version)) return
  const { isPreview } = session
  const bot = isPreview
    ? await snapshots.loadPreview(version)
    : (await snapshots.load(version))?.bot
  // Later previews of the same owner may have pushed it out; a linked bot may be deleted for good.
  if (!bot) throw sessionNotFound()
  bots.set(version, bot)
  if (areTooLarge(bots))
    throw tooExpensive("The linked bots that this chat is in take too much memory together")
}

/**
 * Adds the variables of the workspace if one of the bots uses some: the same for the whole turn. As with
 * credentials, an anonymous preview has none. No promise when they are in memory.
 */
export function addVariables(
  { variables }: Pick<Chat, "variables">,
  loaded: LoadedSession,
): void | Promise<void> {
  const { bots, owner, session } = loaded
  const { workspaceId } = owner
  if (loaded.variables || workspaceId === undefined || session.isRestricted) return
  if (!useWorkspaceVariables(bots.values())) return
  const add = (known: KnownVariables) => {
    loaded.variables = openTurnVariables(known)
  }
  const known = variables.of(workspaceId)
  return known instanceof Promise ? known.then(add) : add(known)
}

/** The real clock, dice and ids. */
const world = { now: Date.now, random: Math.random, newId, newResultId: newUuid }

/** Dependencies of the engine for a session; `maxFuel` may lower the limit of the session. */
export function engineDepsOf(
  { ownHost }: Pick<Chat, "ownHost">,
  {
    session,
    bots,
    tracing,
    variables,
  }: Pick<LoadedSession, "session" | "bots" | "tracing" | "variables">,
  textFormat?: TextFormat,
  maxFuel = Number.POSITIVE_INFINITY,
): EngineDeps {
  const limits = limitsOf(session)
  const isLess = maxFuel < limits.fuel
  const stopwatch = tracing && (() => performance.now())
  const least = isLess ? { fuel: maxFuel } : limits
  const workspace = variables?.shown
  return { world, bots, limits: least, textFormat, ownHost, workspace, stopwatch }
}

/** The caller of the effects of a session; `session`: its state within the turn. */
export function callerOf(
  loaded: LoadedSession,
  session = loaded.session,
): Omit<CallContext, "idempotencyKey" | "turnKey" | "signal"> {
  const { isPreview, isRestricted = false } = session
  const fileOwners = fileOwnersOf(loaded, session)
  const secrets = loaded.variables?.secrets
  return { ...loaded.owner, fileOwners, isPreview, isRestricted, ...(secrets && { secrets }) }
}

/** Whose the files of a session are: each is deleted with the result that names it. */
export function fileOwnersOf(
  { owner, bots }: LoadedSession,
  { queue }: Session,
): CallContext["fileOwners"] {
  const botIds = new Map<string, string>()
  // Linked bots that have none of their own record in the result of the next one with it.
  for (const { resultId, version } of queue) {
    const bot = bots.get(version)
    if (bot && resultId !== undefined) botIds.set(resultId, bot.id)
  }
  const [first, ...others] = [...botIds].map(([resultId, botId]) => ({ botId, resultId }))
  return first ? [first, ...others] : [{ botId: owner.botId }]
}
