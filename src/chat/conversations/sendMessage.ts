/** The one call that gateways need: a message under the caller's own key starts or continues a chat. */
import { setTimeout as sleep } from "node:timers/promises"
import {
  findConversation,
  insertConversation,
  moveStartKey,
  replaceConversation,
} from "../../db/chats/conversations.ts"
import { findRunnableBot } from "../../db/chats/runnable.ts"
import { type ChatIds, findSession, saveTurn } from "../../db/chats/sessions.ts"
import { insertStartKey } from "../../db/chats/startKeys.ts"
import type { Message } from "../../engine/schema/message.ts"
import { maxCollectSeconds } from "../../engine/schema/sharedMembers.ts"
import { type Burst, isPaused, type Session, writeSession } from "../../engine/session.ts"
import { textOfMessage } from "../../engine/shown.ts"
import type { EngineDeps, OpeningRule, Turn } from "../../engine/turn/run.ts"
import { steer } from "../../engine/turn/steer.ts"
import { reply, start } from "../../engine/turn/turn.ts"
import { AppError } from "../../lib/errors.ts"
import { newSessionId, newUuid } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"
import { type ChatStep, respond } from "../continueChat.ts"
import { type ChatAnswer, idOf, type Keyed, replayed, requireSameBody } from "../idempotency.ts"
import type { LoadedSession } from "../sessions/sessionStore.ts"
import { loadStarted, type Started } from "../startChat.ts"
import { type TurnRequest, type TurnToTake, takeTurn, untilDone } from "../takeTurn.ts"
import { answerKeyOf, joinableText, textOf, withText } from "./burst.ts"
import { createConversationStore } from "./conversationStore.ts"
import { expireIfDue } from "./expire.ts"
import { createFreshSession, findOpen, isUnbegun } from "./openChat.ts"
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
  /** For how many seconds it waits for others. Absent: as the bot says. */
  collect?: number | undefined
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
type Delivery = ConversationMessage & {
  chat: Chat
  keyId: string
  deadline: number
  /** Gives back the place in which it waits for others; absent: it has none. */
  leave?: (() => void) | undefined
}

type Answer = ChatAnswer<ConversationStep>

/** A message that was stored, to be answered at the end of its burst. */
type Collected = { burst: Pick<Burst, "id" | "until">; ids: ChatIds; isReplayed: boolean }

/** The response that is stored for a message with an Idempotency-Key until its burst is answered. */
type Receipt = Pick<Collected, "burst">

/** The id under which the chat of a key is stored. */
export function keyIdOf({ botId, key }: { botId: string; key: string }): string {
  return idOf(["conversation", botId, key])
}

/** Answers a message; messages of one key are answered one after the other, those of one burst together. */
export async function sendMessage(chat: Chat, request: ConversationMessage): Promise<Answer> {
  const keyId = keyIdOf(request)
  const newDeadline = () => performance.now() + chat.turnTimeoutMs
  const delivery: Delivery = { ...request, chat, keyId, deadline: newDeadline() }
  const inTurn = (work: () => Promise<Answer | Collected>, hasLeft?: () => boolean) =>
    chat.queue.run(`conversation ${keyId}`, work, hasLeft)
  try {
    let outcome = await inTurn(() => untilAnswered(delivery), request.hasLeft)
    while ("burst" in outcome) {
      const collected = outcome
      await chat.bursts.ended(collected.burst, maxCollectSeconds)
      delivery.deadline = newDeadline()
      // What is stored is answered, even if all its callers have left.
      outcome = await inTurn(() => answerCollected(delivery, collected))
    }
    return outcome
  } finally {
    delivery.leave?.()
  }
}

/** The answer of a burst. When its chat ended before, each of its messages goes to the next one. */
async function answerCollected(delivery: Delivery, collected: Collected) {
  try {
    return { ...(await answerBurst(delivery, collected)), isReplayed: collected.isReplayed }
  } catch (error) {
    if (!isOverError(error)) throw error
    await replaceOver(delivery, collected.ids)
    return await untilAnswered(delivery)
  }
}

/** Answers what was collected, or finds the answer. */
async function answerBurst(
  { chat, keyed: _, hasLeft: __, ...delivery }: Delivery,
  { ids, burst }: Pick<Collected, "ids" | "burst">,
): Promise<Answer> {
  const keyed = answerKeyOf(burst.id)
  const turn = turnOf({ ...delivery, chat, keyed }, ids, burst.id)
  return await announced(chat, ids, await chat.queue.run(ids.sessionId, () => takeTurn(chat, turn)))
}

