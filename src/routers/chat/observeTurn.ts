/** Carries out a chat call and reports its cost to the caller, the metrics and the trace. */
import type { Chat, Measure } from "../../chat/chat.ts"
import type { ChatAnswer } from "../../chat/idempotency.ts"
import { measured, openMeasure } from "../../chat/measure.ts"
import type { TurnOutcome } from "../../shared/metrics.ts"
import { inSpan, isTracing, recordSpan } from "../../shared/tracing.ts"
import type { Context } from "../context.ts"
import { describeRefusal } from "../refusal.ts"

/** The kinds of chat calls. */
export type TurnKind = "start" | "continue" | "preview"

/** Does the work of one chat call with services whose time is measured, and says if it is replayed. */
export async function observed<Step extends object>(
  ctx: Context,
  kind: TurnKind,
  work: (chat: Chat) => Promise<ChatAnswer<Step>>,
): Promise<Step> {
  const measure = openMeasure()
  const startedAt = performance.now()
  let outcome: TurnOutcome = "failed"
  try {
    const { step, isReplayed } = await inSpan({ name: `turn ${kind}` }, async () => {
      const done = await work(measured(ctx.chat, measure))
      traceBlocks(measure)
      return done
    })
    outcome = isReplayed ? "replayed" : "done"
    if (isReplayed) ctx.setHeader("Idempotent-Replayed", "true")
    return step
  } catch (error) {
    if (describeRefusal(error).status < 500) outcome = "refused"
    throw error
  } finally {
    ctx.setHeader("Server-Timing", timingOf(measure))
    ctx.metrics?.countTurn({
      kind,
      outcome,
      seconds: (performance.now() - startedAt) / 1_000,
      parts: {
        engine: measure.engineMs / 1_000,
        database: measure.databaseMs / 1_000,
        outside: measure.outsideMs / 1_000,
      },
    })
    if (measure.turn && outcome === "done") {
      for (const [type] of measure.turn.visits) ctx.metrics?.countBlock(type)
    }
  }
}

/** The header of that name (W3C Server Timing), in milliseconds. */
function timingOf({ engineMs, databaseMs, outsideMs }: Measure): string {
  const [engine, db, outside] = [engineMs.toFixed(1), databaseMs.toFixed(1), outsideMs.toFixed(1)]
  return `engine;dur=${engine}, db;dur=${db}, outside;dur=${outside}`
}

/** A span per executed block, from its beginning to that of the next. */
function traceBlocks({ turn }: Measure): void {
  if (!turn || !isTracing()) return
  const now = Date.now()
  for (const [index, [type, blockId, at]] of turn.visits.entries()) {
    const end = turn.visits[index + 1]?.[2] ?? now
    recordSpan({ name: `block ${type}`, attributes: { "parley.block_id": blockId } }, at, end)
  }
}
