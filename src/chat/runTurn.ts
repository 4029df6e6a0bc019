/** Runs a turn to its end: performs what the engine asks for and resumes it. */
import type { Outcome } from "../engine/calls.ts"
import type { TextFormat } from "../engine/payload.ts"
import type { EngineDeps, Turn } from "../engine/run.ts"
import { resume } from "../engine/turn.ts"
import { AppError, callerLeft, timedOut } from "../shared/errors.ts"
import type { Chat } from "./chat.ts"
import { callKey } from "./idempotency.ts"
import { inEngine } from "./measure.ts"
import type { Claim } from "./sessions/claim.ts"
import { callerOf, engineDepsOf, loadBot } from "./sessions/loadSession.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"

/** Everything that one turn runs with. */
export type TurnDeps = {
  chat: Pick<Chat, "log" | "effects" | "measure" | "snapshots">
  loaded: LoadedSession
  textFormat: TextFormat
  /** What the turn answers: the same in every repetition of a request, absent when there is none. */
  asked: string | undefined
  /** When the turn must be over, by `performance.now()`: the time of day may be set. */
  deadline: number
  /** Ends a turn for which nobody waits, as long as nothing was done outside. Absent: it is finished. */
  hasLeft: (() => boolean) | undefined
  /** Ensured before every outside effect. */
  claim: Pick<Claim, "ensure" | "lost">
}

/** The finished turn, unless another one has the session; then nothing more is done outside. */
export async function runTurn(
  deps: TurnDeps,
  begin: (deps: EngineDeps) => Turn,
): Promise<Turn | "superseded"> {
  const { chat, loaded, claim } = deps
  const { measure, effects } = chat
  const engine = engineDepsOf(loaded, deps.textFormat)
  let turn = inEngine(measure, () => reportingCost(deps, () => begin(engine)))
  let isActing = false
  for (let calls = 0; turn.call; calls++) {
    if (!isActing && deps.hasLeft?.()) throw callerLeft()
    if (effects.isOutside(turn.call)) {
      if (!(await claim.ensure())) return "superseded"
      isActing = true
    }
    const outcome = await perform(deps, turn, calls)
    if (claim.lost.aborted) return "superseded"
    if ("version" in outcome) await loadBot(chat, loaded, outcome.version)
    const asked = turn
    turn = inEngine(measure, () => reportingCost(deps, () => resume(engine, asked, outcome)))
  }
  if (measure) measure.turn = turn
  return turn
}

/** The author has to learn which of the bots is too expensive; the caller can do nothing about it. */
function reportingCost<Result>({ chat, loaded }: TurnDeps, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError && error.reason === "FLOW_TOO_EXPENSIVE") {
      const { workspaceId, botId, resultId } = loaded.owner
      chat.log.warn({ workspaceId, botId, resultId }, error.message)
    }
    throw error
  }
}

async function perform(deps: TurnDeps, turn: Turn, calls: number): Promise<Outcome> {
  const { chat, loaded, deadline, claim, asked } = deps
  const leftMs = deadline - performance.now()
  if (!turn.call || leftMs <= 0) throw timedOut("The flow took longer than a turn may take")
  const { sessionId } = loaded.owner
  const { step } = turn.session
  return chat.effects.perform(turn.call, {
    ...callerOf(loaded),
    turnKey: callKey([sessionId, step, asked]),
    idempotencyKey: callKey([sessionId, step, calls, asked]),
    signal: AbortSignal.any([AbortSignal.timeout(Math.ceil(leftMs)), claim.lost]),
  })
}
