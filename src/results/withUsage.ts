/** Adds to results what their calls of language models used. */
import type { Db } from "../db/connection/openDatabase.ts"
import { listModelUse, type ModelUseRow } from "../db/results/analytics.ts"
import { groupBy } from "../lib/groupBy.ts"
import type { Presented } from "./readResults.ts"

type Tokens = Pick<ModelUseRow, "calls" | "inputTokens" | "outputTokens">

/** As responses have it. */
type ResultUsage = Tokens & {
  byModel: (Tokens & { provider: string; model?: string })[]
}

/** Models listed of one result: a bot may take their names from anywhere. */
const maxModels = 100

/** The results with their usage; archived ones, and those that called no model, as they are. */
export async function withUsage(
  db: Db,
  results: readonly Presented[],
): Promise<(Presented & { usage?: ResultUsage })[]> {
  const ids = results.flatMap(({ id, isArchived }) => (isArchived ? [] : id))
  const uses = groupBy(await listModelUse(db, ids), ({ resultId }) => resultId)
  return results.map((result) => {
    const own = uses.get(result.id)
    return own ? { ...result, usage: usageOf(own) } : result
  })
}

function usageOf(rows: readonly ModelUseRow[]): ResultUsage {
  const total: Tokens = { calls: 0, inputTokens: 0, outputTokens: 0 }
  for (const { calls, inputTokens, outputTokens } of rows) {
    total.calls += calls
    total.inputTokens += inputTokens
    total.outputTokens += outputTokens
  }
  const byModel = rows.slice(0, maxModels).map(({ resultId: _, provider, model, ...tokens }) => ({
    provider,
    ...(model !== "" && { model }),
    ...tokens,
  }))
  return { ...total, byModel }
}
