/** Starts a chat on a published bot. */
import { findRunnable, type RunnableRow } from "../db/chats/runnable.ts"
import type { ChatIds } from "../db/chats/sessions.ts"
import { findQuotaFacts } from "../db/results/usage.ts"
import type { Bot, SchemaVersion } from "../engine/bot.ts"
import type { Message } from "../engine/schema/message.ts"
import { createSession, languageOf, type Session } from "../engine/session.ts"
import { textsIn } from "../engine/texts.ts"
import type { ClientAppearance, Turn } from "../engine/turn/run.ts"
import { register, type StartRequest, start } from "../engine/turn/turn.ts"
import { AppError } from "../lib/errors.ts"
import { isUuid, newSessionId, newUuid } from "../lib/ids.ts"
import { workspaceParty } from "../lib/party.ts"
import { isClosedByQuota, monthOf } from "../lib/plans.ts"
import type { Chat } from "./chat.ts"
import { type ChatStep, respond } from "./continueChat.ts"
import { type ChatAnswer, registerStart } from "./idempotency.ts"
import { withTrace } from "./previews/previewTracing.ts"
import { toolOutcomeOf } from "./publishedTool.ts"
import { createNewLiveStore } from "./sessions/liveStore.ts"
import { admitOrigin, type Origin } from "./sessions/loadSession.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"
import { type TurnRequest, type TurnToTake, takeTurn } from "./takeTurn.ts"

export type StartOptions = TurnRequest & {
  message?: Message | undefined
  isStreamEnabled: boolean
  isOnlyRegistering: boolean
  prefilledVariables?: Record<string, unknown> | undefined
  /** Language of the client, if the bot sets none. */
  language?: string | undefined
  /** Previews only. */
  startFrom?: StartRequest["from"]
}

export type StartStep = ChatStep & {
  sessionId: string
  /** Absent in previews, and when no reply is expected. */
  resultId?: string
  /** The bot, as far as its clients need it; `version`: that in which the flow is stored. */
  bot: ClientAppearance & {
    id: string
    name?: string
    version: SchemaVersion
    publishedAt?: string
  }
}

type Start = Pick<TurnToTake<StartStep>, "request" | "isDroppable" | "begin" | "respond">

type Published = Pick<RunnableRow, "name" | "publishedAt">

/** The turn of a start, without the source of its session. */
export function startTurn(request: StartOptions, published?: Published): Start {
  const { isOnlyRegistering, message: opening, startFrom: from } = request
  return {
    request,
    isDroppable: true,
    begin: (deps, session) =>
      isOnlyRegistering ? register(deps, session) : start(deps, session, { opening, from }),
    respond: (turn, loaded) => {
      const { owner, root, bots, tracing } = loaded
      const { sessionId, resultId } = owner
      const step = {
        sessionId,
        ...(resultId !== undefined && wantsReply(turn) ? { resultId } : {}),
        bot: {
          id: root.id,
          ...(published && { name: published.name }),
          version: root.flow.version,
          ...appearanceOf(turn),
          ...(published && { publishedAt: published.publishedAt.toISOString() }),
        },
        ...respond(turn),
        ...(request.isForTool && { outcome: toolOutcomeOf(turn, loaded) }),
      }
      return tracing ? withTrace(step, turn, { bots, tracing }) : step
    },
  }
}

/** Whether the client is to answer; an embed that is waited for reports by itself. */
function wantsReply({ input, actions }: Turn): boolean {
  return input !== undefined || actions.some((action) => action.expectsDedicatedReply)
}

function appearanceOf({ appearance }: Turn): ClientAppearance {
  if (!appearance) throw new Error("A start without theme and settings")
  return appearance
}

type StartChatRequest = Origin &
  StartOptions & {
    publicId: string
    /** An earlier result to continue, if the bot remembers its users. */
    resultId?: string | undefined
    /** Absent: a caller with a token, whose chats may wait for an answer. */
    address?: string | undefined
  }

/** Starts a chat; a repetition of a keyed start gets the first one's answer. */
export async function startChat(
  chat: Chat,
  request: StartChatRequest,
): Promise<ChatAnswer<StartStep>> {
  const deadline = performance.now() + chat.turnTimeoutMs
  const { publicId, keyed, hasLeft } = request
  const started = await findStarted(chat, request)
  const begin = async () => {
    const { isFirst, ...ids } = await idsOf(chat, request, started)
    const loaded = open(chat, request, { ...started, ...ids, isFirst })
    const isRepeatable = keyed !== undefined
    return takeTurn(chat, {
      ...startTurn(request, started.runnable),
      store: createNewLiveStore(chat, {
        ...ids,
        loaded,
        isRepeatable,
        mayExist: !isFirst,
        callerAddress: request.address,
      }),
      asked: keyed?.key,
      deadline,
      busy: "This chat is being started by another request",
      load: async () => loaded,
    })
  }
  return keyed ? chat.queue.run(`${publicId} ${keyed.key}`, begin, hasLeft) : begin()
}

/** The bot of a start, and the earlier result that the chat continues, if any. */
export type Started = {
  bot: Bot
  runnable: RunnableRow
  remembered: RunnableRow["remembered"]
  /** As in `LoadedSession`. */
  aheadMs: number
}

