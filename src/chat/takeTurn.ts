/** Takes one turn of a session: finds it, runs it, stores it; and again when another turn was first. */
import type { TextFormat } from "../engine/payload.ts"
import type { EngineDeps, Turn } from "../engine/run.ts"
import { type Session, writeSession } from "../engine/session.ts"
import { isOver } from "../engine/walk/settle.ts"
import { callerLeft, conflict } from "../shared/errors.ts"
import { type Attempt, untilDone } from "./backOff.ts"
import type { Chat } from "./chat.ts"
import { type ChatAnswer, type Keyed, replayed } from "./idempotency.ts"
import { runTurn } from "./runTurn.ts"
import { type Claim, openClaim } from "./sessions/claim.ts"
import type { LoadedSession, SessionStore, StoredSession } from "./sessions/sessionStore.ts"
import {
  openShare,
  sizeOf,
  type UnansweredChat,
  unansweredOverheadBytes,
} from "./sessions/unanswered.ts"

/** What every request for a turn tells of itself. */
export type TurnRequest = {
  textFormat: TextFormat
  keyed?: Keyed | undefined
  /** Whether nobody waits for the answer any more. Absent: somebody does. */
  hasLeft?: (() => boolean) | undefined
}

/** A turn to take. */
export type TurnToTake<Step extends object> = {
  request: TurnRequest
  store: SessionStore
  /** What the turn answers: the same in every repetition of a request, absent when there is none. */
  asked: string | undefined
  /** By `performance.now()`. */
  deadline: number
  /** The words of the 409 when others are first until then. */
  busy: string
  /** Whether a turn that has begun ends when its caller leaves before anything was done outside. */
  isDroppable: boolean
  /** Makes the session ready, which is undefined when there is none yet; may refuse. */
  prepare(session: StoredSession | undefined): Promise<PreparedTurn<Step>>
}

/** A turn that is ready to run. */
export type PreparedTurn<Step extends object> = {
  loaded: LoadedSession
  /** Absent: the chat is not counted among those that wait for their first answer. */
  unanswered?: UnansweredChat | undefined
  begin(deps: EngineDeps): Turn
  respond(turn: Turn): Step
}

/** The answer of the turn, or the one that an earlier request with its key got. */
export async function takeTurn<Step extends object>(
  chat: Chat,
  turn: TurnToTake<Step>,
): Promise<ChatAnswer<Step>> {
  const attempts: Attempts = {}
  const outcome = await untilDone(turn.deadline, () => attempt(chat, turn, attempts))
  if (outcome.kind === "superseded") throw conflict(turn.busy)
  return outcome.result
}

type Attempts = {
  /** The state from which one of them called other systems and then could store nothing. */
  actedOn?: string | undefined
}

async function attempt<Step extends object>(
  chat: Chat,
  turn: TurnToTake<Step>,
  attempts: Attempts,
): Promise<Attempt<ChatAnswer<Step>>> {
  const { store, request } = turn
  const { keyed } = request
  if (request.hasLeft?.()) throw callerLeft()
  const { session, response, claim: claimed } = await store.find(keyed?.key)
  if (keyed && response) return { kind: "done", result: replayed<Step>(keyed, response) }
  const superseded = { kind: "superseded", revision: session?.revision } as const
  if (claimed === "others") return superseded
  if (session) refuseInterrupted(attempts, session)
  const claim = openClaim(store.claims, session?.revision ?? 0, chat)
  try {
    if (claimed === "ours" && !(await claim.ensure())) return superseded
    const step = await carryOut(chat, turn, { session, claim })
    if (step !== "superseded") return { kind: "done", result: { step, isReplayed: false } }
    if (claim.isTaken()) attempts.actedOn = session?.state
    return superseded
  } catch (error) {
    await claim.release()
    throw error
  } finally {
    claim.end()
  }
}

/**
 * From the same state other systems see the same calls under the same keys; from another they would
 * see new ones.
 */
function refuseInterrupted({ actedOn }: Attempts, { state }: StoredSession): void {
  if (actedOn === undefined || actedOn === state) return
  throw conflict("This message was interrupted, and the chat went on with another one meanwhile")
}

async function carryOut<Step extends object>(
  chat: Chat,
  turn: TurnToTake<Step>,
  { session, claim }: { session: StoredSession | undefined; claim: Claim },
): Promise<Step | "superseded"> {
  const { store, request, asked, deadline, isDroppable } = turn
  const { keyed, textFormat } = request
  const { loaded, unanswered, begin, respond } = await turn.prepare(session)
  const hasLeft = isDroppable ? request.hasLeft : undefined
  const share = openShare(chat.unanswered, unanswered)
  let bytes = unanswered?.bytes ?? 0
  try {
    // Before anything runs; the rest once it is known.
    await share.growTo(unansweredOverheadBytes)
    const deps = { chat, loaded, textFormat, asked, deadline, hasLeft, claim }
    const finished = await runTurn(deps, begin)
    if (finished === "superseded") return finished
    const step = respond(finished)
    const isPlain = session && !keyed && !claim.isTaken()
    if (isPlain && isUnchanged(finished, loaded.session)) return step
    const stored = {
      loaded,
      turn: finished,
      state: isOver(finished) && !store.keepsEnded ? "" : writeSession(finished.session),
      revision: claim.revision(),
      keyed: keyed && { ...keyed, body: JSON.stringify(step) },
    }
    const size = sizeOf(unanswered, stored)
    await share.growTo(size)
    if (!(await store.save(stored))) return "superseded"
    bytes = size
    return step
  } finally {
    await share.shrinkTo(bytes)
  }
}

/** A reply that was refused changes nothing, and nothing has to be written. */
function isUnchanged(turn: Turn, before: Session): boolean {
  if (turn.results.length > 0 || isOver(turn)) return false
  return writeSession({ ...turn.session, step: before.step }) === writeSession(before)
}
