/** The one call that gateways need: a message under the caller's own key starts or continues a chat. */
import { setTimeout as sleep } from "node:timers/promises"
import {
  findConversation,
  findEnding,
  insertConversation,
  moveStartKey,
  replaceConversation,
} from "../../db/chats/conversations.ts"
import { findRunnableBot } from "../../db/chats/runnable.ts"
import { type ChatIds, findSession } from "../../db/chats/sessions.ts"
import { insertStartKey } from "../../db/chats/startKeys.ts"
import type { Message } from "../../engine/schema/message.ts"
import { createSession, isPaused, type Session } from "../../engine/session.ts"
import { textOfMessage } from "../../engine/shown.ts"
import type { EngineDeps, OpeningRule, Turn } from "../../engine/turn/run.ts"
import { steer } from "../../engine/turn/steer.ts"
import { reply, start } from "../../engine/turn/turn.ts"
import { AppError, sessionNotFound } from "../../lib/errors.ts"
import { newSessionId, newUuid, timeOfUuid } from "../../lib/ids.ts"
import { workspaceParty } from "../../lib/party.ts"
import type { Chat } from "../chat.ts"
import { type ChatStep, respond } from "../continueChat.ts"
import { type ChatAnswer, idOf, type Keyed, replayed, requireSameBody } from "../idempotency.ts"
import { loadSession } from "../sessions/loadSession.ts"
import type { LoadedSession, StoredSession } from "../sessions/sessionStore.ts"
import { loadStarted, type Started } from "../startChat.ts"
import { type TurnRequest, type TurnToTake, takeTurn } from "../takeTurn.ts"
import { createConversationStore } from "./conversationStore.ts"
import { expireIfDue } from "./expire.ts"
import { idsAfter, kept } from "./pausing.ts"
import { tellListeners } from "./sessionListeners.ts"
import { type ConversationState, stateAfter } from "./state.ts"

/** A message of a person whom the caller identifies by a key. */
type ConversationMessage = TurnRequest & {
  botId: string
  key: string
  message?: Message | undefined
  /**
   * Whether a message that starts a chat is the reply to the first question. Absent: if that accepts it,
   * or is open and the first thing that is shown.
   */
  startsWithMessage?: boolean | undefined
  /** Only used by the message that starts a chat. */
  prefilledVariables?: Record<string, unknown> | undefined
}

type ConversationStep = ChatStep & {
  sessionId: string
  resultId: string
  /** `isNew`: this message started the chat. */
  conversation: { key: string; state: ConversationState; isNew: boolean }
}

/** A message on its way, with the id of its key. */
type Delivery = ConversationMessage & { chat: Chat; keyId: string; deadline: number }

/** The id under which the chat of a key is stored. */
export function keyIdOf({ botId, key }: { botId: string; key: string }): string {
  return idOf(["conversation", botId, key])
}

/** Answers a message; messages of one key are answered one after the other. */
export function sendMessage(
  chat: Chat,
  request: ConversationMessage,
): Promise<ChatAnswer<ConversationStep>> {
  const keyId = keyIdOf(request)
  const deadline = performance.now() + chat.turnTimeoutMs
  const deliver = () => untilAnswered({ ...request, chat, keyId, deadline })
  return chat.queue.run(`conversation ${keyId}`, deliver, request.hasLeft)
}

/** Max wait for a turn of another process. */
const retryMs = 25

async function untilAnswered(delivery: Delivery): Promise<ChatAnswer<ConversationStep>> {
  const { chat, keyId, keyed, deadline } = delivery
  while (performance.now() < deadline) {
    const ids = (await findConversation(chat.db, keyId)) ?? (await register(delivery))
    const earlier = keyed && (await findEarlier(delivery, keyed, ids))
    if (earlier === "stale") await sleep(retryMs)
    else if (earlier) return earlier
    else {
      const answer = await tryIn(delivery, ids)
      if (answer) return answer
    }
  }
  throw new AppError("CHAT_BUSY", "This conversation is busy with other messages")
}

/** The first chat of a key. */
async function register(delivery: Delivery): Promise<ChatIds> {
  const { chat, keyId, botId, key } = delivery
  await findStarted(delivery)
  return await insertConversation(chat.db, { keyId, botId, key, ...newIds() })
}

function newIds(): ChatIds {
  const resultId = newUuid()
  return { resultId, sessionId: newSessionId(resultId) }
}

async function findStarted({ chat, botId }: Delivery): Promise<Started> {
  return await loadStarted(chat, await findRunnableBot(chat.db, botId), { onlyBots: undefined })
}

/**
 * The earlier answer to a message with an Idempotency-Key, perhaps in a chat that has ended.
 * "stale": the ids are no longer those of the key's current chat.
 */
