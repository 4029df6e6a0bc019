/** The common part of chat calls: reads their input, and measures their time by part. */
import type { z } from "zod"
import type { Chat, Measure } from "../../chat/chat.ts"
import { type ChatAnswer, readKey } from "../../chat/idempotency.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import type { Effects } from "../../effects/perform.ts"
import type { Snapshots } from "../../effects/snapshots.ts"
import type { TextFormat } from "../../engine/payload.ts"
import { type messageSchema, readMessage } from "../../engine/schema/message.ts"
import type { Complete } from "../../engine/turn/run.ts"
import type { TurnOutcome } from "../../telemetry/metrics.ts"
import { inSpan, isTracing, recordSpan } from "../../telemetry/tracing.ts"
import type { Context } from "../context.ts"
import { describeRefusal } from "../refusal.ts"

/** The input members that all chat calls share. */
type TurnInput = {
  message?: z.infer<typeof messageSchema> | null | undefined
  textBubbleContentFormat: TextFormat
  /** Id of the user who gets a trace with the answer; absent: none. */
  tracedFor?: string
}

/** Reads the common members of chat calls from the input and the context. */
export function turnRequestOf(ctx: Context, input: TurnInput) {
  const { idempotencyKey: key, origin, iframeReferrerOrigin, onlyBots, hasLeft } = ctx
  return {
    message: readMessage(input.message),
    textFormat: input.textBubbleContentFormat,
    keyed: key === undefined ? undefined : readKey(key, input),
    origin,
    iframeReferrerOrigin,
    onlyBots,
    hasLeft,
  }
}

/** Runs one chat call on measured services, reports its time by part, and marks a replayed answer. */
export async function observed<Step extends object>(
  ctx: Context,
  kind: "start" | "continue" | "conversation" | "preview",
  work: (chat: Chat) => Promise<ChatAnswer<Step>>,
): Promise<Step> {
  const measure = createMeasure()
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

/** A measure that starts at zero. */
export function createMeasure(): Measure {
  return { engineMs: 0, databaseMs: 0, outsideMs: 0 }
}

/** Wraps the services of a chat so that their time is measured. */
export function measured(chat: Chat, measure: Measure): Chat {
  const { db, snapshots, effects } = chat
  const inDatabase = <T>(work: () => T) => timed(measure, "databaseMs", work)
  // Listed one by one: spreading costs fifty times as much. A missing member does not compile.
  return {
    log: chat.log,
    queue: chat.queue,
    longRuns: chat.longRuns,
    processId: chat.processId,
    namingKey: chat.namingKey,
    turnTimeoutMs: chat.turnTimeoutMs,
    viewerOrigins: chat.viewerOrigins,
    ownHost: chat.ownHost,
    unansweredMs: chat.unansweredMs,
    countUnanswered: chat.countUnanswered,
    planLimits: chat.planLimits,
    subscriptions: chat.subscriptions,
    variables: {
      of: (workspaceId) => inDatabase(() => chat.variables.of(workspaceId)),
      changed: chat.variables.changed,
      close: chat.variables.close,
    } satisfies Complete<Chat["variables"]>,
    watched: chat.watched,
    bursts: chat.bursts,
    notify: chat.notify,
    measure,
    db: {
      kysely: db.kysely,
      run: (statement, values) => inDatabase(() => db.run(statement, values)),
      changeLog: db.changeLog,
    } satisfies Complete<Db>,
    snapshots: {
      load: (versionId) => inDatabase(() => snapshots.load(versionId)),
      loadPreview: (version) => inDatabase(() => snapshots.loadPreview(version)),
      keepPreview: (flow, botId, owner) =>
        inDatabase(() => snapshots.keepPreview(flow, botId, owner)),
    } satisfies Complete<Snapshots>,
    effects: {
      isOutside: effects.isOutside,
      perform: (call, context) => {
        const isStored = call.kind === "bot" || call.kind === "history"
        const part = isStored ? "databaseMs" : "outsideMs"
        return timed(measure, part, () => effects.perform(call, context))
      },
    } satisfies Complete<Effects>,
  } satisfies Complete<Chat>
}

/** Adds the time until the work returns or its promise settles; returns its value. */
function timed<T>(measure: Measure, part: "databaseMs" | "outsideMs", work: () => T): T {
  const startedAt = performance.now()
  const count = () => {
    measure[part] += performance.now() - startedAt
  }
  let isPending = false
  try {
    const result = work()
    if (result instanceof Promise) {
      isPending = true
      result.then(count, count)
    }
    return result
  } finally {
    if (!isPending) count()
  }
}

/** The value of the `Server-Timing` header (W3C Server Timing), in milliseconds. */
function timingOf({ engineMs, databaseMs, outsideMs }: Measure): string {
  const [engine, db, outside] = [engineMs.toFixed(1), databaseMs.toFixed(1), outsideMs.toFixed(1)]
  return `engine;dur=${engine}, db;dur=${db}, outside;dur=${outside}`
}

/** Records a span per executed block, from its start to the start of the next. */
function traceBlocks({ turn }: Measure): void {
  if (!turn || !isTracing()) return
  const now = Date.now()
  for (const [index, [type, blockId, at]] of turn.visits.entries()) {
    const end = turn.visits[index + 1]?.[2] ?? now
    recordSpan({ name: `block ${type}`, attributes: { "parley.block_id": blockId } }, at, end)
  }
}
