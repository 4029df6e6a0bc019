/** Measures where the time of one chat call goes: the engine, the database, the outside world. */
import type { Snapshots } from "../db/chats/snapshots.ts"
import type { Db } from "../db/connection/open.ts"
import type { Effects } from "../effects/perform.ts"
import type { Complete } from "../engine/run.ts"
import type { Chat, Measure } from "./chat.ts"

/** A measure that has measured nothing yet. */
export function openMeasure(): Measure {
  return { engineMs: 0, databaseMs: 0, outsideMs: 0 }
}

/** The same services, whose work is measured. */
export function measured(chat: Chat, measure: Measure): Chat {
  const { db, snapshots, effects } = chat
  const inDatabase = <T>(work: () => T) => timed(measure, "databaseMs", work)
  // Listed, at every call: spreading costs some fifty times as much. One that is missing does not
  // compile.
  return {
    log: chat.log,
    queue: chat.queue,
    engineQueue: chat.engineQueue,
    processId: chat.processId,
    namingKey: chat.namingKey,
    turnTimeoutMs: chat.turnTimeoutMs,
    viewerOrigins: chat.viewerOrigins,
    unansweredMs: chat.unansweredMs,
    unanswered: chat.unanswered,
    measure,
    db: {
      kysely: db.kysely,
      run: (statement, values) => inDatabase(() => db.run(statement, values)),
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

/** Runs the engine; measured when there is something to measure with. */
export function inEngine<T>(measure: Measure | undefined, work: () => T): T {
  return measure ? timed(measure, "engineMs", work) : work()
}

/** Counts the time until the work is done or its promise settled, which stays the same promise. */
function timed<T>(
  measure: Measure,
  part: "engineMs" | "databaseMs" | "outsideMs",
  work: () => T,
): T {
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
