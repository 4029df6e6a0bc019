/** Traces turns of previews: which blocks they passed, how long each took, and what they called. */
import type { Bot } from "../../engine/bot.ts"
import { describeTrail, type TrailCall } from "../../engine/recorded/describeTrail.ts"
import type { Turn } from "../../engine/turn/run.ts"

/** What the trace may show to its caller. */
export type Insight = {
  /** Whether they may edit the bot, and so could show session variables anyway. */
  showsSession: boolean
}

/** How one attempt at a turn is traced. */
export type Tracing = Insight & {
  /** The calls of the attempt so far. */
  calls: TrailCall[]
}

export type PreviewTrace = ReturnType<typeof describeTrail>

/** The answer of a traced turn, with its trace. */
export function withTrace<Step extends object>(
  step: Step,
  turn: Turn,
  { tracing, bots }: { tracing: Tracing; bots: ReadonlyMap<string, Bot> },
): Step & { trace: PreviewTrace } {
  return { ...step, trace: describeTrail(turn, { bots, ...tracing, endedAt: performance.now() }) }
}
