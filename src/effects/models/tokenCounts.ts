/** Counts tokens by workspace and month in memory, stores them every few seconds, and compares them with limits. */
import { LRUCache } from "lru-cache"
import type { Db } from "../../db/connection/openDatabase.ts"
import { addModelUsage, findModelUsage, type ModelUsage } from "../../db/results/modelUsage.ts"
import type { Failure, ModelUse } from "../../engine/calls.ts"
import { modelTokensLimitOf, monthOf, type PlanLimits } from "../../lib/plans.ts"
import type { Log } from "../../telemetry/log.ts"
import { failed } from "../failures.ts"

/** A process that is killed loses no more, and other processes learn of what one has counted as late. */
const storeMs = 2_000

type TokenCountsDeps = {
  db: Db
  log: Pick<Log, "warn">
  planLimits: PlanLimits
  /** Tokens of workspaces whose plans have no number; 0: any number. */
  perMonth: number
}

export type TokenCounts = ReturnType<typeof openTokenCounts>

export function openTokenCounts({ db, log, planLimits, perMonth }: TokenCountsDeps) {
  /** Counted, but not stored: the first are on their way. */
  let storing = new Map<string, ModelUsage>()
  let waiting = new Map<string, ModelUsage>()
  let stored = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const isLimited = perMonth > 0 || Object.values(planLimits).some((plan) => "modelTokens" in plan)
  /** What is stored and allowed, by workspace and month. */
  const known = new LRUCache<string, { tokens: number; limit: number }>({
    max: 5_000,
    ttl: storeMs,
  })

  const add = (counts: ModelUsage) => {
    const key = keyOf(counts)
    const before = waiting.get(key)
    waiting.set(key, before ? sumOf(before, counts) : counts)
    timer ??= setTimeout(store, storeMs)
  }
  const store = () => {
    clearTimeout(timer)
    timer = undefined
    stored = stored.then(storeWaiting)
    return stored
  }
  const storeWaiting = async () => {
    storing = waiting
    waiting = new Map()
    const counts = [...storing.values()]
    try {
      if (counts.length > 0) await addModelUsage(db, counts)
      for (const key of storing.keys()) known.delete(key)
      storing = new Map()
    } catch (error) {
      log.warn({ err: error }, "Tokens of language models could not be stored yet")
      storing = new Map()
      for (const each of counts) add(each)
    }
  }
  const find = async (month: Month) => {
    const row = await findModelUsage(db, month)
    const limit = row ? modelTokensLimitOf(row.plan, planLimits, perMonth) : Infinity
    const found = { tokens: row ? tokensOf(row) : 0, limit }
    known.set(keyOf(month), found)
    return found
  }
  return {
    /** Counts one call. */
    add(workspaceId: string, { inputTokens = 0, outputTokens = 0 }: ModelUse) {
      const periodStart = monthOf(Date.now()).start
      add({ workspaceId, periodStart, calls: 1, inputTokens, outputTokens })
    },
    /** Why a workspace may make no call now. Calls that are under way do not count yet. */
    async refusalFor(workspaceId: string): Promise<Failure | undefined> {
      if (!isLimited) return undefined
      const month = { workspaceId, periodStart: monthOf(Date.now()).start }
      const { tokens, limit } = known.get(keyOf(month)) ?? (await find(month))
      const own = [storing, waiting].map((counts) => tokensOf(counts.get(keyOf(month))))
      const used = own.reduce((sum, count) => sum + count, tokens)
      if (used < limit) return undefined
      return failed(`The workspace has used its ${limit} tokens of language models of this month`, {
        details: "It starts again from 0 with the next month (UTC).",
        reason: "limit",
        isInternal: true,
      })
    },
    /** Stores what was counted. */
    async close() {
      await store()
      clearTimeout(timer)
    },
  }
}

type Month = Pick<ModelUsage, "workspaceId" | "periodStart">

const keyOf = ({ workspaceId, periodStart }: Month) => `${workspaceId} ${periodStart}`

const tokensOf = (counts?: Pick<ModelUsage, "inputTokens" | "outputTokens">) =>
  counts ? counts.inputTokens + counts.outputTokens : 0

function sumOf(one: ModelUsage, other: ModelUsage): ModelUsage {
  return {
    ...one,
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  }
}
