/** Continues a chat: takes its place among the turns of the session, runs, and stores the turn. */
import { limitsOf } from "../engine/limits.ts"
import type { Turn } from "../engine/run.ts"
import type { Message } from "../engine/schema/message.ts"
import { readSession, type Session, writeSession } from "../engine/session.ts"
import { isOver } from "../engine/settle.ts"
import { reply } from "../engine/turn.ts"
import { callerLeft, conflict, notFound } from "../errors.ts"
import { admitOrigin, type Origin } from "./admission.ts"
import { type LoadedBots, loadQueue } from "./bots.ts"
import type { Chat } from "./chat.ts"
import { type Claim, openClaim } from "./claim.ts"
import { type ChatAnswer, type Keyed, replayed } from "./idempotency.ts"
import { type OpenSession, openPlace, type Place } from "./place.ts"
import { type ChatStep, respond, type TextFormat } from "./respond.ts"
import { runTurn } from "./runTurn.ts"

export type ContinueChatRequest = Origin & {
  sessionId: string
  message?: Message | undefined
  textFormat: TextFormat
  keyed?: Keyed | undefined
  /** Whether nobody waits for the answer any more. Absent: somebody does. */
  hasLeft?: (() => boolean) | undefined
}

/** How often a turn looks whether that of another process is over. */
const pollMs = 25

/** Continues a chat; two calls at once are both carried out, one after the other. */
export function continueChat(
  chat: Chat,
  request: ContinueChatRequest,
): Promise<ChatAnswer<ChatStep>> {
  const place = openPlace(chat, request.sessionId)
  const deadline = Date.now() + chat.turnTimeoutMs
  const take = async () => {
    for (;;) {
      const answer = await attempt(chat, request, { place, deadline })
      if (answer) return answer
      if (Date.now() >= deadline) throw conflict("This chat is busy with another message")
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      if (request.hasLeft?.()) throw callerLeft()
    }
  }
  return chat.queue.run(request.sessionId, take, request.hasLeft)
}

/** One try; undefined: another turn was first, so the session must be read again. */
async function attempt(
  chat: Chat,
  request: ContinueChatRequest,
  { place, deadline }: { place: Place; deadline: number },
): Promise<ChatAnswer<ChatStep> | undefined> {
  const { keyed } = request
  const { open, response } = await place.find(keyed?.key)
  if (keyed && response) return replayed(keyed, response)
  if (!open) throw notFound("Session")
  if (open.isClaimed) return undefined
  const claim = openClaim(place, open.revision)
  try {
    const ran = await run(chat, request, { open, deadline, claim })
    if (!ran) return undefined
    const step = respond(ran.turn, request.textFormat)
    if (!keyed && claim.revision() === open.revision && isUnchanged(ran)) {
      return { step, isReplayed: false }
    }
    const body = keyed && { ...keyed, body: JSON.stringify(step) }
    const stored = { open, turn: ran.turn, bots: ran.bots, revision: claim.revision(), keyed: body }
    return (await place.save(stored)) ? { step, isReplayed: false } : undefined
  } catch (error) {
    await claim.giveUp(chat.log)
    throw error
  }
}

type Ran = { turn: Turn; bots: LoadedBots; before: Session }

async function run(
  chat: Chat,
  request: ContinueChatRequest,
  from: { open: OpenSession; deadline: number; claim: Claim },
): Promise<Ran | undefined> {
  const { open, deadline, claim } = from
  const session = readSession(open.state)
  const bots = await loadQueue(open.load, session)
  const root = bots.get(session.queue.at(-1)?.version ?? "")
  if (root && !session.isPreview) admitOrigin(chat, root, request)
  const isRestricted = session.isRestricted === true
  const limits = limitsOf(session)
  const { sessionId } = request
  const { workspaceId, botId, resultId } = open
  const { isPreview } = session
  const context = { workspaceId, botId, resultId, sessionId, isPreview, isRestricted }
  const { effects, measure } = chat
  const { load } = open
  const asked = request.keyed?.key ?? JSON.stringify(request.message)
  const shell = {
    log: chat.log,
    effects,
    measure,
    bots,
    load,
    limits,
    context,
    asked,
    deadline,
    claim: claim.take,
  }
  const turn = await runTurn(shell, (stage) => reply(stage, session, request.message))
  return turn && { turn, bots, before: session }
}

/** A reply that was refused changes nothing, and nothing has to be written. */
function isUnchanged({ turn, before }: Ran): boolean {
  if (turn.results.length > 0 || isOver(turn)) return false
  return writeSession({ ...turn.session, step: before.step }) === writeSession(before)
}