async function findEarlier({ chat: { db }, keyId }: Delivery, keyed: Keyed, ids: ChatIds) {
  const messageId = idOf(["message", keyId, keyed.key])
  const first = await insertStartKey(db, { ...ids, keyId: messageId, bodyHash: keyed.bodyHash })
  requireSameBody(keyed, first.bodyHash)
  if (first.sessionId === ids.sessionId) return undefined
  const { resultId, sessionId } = first
  const { response } = await findSession(db, { resultId, sessionId, key: keyed.key })
  if (response) return replayed<ConversationStep>(keyed, response)
  if (resultId > ids.resultId) return "stale"
  await moveStartKey(db, messageId, { from: sessionId, to: ids })
  return "stale"
}

/** The answer in a chat; undefined: that chat is over, and the key has got its next one. */
async function tryIn(
  delivery: Delivery,
  ids: ChatIds,
): Promise<ChatAnswer<ConversationStep> | undefined> {
  const { chat, keyId, hasLeft } = delivery
  try {
    const turn = turnOf(delivery, ids)
    const answer = await chat.queue.run(ids.sessionId, () => takeTurn(chat, turn), hasLeft)
    const isPaused = answer.step.conversation.state === "paused"
    if (isPaused && !answer.isReplayed) await tellListeners(chat, ids.resultId)
    return answer
  } catch (error) {
    if (!isOverError(error)) throw error
    // An expired chat still has its session, and a turn may be under way in it.
    if (await expireIfDue(chat, ids)) {
      await findStarted(delivery)
      await replaceConversation(chat.db, keyId, { over: ids.sessionId, next: newIds() })
    } else await sleep(retryMs)
    return undefined
  }
}

/** Whether something was refused because its chat is over. */
export function isOverError(error: unknown): boolean {
  const reason = error instanceof AppError ? error.reason : undefined
  return reason === "CHAT_ENDED" || reason === "CHAT_EXPIRED"
}

function turnOf(delivery: Delivery, ids: ChatIds): TurnToTake<ConversationStep> {
  const { chat, key, message, deadline, keyed } = delivery
  const { resultId, sessionId } = ids
  const store = createConversationStore(chat, ids)
  let started: Started | undefined
  let isNew = false
  return {
    request: delivery,
    store,
    asked: keyed?.key ?? JSON.stringify(message),
    deadline,
    busy: "This conversation is busy with another message",
    async load(stored) {
      const loaded = await findOpen(chat, ids, stored)
      isNew = loaded === undefined
      if (loaded) return loaded
      started ??= await findStarted(delivery)
      const fresh = createFreshSession(delivery, started, ids)
      store.begin(fresh)
      return fresh
    },
    begin: (deps, session) => beginTurn(deps, session, delivery, isNew),
    also({ session, isUnheard }) {
      const isKept = isUnheard ? message && textOfMessage(message) !== "" : isPaused(session)
      const id = idsAfter(session)()
      const said = message && isKept ? { kept: [kept(id, message)] } : undefined
      return isNew ? { key, ...said } : said
    },
    respond: (turn, { bots }) => ({
      ...respond(turn),
      sessionId,
      resultId,
      conversation: { key, state: stateAfter(turn, bots), isNew },
    }),
  }
}

/** A first message may be under way for as long as a turn takes. */
const maxStartMs = 600_000

/** The session of an open chat; undefined: it begins. 404 when it is over. */
async function findOpen(chat: Chat, ids: ChatIds, stored: StoredSession | undefined) {
  if (!stored) {
    const ending = await findEnding(chat.db, ids)
    // A chat this old without a trace was deleted.
    const isGone = ending || timeOfUuid(ids.resultId) < Date.now() - maxStartMs
    if (isGone) throw sessionNotFound(ending?.state === "ended" ? "CHAT_ENDED" : "CHAT_EXPIRED")
    return undefined
  }
  const loaded = await loadSession(chat, stored)
  const { session } = loaded
  if (session.at !== undefined || isPaused(session)) return loaded
  if (session.step > 0) throw sessionNotFound("CHAT_ENDED")
  return undefined
}

function createFreshSession(
  { key, prefilledVariables: prefilled }: Delivery,
  { bot, runnable, aheadMs }: Started,
  { resultId, sessionId }: ChatIds,
): LoadedSession {
  const flags = { isPreview: false, isStreamEnabled: false }
  const session = createSession({ bot, ...flags, resultId, prefilled })
  return {
    session: { ...session, conversation: { key } },
    bots: new Map([[bot.version, bot]]),
    root: bot,
    owner: {
      party: workspaceParty(runnable),
      workspaceId: runnable.workspaceId,
      botId: bot.id,
      resultId,
      sessionId,
    },
    aheadMs,
  }
}

/** A paused flow is silent. */
function beginTurn(
  deps: EngineDeps,
  session: Session,
  { message, startsWithMessage }: ConversationMessage,
  isNew: boolean,
): Turn {
  if (isPaused(session)) return steer(deps, session, {})
  if (!isNew) return reply(deps, session, message)
  return start(deps, session, { opening: message, openingRule: ruleOf(startsWithMessage) })
}

function ruleOf(startsWithMessage: boolean | undefined): OpeningRule {
  if (startsWithMessage === undefined) return "ifAccepted"
  return startsWithMessage ? "always" : "never"
}
