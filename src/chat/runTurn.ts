/** Runs a turn to its end: performs the calls of the engine and resumes it. */

import { type CallKind, isFailure, type Outcome } from "../engine/calls.ts"
import type { TextFormat } from "../engine/payload.ts"
import { callStatus, type StoredCall } from "../engine/recorded/trace.ts"
import type { EngineDeps, Turn } from "../engine/turn/run.ts"
import { resume } from "../engine/turn/turn.ts"
import { anySignal } from "../lib/anySignal.ts"
import { AppError, callerLeft, unavailable } from "../lib/errors.ts"
import type { Chat } from "./chat.ts"
import { callKey } from "./idempotency.ts"
import type { Claim } from "./sessions/claim.ts"
import { callerOf, engineDepsOf, loadBot } from "./sessions/loadSession.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"

/** Everything that one turn runs with. */
export type TurnDeps = {
  /** The calls of this turn that were answered, in order: filled in while it runs. */
  calls: StoredCall[]
  chat: Pick<Chat, "log" | "effects" | "longRuns" | "measure" | "snapshots" | "ownHost">
  loaded: LoadedSession
  textFormat: TextFormat
  /** The message; the same in every repetition of a request. Absent: none. */
  asked: string | undefined
  /** When the turn must be over, by `performance.now()`: the time of day may be set. */
  deadline: number
  /** Whether to abandon the turn, as long as nothing was done outside. Absent: it is finished. */
  hasLeft: (() => boolean) | undefined
  claiming: Claiming
}

/** The claim of a turn, which is opened for the first outside effect and ensured before every one. */
export type Claiming = { claim?: Claim; open(): Claim }

/** The finished turn, unless another one has the session; then nothing more is done outside. */
export async function runTurn(
  deps: TurnDeps,
  begin: (deps: EngineDeps) => Turn,
): Promise<Turn | "superseded"> {
  const { chat, loaded, claiming } = deps
  const { effects } = chat
  let turn = runShort(deps, 0, begin) ?? (await runLong(deps, begin))
  if (!turn.call) return finished(chat, turn)
  const timeout = timeoutAt(deps.deadline)
  let isActing = false
  for (let calls = 0; turn.call; calls++) {
    if (!isActing && deps.hasLeft?.()) throw callerLeft()
    if (effects.isOutside(turn.call)) {
      if (!(await claiming.open().ensure())) return "superseded"
      isActing = true
    }
    const startedAt = performance.now()
    const outcome = await perform(deps, turn, calls, timeout)
    if (!inside.has(turn.call.kind)) noteOutcome(deps, turn, tracedCall(turn, outcome, startedAt))
    if (claiming.claim?.lost.aborted) return "superseded"
    if ("version" in outcome) await loadBot(chat, loaded, outcome.version)
    const asked = turn
    const goOn = (engine: EngineDeps) => resume(engine, asked, outcome)
    turn = runShort(deps, asked.continuation.spent, goOn) ?? (await runLong(deps, goOn))
  }
  return finished(chat, turn)
}

function finished({ measure }: TurnDeps["chat"], turn: Turn): Turn {
  if (measure) measure.turn = turn
  return turn
}

/** One for all calls of a turn: a flow may run dozens of short scripts. */
function timeoutAt(deadline: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())))
}

/** What the service asks itself says nothing about the world. */
const inside: ReadonlySet<CallKind> = new Set(["bot", "history", "inboundCall"])

function noteOutcome({ calls, loaded }: TurnDeps, turn: Turn, call: StoredCall): void {
  calls.push(call)
  // Of the current block.
  loaded.tracing?.calls.push({ place: (turn.trail?.length ?? 0) - 1, call })
}

function tracedCall(turn: Turn, outcome: Outcome, startedAt: number): StoredCall {
  const ms = Math.round(performance.now() - startedAt)
  return [turn.visits.at(-1)?.[1] ?? "", turn.call?.kind ?? "", statusOf(outcome), ms]
}

function statusOf(outcome: Outcome): number {
  if (isFailure(outcome)) return callStatus.failed
  return "status" in outcome ? outcome.status : callStatus.done
}

/** Ten times what ordinary runs spend: some two milliseconds. */
const shortUnits = 20_000

/**
 * Runs the engine when it needs little; undefined: it needs more. Nothing has happened then, because the
 * engine is pure. `spent`: what the turn has spent before.
 */
function runShort(
  deps: TurnDeps,
  spent: number,
  work: (engine: EngineDeps) => Turn,
): Turn | undefined {
  const engine = engineDepsOf(deps.chat, deps.loaded, deps.textFormat, spent + shortUnits)
  try {
    return measured(deps.chat, () => work(engine))
  } catch (error) {
    if (isTooExpensive(error)) return undefined
    throw error
  }
}

/** Runs the engine with the whole budget, which holds the event loop: in the turn of the owner. */
async function runLong(deps: TurnDeps, work: (engine: EngineDeps) => Turn): Promise<Turn> {
  const { chat, loaded, claiming } = deps
  const engine = engineDepsOf(chat, loaded, deps.textFormat)
  const turn = await chat.longRuns.run(loaded.owner.party, () => {
    if (!claiming.claim && deps.hasLeft?.()) throw callerLeft()
    try {
      return measured(chat, () => work(engine))
    } catch (error) {
      if (isTooExpensive(error)) {
        // The author has to learn which of the bots it is; the caller can do nothing about it.
        const { workspaceId, botId, resultId } = loaded.owner
        chat.log.warn({ workspaceId, botId, resultId }, error.message)
      }
      throw error
    }
  })
  if (turn) return turn
  throw unavailable("Too many flows that compute for long are waiting", 1)
}

function isTooExpensive(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === "FLOW_TOO_EXPENSIVE"
}

function measured({ measure }: TurnDeps["chat"], work: () => Turn): Turn {
  const startedAt = performance.now()
  try {
    return work()
  } finally {
    if (measure) measure.engineMs += performance.now() - startedAt
  }
}

async function perform(
  { chat, loaded, deadline, claiming, asked }: TurnDeps,
  turn: Turn,
  calls: number,
  timeout: AbortSignal,
): Promise<Outcome> {
  if (!turn.call || performance.now() >= deadline) {
    throw new AppError("TIMEOUT", "The flow took longer than a turn may take")
  }
  const { sessionId } = loaded.owner
  const { step } = turn.session
  const lost = claiming.claim?.lost
  return chat.effects.perform(turn.call, {
    ...callerOf(loaded, turn.session),
    turnKey: callKey([sessionId, step, asked]),
    idempotencyKey: callKey([sessionId, step, calls, asked]),
    signal: lost ? anySignal([timeout, lost]) : timeout,
  })
}
