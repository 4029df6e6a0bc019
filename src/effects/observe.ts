/** Counts and traces what is asked of the outside world. */
import { isFailure } from "../engine/calls.ts"
import type { Metrics } from "../shared/metrics.ts"
import { inSpan } from "../shared/tracing.ts"
import type { Effects } from "./perform.ts"

/** The same effects, counted by kind and outcome. */
export function observeEffects(effects: Effects, metrics: Pick<Metrics, "countCall">): Effects {
  return {
    isOutside: effects.isOutside,
    async perform(call, context) {
      const { kind } = call
      const startedAt = performance.now()
      const end = (outcome: "ok" | "failed") => {
        metrics.countCall({ kind, outcome, seconds: (performance.now() - startedAt) / 1_000 })
      }
      return await inSpan({ name: `call ${kind}` }, async (note) => {
        try {
          const answer = await effects.perform(call, context)
          const outcome = isFailure(answer) ? "failed" : "ok"
          note({ "parley.outcome": outcome })
          end(outcome)
          return answer
        } catch (error) {
          end("failed")
          throw error
        }
      })
    },
  }
}