async function findStarted(chat: Chat, request: StartChatRequest): Promise<Started> {
  const { publicId } = request
  const resultId = request.resultId && isUuid(request.resultId) ? request.resultId : undefined
  return await loadStarted(chat, await findRunnable(chat.db, { publicId, resultId }), request)
}

/** Loads the bot of a start; refuses as `admit` does, and with 404 if nothing is published. */
export async function loadStarted(
  chat: Chat,
  runnable: RunnableRow | undefined,
  request: Asking,
): Promise<Started> {
  const aheadMs = runnable ? runnable.now.getTime() - Date.now() : 0
  const snapshot = runnable && (await chat.snapshots.load(runnable.versionId))
  const { onlyBots } = request
  const isServed = runnable && (onlyBots?.has(runnable.botId) ?? true)
  if (!runnable || !snapshot || !isServed)
    throw new AppError("NOT_FOUND", "No published bot has this public id")
  const { bot } = snapshot
  admit(chat, bot, { runnable, from: request })
  if (runnable.isQuarantined) {
    await requireOpen(chat, runnable.workspaceId, closedText(bot, request))
  }
  return { bot, runnable, aheadMs, remembered: remembersUser(bot) ? runnable.remembered : null }
}

type Asking = Origin & Pick<StartOptions, "language">

function closedText(bot: Bot, { language }: Asking): string {
  return textsIn(languageOf(bot, language)).botClosed
}

/** Refuses new chats of suspended workspaces (403), of closed bots (400), from foreign pages (403). */
function admit(chat: Chat, bot: Bot, { runnable, from }: { runnable: RunnableRow; from: Asking }) {
  if (runnable.isSuspended) throw new AppError("BOT_SUSPENDED", closedText(bot, from))
  if (runnable.isClosed) {
    const words = bot.flow.settings.general?.systemMessages?.botClosed
    throw new AppError("BOT_CLOSED", words || closedText(bot, from))
  }
  admitOrigin(chat, bot, from)
}

/**
 * Refuses chats of a workspace that was closed (403). One that a count has closed is judged by the
 * present limits: after they have changed, it takes the next count minutes to lift the quarantine.
 */
async function requireOpen({ db, planLimits }: Chat, workspaceId: string, closed: string) {
  const { start } = monthOf(Date.now())
  const facts = await findQuotaFacts(db, { workspaceId, periodStart: start })
  if (!facts?.isCounted) throw new AppError("BOT_SUSPENDED", closed)
  if (isClosedByQuota(facts, planLimits))
    throw new AppError(
      "CHATS_LIMIT_REACHED",
      "This bot has reached its limit of chats for this month",
    )
}

/** Whether a returning user continues the earlier result. */
function remembersUser(bot: Bot): boolean {
  const { rememberUser, isNewResultOnRefreshEnabled: isNew } = bot.flow.settings.general ?? {}
  return rememberUser?.isEnabled ?? isNew === false
}

/** Fresh ids, or those of the first request with the same key. */
async function idsOf(
  chat: Chat,
  { publicId, resultId: earlier, keyed }: StartChatRequest,
  { bot, remembered }: Started,
): Promise<ChatIds & { isFirst: boolean }> {
  const resultId = remembered && earlier ? earlier : newUuid()
  const ids = { resultId, sessionId: newSessionId(resultId) }
  if (!keyed) return { ...ids, isFirst: true }
  // The bot, too: a public id may be given to another one.
  return registerStart(chat, keyed, { ...ids, scope: ["live", bot.id, publicId] })
}

function open(
  { unansweredMs }: Chat,
  request: StartChatRequest,
  started: Started & ChatIds & { isFirst: boolean },
): LoadedSession {
  const { aheadMs, remembered, isFirst } = started
  const until = new Date(Date.now() + aheadMs + unansweredMs)
  return {
    ...loadedOf(started, started, createLiveSession(request, started)),
    unanswered: request.address === undefined ? undefined : { until },
    // The result of a repeated start may exist, or may have been deleted.
    continues: remembered ? "earlier" : !isFirst || undefined,
  }
}

function createLiveSession(
  { isStreamEnabled, language, prefilledVariables: prefilled }: StartChatRequest,
  { bot, remembered, resultId }: Started & ChatIds,
): Session {
  const opening = { bot, isPreview: false, isStreamEnabled, language, resultId, prefilled }
  if (!remembered) return createSession(opening)
  const { variables, answers, nextAnswer, nextStep, versionId: version } = remembered
  const counts = { answers: nextAnswer, steps: nextStep }
  return createSession({ ...opening, remembered: { variables, answers, counts, version } })
}

/** A new session of a published bot, as if it had been loaded. */
export function loadedOf(
  { bot, runnable, aheadMs }: Started,
  { resultId, sessionId }: ChatIds,
  session: Session,
): LoadedSession {
  const { workspaceId } = runnable
  const owner = { party: workspaceParty(runnable), workspaceId, botId: bot.id, resultId, sessionId }
  return { session, bots: new Map([[bot.version, bot]]), root: bot, owner, aheadMs }
}