async function announced(chat: Chat, { resultId }: ChatIds, answer: Answer): Promise<Answer> {
  const isPaused = answer.step.conversation.state === "paused"
  if (isPaused && !answer.isReplayed) await tellListeners(chat, resultId)
  return answer
}

/** Max wait for a turn of another process. */
const retryMs = 25

async function untilAnswered(delivery: Delivery): Promise<Answer | Collected> {
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
  if (response) {
    const earlier = replayed<ConversationStep | Receipt>(keyed, response)
    if (!("burst" in earlier.step)) return { ...earlier, step: earlier.step }
    const answer = await findAnswer(db, { resultId, sessionId }, earlier.step.burst.id)
    if (answer) return answer
  }
  if (resultId > ids.resultId) return "stale"
  await moveStartKey(db, messageId, { from: sessionId, to: ids })
  return "stale"
}

/** The answer in a chat; undefined: that chat is over, and the key has got its next one. */
async function tryIn(delivery: Delivery, ids: ChatIds): Promise<Answer | Collected | undefined> {
  try {
    return await take(delivery, ids)
  } catch (error) {
    if (!isOverError(error)) throw error
    await replaceOver(delivery, ids)
    return undefined
  }
}

/** Gives the key its next chat, unless the one that is over still has a turn. */
async function replaceOver(delivery: Delivery, ids: ChatIds): Promise<void> {
  const { chat, keyId } = delivery
  // An expired chat still has its session, and a turn may be under way in it.
  if (!(await expireIfDue(chat, ids))) return await sleep(retryMs)
  await findStarted(delivery)
  await replaceConversation(chat.db, keyId, { over: ids.sessionId, next: newIds() })
}

/** The answer of a burst; undefined: it has none. */
async function findAnswer(db: Chat["db"], ids: ChatIds, burstId: string) {
  const { response } = await findSession(db, { ...ids, key: answerKeyOf(burstId).key })
  return response && { step: JSON.parse(response.body) as ConversationStep, isReplayed: true }
}

/** Why a message is not answered in a turn of its own: it waits for others, or others come first. */
type Deferral = { deferral: { seconds?: number; after?: string } }

function isDeferral(error: unknown): error is Error & Deferral {
  return error instanceof Error && "deferral" in error
}

function defer(deferral: Deferral["deferral"]): Error {
  return Object.assign(new Error("Not yet"), { deferral })
}

/** Takes the turn of a message, or stores it in a burst. Undefined: an earlier burst had to be answered first. */
async function take(delivery: Delivery, ids: ChatIds): Promise<Answer | Collected | undefined> {
  const { chat, botId, hasLeft } = delivery
  const within = <T>(work: () => Promise<T>) => chat.queue.run(ids.sessionId, work, hasLeft)
  try {
    const turn = turnOf(delivery, ids)
    const answer: ChatAnswer<ConversationStep | Receipt> = await within(() => takeTurn(chat, turn))
    const { step, isReplayed } = answer
    if ("burst" in step) {
      return (await findAnswer(chat.db, ids, step.burst.id)) ?? { ...step, ids, isReplayed }
    }
    return await announced(chat, ids, { step, isReplayed })
  } catch (error) {
    if (!isDeferral(error)) throw error
    const { seconds } = error.deferral
    let { after } = error.deferral
    if (seconds !== undefined) {
      delivery.leave ??= chat.bursts.admit(botId)
      const added = await within(() => collect(delivery, ids, seconds))
      if ("burst" in added) return { ...added, ids, isReplayed: false }
      after = added.after
    }
    if (after === undefined) return undefined
    await answerBurst(delivery, { ids, burst: { id: after, until: 0 } })
    await chat.bursts.end(after)
    return undefined
  }
}

