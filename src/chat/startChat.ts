/** Starts a chat on a published bot. */
import { findRunnable, type RunnableRow } from "../db/chats/runnable.ts"
import type { Bot } from "../engine/bot.ts"
import type { Message } from "../engine/schema/message.ts"
import { openSession, type Session } from "../engine/session.ts"
import { register, start } from "../engine/turn.ts"
import { isOver } from "../engine/walk/settle.ts"
import { notFound } from "../shared/errors.ts"
import { isUuid, newSessionId, newUuid } from "../shared/ids.ts"
import { admit, type Origin } from "./admission.ts"
import type { Chat } from "./chat.ts"
import { type ChatAnswer, registerStart, type StartIds } from "./idempotency.ts"
import { type ChatStep, type RuntimeBot, respond, summarize } from "./respond.ts"
import { openNewLiveStore } from "./sessions/liveStore.ts"
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
    const { resultId, sessionId: id, isFirst } = await idsOf(chat, request, started)
    const prepared = prepare(chat, request, { ...started, resultId, sessionId: id })
    const { loaded } = prepared
    const isRepeatable = keyed !== undefined
    return takeTurn(chat, {
      request,
      store: openNewLiveStore(chat, { resultId, id, loaded, isRepeatable, mayExist: !isFirst }),
      asked: keyed?.key,
      deadline,
      busy: "This chat is being started by another request",
      isDroppable: true,
      prepare: async () => prepared,
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
  return registerStart(chat, keyed, { ...ids, scope: ["live", bot.id, publicId] })
}

function prepare(
  chat: Chat,
  request: StartChatRequest,
  started: Started & StartIds,
): PreparedTurn<StartChatStep> {
  const { bot, runnable, resultId, sessionId } = started
  const { isOnlyRegistering, address, message: opening } = request
  const session = openLive(request, started)
  const isStranger = address !== undefined
  return {
    loaded: {
      session,
      bots: new Map([[bot.version, bot]]),
      root: bot,
      owner: { workspaceId: runnable.workspaceId, botId: bot.id, resultId, sessionId },
      unansweredUntil: isStranger ? new Date(Date.now() + chat.unansweredMs) : undefined,
    },
    unanswered: isStranger ? { address, botId: bot.id, bytes: 0 } : undefined,
    begin: (deps) =>
      isOnlyRegistering ? register(deps, session) : start(deps, session, { opening }),
    respond: (turn) => ({
      sessionId,
      ...(isOver(turn) ? {} : { resultId }),
      bot: summarize(bot, turn, runnable.publishedAt),
      ...respond(turn),
    }),
  }
}

function openLive(
  { isStreamEnabled, prefilledVariables: prefilled }: StartChatRequest,
  { bot, remembered, resultId }: Started & StartIds,
): Session {
  const isProgressShown = bot.flow.theme.general?.progressBar?.isEnabled ?? false
  const opening = { bot, isPreview: false, isStreamEnabled, isProgressShown, resultId, prefilled }
  if (!remembered) return openSession(opening)
  const { variables, answers, nextAnswer, nextStep } = remembered
  const counts = { answers: nextAnswer, steps: nextStep }
  return openSession({ ...opening, remembered: { variables, answers, counts } })
}
