/** Continues a chat: takes its store among the turns of the session, runs, and stores the turn. */
import { limitsOf } from "../engine/budget/limits.ts"
import type { TextFormat } from "../engine/payload.ts"
import type { Turn } from "../engine/run.ts"
import type { Message } from "../engine/schema/message.ts"
import { readSession, type Session, writeSession } from "../engine/session.ts"
import { reply } from "../engine/turn.ts"
import { isOver } from "../engine/walk/settle.ts"
import { callerLeft, conflict, notFound } from "../shared/errors.ts"
import { admitOrigin, type Origin } from "./admission.ts"
import { openBackOff } from "./backOff.ts"
import { type LoadedBots, loadQueue } from "./bots.ts"
import type { Chat } from "./chat.ts"
import { type Claim, openClaim } from "./claim.ts"
import { type ChatAnswer, type Keyed, replayed } from "./idempotency.ts"
import { type ChatStep, respond } from "./respond.ts"
import { runTurn } from "./runTurn.ts"
import { type LoadedSession, openSessionStore, type SessionStore } from "./sessionStore.ts"
import { saveCounted } from "./unanswered.ts"

export type ContinueChatRequest = Origin & {
  sessionId: string
  message?: Message | undefined
  textFormat: TextFormat
  keyed?: Keyed | undefined
  /** Whether nobody waits for the answer any more. Absent: somebody does. */
  hasLeft?: (() => boolean) | undefined
  /** Where the caller is. */
  address: string
}

/** One request on its way through its attempts. */
type Attempts = {
  request: ContinueChatRequest
  store: SessionStore
  /** By `performance.now()`. */
  deadline: number
  /** The state from which an attempt called other systems that could store nothing; absent: none. */
  actedOn?: string
}

/** Nothing is stored, because another turn was first; the session must be read again. */
type Superseded = { revision: number }

/** Continues a chat; two calls at once are both carried out, one after the other. */
export function continueChat(
  chat: Chat,
  request: ContinueChatRequest,
): Promise<ChatAnswer<ChatStep>> {
  const store = openSessionStore(chat, request.sessionId)
  const deadline = performance.now() + chat.turnTimeoutMs
  const take = async () => {
    const attempts: Attempts = { request, store, deadline }
    const backOff = openBackOff(deadline)
    for (;;) {
      const answer = await attempt(chat, attempts)
      if ("step" in answer) return answer
      if (performance.now() >= deadline) throw conflict("This chat is busy with another message")
      await backOff(answer.revision)
      if (request.hasLeft?.()) throw callerLeft()
    }
  }
  return chat.queue.run(request.sessionId, take, request.hasLeft)
}

async function attempt(chat: Chat, attempts: Attempts): Promise<ChatAnswer<ChatStep> | Superseded> {
  const { store, request, actedOn } = attempts
  const { keyed } = request
  const { open, response } = await store.find(keyed?.key)
  if (keyed && response) return replayed(keyed, response)
  if (!open) throw notFound("Session")
  const { revision } = open
  if (open.isClaimed) return { revision }
  // From the same state other systems see the same calls under the same keys; from another they
  // would see new ones.
  if (actedOn !== undefined && actedOn !== open.state) {
    throw conflict("This message was interrupted, and the chat went on with another one meanwhile")
  }
  const claim = openClaim(store, revision, chat.log)
  try {
    const ran = await run(chat, attempts, { open, claim })
    if (ran) {
      const step = respond(ran.turn)
      const isPlain = !keyed && !claim.isTaken()
      if (isPlain && isUnchanged(ran)) return { step, isReplayed: false }
      const body = keyed && { ...keyed, body: JSON.stringify(step) }
      const { turn, bots } = ran
      const stored = { open, turn, bots, revision: claim.revision(), keyed: body }
      const save = () => store.save(stored)
      const from = { address: request.address, botId: open.botId }
      const isSaved = open.unansweredUntil
        ? await saveCounted(chat.unanswered, { before: open.state, turn, from }, save)
        : await save()
      if (isSaved) return { step, isReplayed: false }
    }
    if (claim.isTaken()) attempts.actedOn = open.state
    return { revision }
  } catch (error) {
    await claim.giveUp()
    throw error
  } finally {
    claim.end()
  }
}

type FinishedTurn = { turn: Turn; bots: LoadedBots; before: Session }

async function run(
  chat: Chat,
  { request, deadline }: Attempts,
  { open, claim }: { open: LoadedSession; claim: Claim },
): Promise<FinishedTurn | undefined> {
  const session = readSession(open.state)
  const bots = await loadQueue(open.load, session)
  const root = bots.get(session.queue.at(-1)?.version ?? "")
  if (root && !session.isPreview) admitOrigin(chat, root, request)
  const isRestricted = session.isRestricted === true
  const limits = limitsOf(session)
  const { sessionId } = request
  const { workspaceId, previewerId, botId, resultId } = open
  const { isPreview } = session
  const of = { workspaceId, previewerId, botId, resultId, sessionId }
  const context = { ...of, isPreview, isRestricted }
  const { effects, measure } = chat
  const { load } = open
  const asked = request.keyed?.key ?? JSON.stringify(request.message)
  const deps = {
    log: chat.log,
    effects,
    measure,
    bots,
    load,
    limits,
    textFormat: request.textFormat,
    context,
    asked,
    deadline,
    claim,
  }
  const turn = await runTurn(deps, (deps) => reply(deps, session, request.message))
  return turn && { turn, bots, before: session }
}

/** A reply that was refused changes nothing, and nothing has to be written. */
function isUnchanged({ turn, before }: FinishedTurn): boolean {
  if (turn.results.length > 0 || isOver(turn)) return false
  return writeSession({ ...turn.session, step: before.step }) === writeSession(before)
}
