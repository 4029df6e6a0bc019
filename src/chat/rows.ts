/** Turns what the engine recorded into the rows that are stored. */
import type { ResultRows, TurnRows } from "../db/turns.ts"
import type { ResultRecord } from "../engine/records.ts"
import type { Stage } from "../engine/run.ts"
import { newUuid } from "../ids.ts"

/** The rows of a turn: those of the session's own result, and those of linked bots. */
export function rowsOf(
  results: readonly ResultRecord[],
  own: { resultId: string; botId: string; versionId: string },
  bots: Stage["bots"],
): TurnRows {
  const { resultId, botId, versionId } = own
  const record = results.find((each) => each.resultId === resultId)
  const children = results.flatMap((each) => {
    const bot = each.resultId === resultId ? undefined : bots.get(each.version)
    const ids = bot && { botId: bot.id, versionId: bot.version }
    return ids ? [{ resultId: each.resultId, ...ids, ...rowsOfResult(each) }] : []
  })
  return {
    botId,
    versionId,
    ...(record ? rowsOfResult(record) : {}),
    ...(children.length > 0 ? { children } : {}),
  }
}

function rowsOfResult(record: ResultRecord): Omit<ResultRows, "botId" | "versionId"> {
  const { row, answers, edges, changes, step, logs } = record
  return {
    ...(row ? { result: row } : {}),
    ...(answers.length > 0
      ? { answers: answers.map(({ index, ...answer }) => ({ idx: index, ...answer })) }
      : {}),
    ...(edges.length > 0 || changes.length > 0
      ? { step: { step, edgeIds: edges, setVariables: changes } }
      : {}),
    ...(logs.length > 0
      ? { logs: logs.map((log) => ({ id: newUuid(), ...log, status: log.status ?? "error" })) }
      : {}),
  }
}
