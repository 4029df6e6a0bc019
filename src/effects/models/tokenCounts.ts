/** Counts tokens by workspace and month in memory, and stores them every few seconds. */
import type { Db } from "../../db/connection/openDatabase.ts"
import { addModelUsage, type ModelUsage } from "../../db/results/modelUsage.ts"
import type { ModelUse } from "../../engine/calls.ts"
import { monthOf } from "../../lib/plans.ts"
import type { Log } from "../../telemetry/log.ts"

/** A process that is killed loses no more. */
const storeMs = 2_000

export type TokenCounts = ReturnType<typeof openTokenCounts>

export function openTokenCounts({ db, log }: { db: Db; log: Pick<Log, "warn"> }) {
  let waiting = new Map<string, ModelUsage>()
  let storing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const add = (counts: ModelUsage) => {
    const key = `${counts.workspaceId} ${counts.periodStart}`
    const known = waiting.get(key)
    waiting.set(key, known ? sumOf(known, counts) : counts)
    timer ??= setTimeout(store, storeMs)
  }
  const store = () => {
    clearTimeout(timer)
    timer = undefined
    const counts = [...waiting.values()]
    waiting = new Map()
    if (counts.length === 0) return storing
    storing = storing
      .then(() => addModelUsage(db, counts))
      .catch((error: unknown) => {
        log.warn({ err: error }, "Tokens of language models could not be stored yet")
        for (const each of counts) add(each)
      })
    return storing
  }
  return {
    /** Counts one call. */
    add(workspaceId: string, { inputTokens = 0, outputTokens = 0 }: ModelUse) {
      const periodStart = monthOf(Date.now()).start
      add({ workspaceId, periodStart, calls: 1, inputTokens, outputTokens })
    },
    /** Stores what was counted. */
    async close() {
      await store()
      clearTimeout(timer)
    },
  }
}

function sumOf(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    ...one,
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  }
}
