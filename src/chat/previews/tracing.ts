/** Traces turns of previews: which blocks they passed, how long each took, and what they called. */
import type { Bot } from "../../engine/bot.ts"
import { describeTrail, type TrailCall } from "../../engine/recorded/describeTrail.ts"
import type { StoredCall } from "../../engine/recorded/trace.ts"
import type { Turn } from "../../engine/turn/run.ts"

/** What the caller of a traced turn may see. */
export type Insight = {
  /** Whether they may edit the bot, and so have it say whatever a session variable holds. */
  showsSession: boolean
}

/** How one attempt at a turn is traced. */
export type Tracing = Insight & {
  stopwatch: () => number
  /** The calls of the attempt so far. */
  calls: TrailCall[]
}

/** What a traced turn did. */
export type PreviewTrace = ReturnType<typeof describeTrail>

/** Begins to trace an attempt at a turn. */
export function openTracing({ showsSession }: Insight): Tracing {
  return { showsSession, stopwatch: () => performance.now(), calls: [] }
}

/** Notes a call of the block that the turn has come to. */
export function noteCall({ calls }: Tracing, { trail = [] }: Turn, call: StoredCall): void {
  calls.push({ place: trail.length - 1, call })
}

/** The answer of a traced turn, with its trace. */
export function withTrace<Step extends object>(
  step: Step,
  turn: Turn,
  { tracing, bots }: { tracing: Tracing; bots: ReadonlyMap<string, Bot> },
): Step & { trace: PreviewTrace } {
  const { showsSession, stopwatch, calls } = tracing
  const trace = describeTrail(turn, { bots, showsSession, calls, endedAt: stopwatch() })
  return { ...step, trace }
}
