/** Carries out a chat call and tells what it took: to the caller, the metrics and the trace. */
import type { Chat, Measure } from "../../chat/chat.ts"
import { measured, openMeasure } from "../../chat/measure.ts"
import type { TurnOutcome } from "../../shared/metrics.ts"
import { inSpan, isTracing, noteSpan } from "../../shared/tracing.ts"
import type { Context } from "../context.ts"
import { describeRefusal } from "../refusal.ts"

/** The kinds of chat calls. */
export type TurnKind = "start" | "continue" | "preview"

/** Does the work of one chat call with services whose time is measured. */
export async function observed<T extends object>(
  ctx: Context,
  kind: TurnKind,
  work: (chat: Chat) => Promise<T>,
): Promise<T> {
  const measure = openMeasure()
  const startedAt = performance.now()
  let outcome: TurnOutcome = "failed"
  try {
    const answer = await inSpan({ name: `turn ${kind}` }, async () => {
      const done = await work(measured(ctx.chat, measure))
      noteBlocks(measure)
      return done
    })
    outcome = "isReplayed" in answer && answer.isReplayed === true ? "replayed" : "done"
    return answer
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
function noteBlocks({ turn }: Measure): void {
  if (!turn || !isTracing()) return
  const now = Date.now()
  for (const [index, [type, blockId, at]] of turn.visits.entries()) {
    const end = turn.visits[index + 1]?.[2] ?? now
    noteSpan({ name: `block ${type}`, attributes: { "parley.block_id": blockId } }, at, end)
  }
}