/** Stores a message in the burst of its chat. `after`: one that holds no more; none: it is to be tried again. */
async function collect(
  delivery: Delivery,
  ids: ChatIds,
  seconds: number,
): Promise<Receipt | { after?: string }> {
  const { chat, keyed, message, startsWithMessage, deadline } = delivery
  const store = createConversationStore(chat, ids)
  const outcome = await untilDone<Receipt | { after?: string }>(deadline, async () => {
    const { session: stored, response, claim } = await store.find(keyed?.key)
    if (response) return { kind: "done", result: {} }
    if (claim === "others") return { kind: "superseded", revision: stored?.revision }
    const loaded = (await findOpen(chat, ids, stored)) ?? (await openFresh(delivery, ids))
    const { session, root } = loaded
    const { burst: known } = session.conversation ?? {}
    const burst = withText(known, joinableText(message) ?? "", seconds)
    if (isPaused(session)) return { kind: "done", result: {} }
    if (!burst) return { kind: "done", result: known ? { after: known.id } : {} }
    const next = known ? burst : { ...burst, startsWithMessage }
    const state = writeSession({
      ...session,
      conversation: { ...session.conversation, burst: next },
    })
    const receipt: Receipt = { burst: { id: burst.id, until: burst.until } }
    const isStored = await saveTurn(chat.db, {
      ...ids,
      state,
      revision: stored?.revision ?? null,
      rows: {
        botId: root.id,
        versionId: root.version,
        expiresAt: stored?.unanswered?.until.toISOString(),
      },
      ...(keyed && { keyed: { ...keyed, body: JSON.stringify(receipt) } }),
    })
    if (!isStored) return { kind: "superseded", revision: stored?.revision }
    return { kind: "done", result: receipt }
  })
  if (outcome.kind === "superseded") throw new AppError("CHAT_BUSY", busy)
  return outcome.result
}

const busy = "This conversation is busy with another message"

async function openFresh(delivery: Delivery, ids: ChatIds): Promise<LoadedSession> {
  return createFreshSession(delivery, await findStarted(delivery), ids)
}

/** Whether something was refused because its chat is over. */
export function isOverError(error: unknown): boolean {
  const reason = error instanceof AppError ? error.reason : undefined
  return reason === "CHAT_ENDED" || reason === "CHAT_EXPIRED"
}

/** The turn of a message, or of a burst. */
function turnOf(delivery: Delivery, ids: ChatIds, burstId?: string): TurnToTake<ConversationStep> {
  const { chat, key, deadline, keyed } = delivery
  const { resultId, sessionId } = ids
  const store = createConversationStore(chat, ids)
  let fresh: LoadedSession | undefined
  let isNew = false
  let said = delivery
  let messages = said.message ? [said.message] : []
  return {
    request: delivery,
    store,
    asked: burstId ?? keyed?.key ?? JSON.stringify(delivery.message),
    deadline,
    busy,
    async load(stored) {
      const open = await findOpen(chat, ids, stored)
      isNew = !open || isUnbegun(open.session)
      if (!open) fresh ??= await openFresh(delivery, ids)
      const loaded = open ?? (fresh as LoadedSession)
      if (isNew) store.begin(loaded)
      const { burst } = loaded.session.conversation ?? {}
      if (burstId === undefined) {
        requireTurn(delivery, loaded)
        return loaded
      }
      if (burst?.id !== burstId) throw new AppError("CHAT_BUSY", busy)
      const { startsWithMessage } = burst
      messages = burst.texts.map((text) => ({ type: "text", text }))
      said = { ...delivery, message: { type: "text", text: textOf(burst) }, startsWithMessage }
      const { session } = loaded
      const conversation = { ...session.conversation, burst: undefined }
      return { ...loaded, session: { ...session, conversation } }
    },
    begin: (deps, session) => beginTurn(deps, session, said, isNew),
    also({ session, isUnheard }) {
      const { message } = said
      const nextId = idsAfter(session)
      const isKept = isUnheard && message && textOfMessage(message) !== ""
      const beside = isPaused(session) && !isUnheard ? messages : isKept ? [message] : []
      const rows = beside.length > 0 && { kept: beside.map((each) => kept(nextId(), each)) }
      return isNew ? { key, ...rows } : rows || undefined
    },
    respond: (turn, { bots }) => ({
      ...respond(turn),
      sessionId,
      resultId,
      conversation: { key, state: stateAfter(turn, bots), isNew },
    }),
  }
}

/** Refuses a turn of its own to a message that waits for others, or that comes after some. */
function requireTurn({ message, collect }: Delivery, { session, root }: LoadedSession): void {
  const { burst } = session.conversation ?? {}
  const seconds = collect ?? root.flow.settings.sessions?.collectSeconds ?? 0
  const isCollected = seconds > 0 && joinableText(message) !== undefined && !isPaused(session)
  if (isCollected) throw defer({ seconds })
  if (burst) throw defer({ after: burst.id })
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
