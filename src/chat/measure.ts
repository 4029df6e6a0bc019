/** Measures where the time of one chat call goes: the engine, the database, the outside world. */
import type { Chat, Measure } from "./chat.ts"

/** A measure that has measured nothing yet. */
export function openMeasure(): Measure {
  return { engineMs: 0, databaseMs: 0, outsideMs: 0 }
}

/** The same services, whose work is measured. */
export function measured(chat: Chat, measure: Measure): Chat {
  const { db, snapshots, effects } = chat
  // Written out: a copy by spreading costs several times as much, at every call.
  return {
    log: chat.log,
    queue: chat.queue,
    processId: chat.processId,
    namingKey: chat.namingKey,
    turnTimeoutMs: chat.turnTimeoutMs,
    viewerOrigins: chat.viewerOrigins,
    unansweredMs: chat.unansweredMs,
    unanswered: chat.unanswered,
    measure,
    db: {
      kysely: db.kysely,
      run: (statement, values) => timed(measure, "databaseMs", () => db.run(statement, values)),
    },
    snapshots: {
      load: (versionId) => {
        const span: Span = { measure, part: "databaseMs", startedAt: performance.now() }
        const found = snapshots.load(versionId)
        return found instanceof Promise ? until(span, found) : found
      },
      loadPreview: (version) => timed(measure, "databaseMs", () => snapshots.loadPreview(version)),
      keepPreview: (flow, botId, owner) =>
        timed(measure, "databaseMs", () => snapshots.keepPreview(flow, botId, owner)),
    },
    effects: {
      isOutside: effects.isOutside,
      perform: (call, context) => {
        const isStored = call.kind === "bot" || call.kind === "history"
        const part = isStored ? "databaseMs" : "outsideMs"
        return timed(measure, part, () => effects.perform(call, context))
      },
    },
  }
}

/** Runs the engine; measured when there is something to measure with. */
export function inEngine<T>(measure: Measure | undefined, work: () => T): T {
  if (!measure) return work()
  const startedAt = performance.now()
  try {
    return work()
  } finally {
    measure.engineMs += performance.now() - startedAt
  }
}

type Span = { measure: Measure; part: "databaseMs" | "outsideMs"; startedAt: number }

function timed<T>(measure: Measure, part: Span["part"], work: () => Promise<T>): Promise<T> {
  return until({ measure, part, startedAt: performance.now() }, work())
}

/** Counts the time until a promise is settled, which stays the same promise. */
function until<T>({ measure, part, startedAt }: Span, promise: Promise<T>): Promise<T> {
  const count = () => {
    measure[part] += performance.now() - startedAt
  }
  promise.then(count, count)
  return promise
}
