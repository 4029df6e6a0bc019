/** Runs a turn to its end: performs what the engine asks for and resumes it. */
import type { CallContext, Effects } from "../effects/perform.ts"
import type { Limits } from "../engine/budget/limits.ts"
import type { Outcome } from "../engine/calls.ts"
import type { TextFormat } from "../engine/payload.ts"
import type { EngineDeps, Turn } from "../engine/run.ts"
import { resume } from "../engine/turn.ts"
import { AppError, callerLeft, timedOut } from "../shared/errors.ts"
import type { Log } from "../shared/log.ts"
import { type LoadBot, type LoadedBots, loadInto } from "./bots.ts"
import { world } from "./chat.ts"
import { callKey } from "./idempotency.ts"
import { inEngine, type Measure } from "./measure.ts"

/** Everything that one turn runs with. */
export type TurnDeps = {
  log: Log
  effects: Effects
  bots: LoadedBots
  load: LoadBot
  limits: Limits
  textFormat: TextFormat
  context: Omit<CallContext, "idempotencyKey" | "turnKey" | "signal">
  /** What the turn answers: the same in every repetition of a request, absent when there is none. */
  asked?: string | undefined
  /** When the turn must be over, by `performance.now()`: the time of day may be set. */
  deadline: number
  /** Absent: nobody wants to know where the time goes. */
  measure?: Measure | undefined
  /** Ends a turn for which nobody waits, as long as nothing was done outside. Absent: it is finished. */
  hasLeft?: (() => boolean) | undefined
  /** Owns the session before every outside effect. */
  claim: {
    /** False: another turn won. */
    hold(): Promise<boolean>
    /** Aborts when another turn has won; absent: there is none. */
    lost?: AbortSignal
  }
}

/** What the engine runs with. */
export function engineDepsOf(
  deps: Pick<TurnDeps, "bots" | "limits"> & { textFormat?: TextFormat },
): EngineDeps {
  const { bots, limits, textFormat } = deps
  return { world, bots, limits, textFormat }
}

/** The finished turn; undefined: another turn owns the session, and nothing more is done outside. */
export async function runTurn(
  deps: TurnDeps,
  begin: (deps: EngineDeps) => Turn,
): Promise<Turn | undefined> {
  const { measure, effects, claim } = deps
  let turn = inEngine(measure, () => told(deps, () => begin(engineDepsOf(deps))))
  let isActing = false
  for (let calls = 0; turn.call; calls++) {
    if (!isActing && deps.hasLeft?.()) throw callerLeft()
    if (effects.isOutside(turn.call)) {
      if (!(await claim.hold())) return undefined
      isActing = true
    }
    const outcome = await ask(deps, turn, calls)
    if (claim.lost?.aborted) return undefined
    if ("version" in outcome) await loadInto(deps.bots, deps.load, outcome.version)
    const asked = turn
    turn = inEngine(measure, () => told(deps, () => resume(engineDepsOf(deps), asked, outcome)))
  }
  if (measure) measure.turn = turn
  return turn
}

/** The author has to learn which of the bots is too expensive; the caller is no help there. */
function told<Result>({ log, context }: TurnDeps, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError && error.reason === "FLOW_TOO_EXPENSIVE") {
      const { workspaceId, botId, resultId } = context
      log.warn({ workspaceId, botId, resultId }, error.message)
    }
    throw error
  }
}

async function ask(deps: TurnDeps, turn: Turn, calls: number): Promise<Outcome> {
  const { context, deadline, claim } = deps
  const leftMs = deadline - performance.now()
  if (!turn.call || leftMs <= 0) throw timedOut("The flow took longer than a turn may take")
  const { sessionId } = context
  const { step } = turn.session
  const turnKey = callKey([sessionId, step, deps.asked])
  const idempotencyKey = callKey([sessionId, step, calls, deps.asked])
  const timeout = AbortSignal.timeout(Math.ceil(leftMs))
  const signal = claim.lost ? AbortSignal.any([timeout, claim.lost]) : timeout
  return deps.effects.perform(turn.call, { ...context, idempotencyKey, turnKey, signal })
}
