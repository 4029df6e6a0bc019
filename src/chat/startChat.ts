/** Starts a chat on a published bot. */
import { findRunnable, type RunnableRow } from "../db/chats/runnable.ts"
import type { Bot } from "../engine/bot.ts"
import type { Message } from "../engine/schema/message.ts"
import { openSession, type Session } from "../engine/session.ts"
import { register, start } from "../engine/turn.ts"
import { notFound } from "../shared/errors.ts"
import { isUuid, newSessionId, newUuid } from "../shared/ids.ts"
import { admit, type Origin } from "./admission.ts"
import type { Chat } from "./chat.ts"
import { type ChatAnswer, registerStart, type StartIds, startKeyId } from "./idempotency.ts"
import { type ChatStep, type RuntimeBot, respond, summarize } from "./respond.ts"
import { loadLive } from "./sessions/bots.ts"
import { openNewLiveStore } from "./sessions/liveStore.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"
import { type PreparedTurn, type TurnRequest, takeTurn } from "./takeTurn.ts"

export type StartChatRequest = Origin &
  TurnRequest & {
    publicId: string
    message?: Message | undefined
    isStreamEnabled: boolean
    /** An earlier result to go on with, if the bot remembers its users. */
    resultId?: string | undefined
    isOnlyRegistering: boolean
    prefilledVariables?: Record<string, unknown> | undefined
    /** IP address of the caller; absent: a caller with a token, whose chats may wait for an answer. */
    address?: string | undefined
  }

export type StartChatStep = ChatStep & { sessionId: string; resultId?: string; bot: RuntimeBot }

/** Starts a chat; a repetition of a keyed start gets the first one's answer. */
export async function startChat(
  chat: Chat,
  request: StartChatRequest,
): Promise<ChatAnswer<StartChatStep>> {
  const deadline = performance.now() + chat.turnTimeoutMs
  const { publicId, keyed, hasLeft } = request
  const started = await findStarted(chat, request)
  const begin = async () => {
    const { resultId, sessionId, isFirst } = await idsOf(chat, request, started)
    const loaded = openLoaded(chat, request, { ...started, resultId, sessionId })
    const address = { resultId, id: sessionId }
    const isRepeatable = keyed !== undefined
    return takeTurn(chat, {
      request,
      store: openNewLiveStore(chat, { ...address, loaded, isRepeatable, mayExist: !isFirst }),
      asked: keyed?.key,
      deadline,
      busy: "This chat is being started by another request",
      isDroppable: true,
      prepare: async () => prepare(request, started, loaded),
    })
  }
  return keyed ? chat.queue.run(`${publicId} ${keyed.key}`, begin, hasLeft) : begin()
}

/** What a public id runs, and the earlier result that the chat goes on with, if there is one. */
type Started = { bot: Bot; runnable: RunnableRow; remembered: RunnableRow["remembered"] }

async function findStarted(chat: Chat, request: StartChatRequest): Promise<Started> {
  const { publicId } = request
  const resultId = request.resultId && isUuid(request.resultId) ? request.resultId : undefined
  const runnable = await findRunnable(chat.db, { publicId, resultId })
  const snapshot = runnable && (await chat.snapshots.load(runnable.versionId))
  if (!runnable || !snapshot) throw notFound("Bot")
  const { bot } = snapshot
  admit(chat, bot, { runnable, from: request })
  return { bot, runnable, remembered: remembersUser(bot) ? runnable.remembered : null }
}

/** Whether a returning user goes on with the earlier result. */
function remembersUser(bot: Bot): boolean {
  const { general } = bot.flow.settings
  const isNew = general?.isNewResultOnRefreshEnabled
  return general?.rememberUser?.isEnabled ?? (isNew === undefined ? false : !isNew)
}

/** Fresh ids, or those of the first request with the same key. */
async function idsOf(
  chat: Chat,
  { publicId, resultId: earlier, keyed }: StartChatRequest,
  { bot, remembered }: Started,
): Promise<StartIds & { isFirst: boolean }> {
  const resultId = remembered && earlier ? earlier : newUuid()
  const ids = { resultId, sessionId: newSessionId(resultId) }
  if (!keyed) return { ...ids, isFirst: true }
  // The bot, too: a public id may be given to another one.
  const keyId = startKeyId(["live", bot.id, publicId], keyed.key)
  return registerStart(chat, keyed, { ...ids, keyId })
}

function openLoaded(
  chat: Chat,
  request: StartChatRequest,
  { bot, runnable, remembered, resultId, sessionId }: Started & StartIds,
): LoadedSession {
  const { workspaceId } = runnable
  const isStranger = request.address !== undefined
  return {
    session: openLive(request, { bot, remembered, resultId }),
    bots: new Map([[bot.version, bot]]),
    root: bot,
    owner: { workspaceId, botId: bot.id, resultId, sessionId },
    load: loadLive(chat),
    unansweredUntil: isStranger ? new Date(Date.now() + chat.unansweredMs) : undefined,
  }
}

function openLive(
  { isStreamEnabled, prefilledVariables: prefilled }: StartChatRequest,
  { bot, remembered, resultId }: Pick<Started, "bot" | "remembered"> & { resultId: string },
): Session {
  return openSession({
    bot,
    isPreview: false,
    isStreamEnabled,
    isProgressShown: bot.flow.theme.general?.progressBar?.isEnabled ?? false,
    resultId,
    prefilled,
    ...(remembered
      ? {
          remembered: {
            variables: remembered.variables,
            answers: remembered.answers,
            counts: { answers: remembered.nextAnswer, steps: remembered.nextStep },
          },
        }
      : {}),
  })
}

function prepare(
  { isOnlyRegistering, message, address }: StartChatRequest,
  { bot, runnable }: Started,
  loaded: LoadedSession,
): PreparedTurn<StartChatStep> {
  const { session, owner } = loaded
  const { sessionId, resultId } = owner
  return {
    loaded,
    unanswered: address === undefined ? undefined : { address, botId: bot.id, bytes: 0 },
    begin: (deps) =>
      isOnlyRegistering ? register(deps, session) : start(deps, session, { opening: message }),
    respond: (turn) => {
      const isAwaited = turn.input !== undefined || turn.isWaiting
      return {
        sessionId,
        ...(isAwaited ? { resultId } : {}),
        bot: summarize(bot, turn, runnable.publishedAt),
        ...respond(turn),
      }
    },
  }
}
