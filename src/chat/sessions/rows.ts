/** Turns what the engine recorded into the rows that are stored. */
import type { ResultRows, TurnRows } from "../../db/chats/turns.ts"
import type { ResultRecord } from "../../engine/records.ts"
import type { EngineDeps } from "../../engine/run.ts"
import { newUuid } from "../../shared/ids.ts"

/** The rows of a turn: those of the session's own result, and those of linked bots. */
export function rowsOf(
  results: readonly ResultRecord[],
  own: { resultId: string; botId: string; versionId: string },
  bots: EngineDeps["bots"],
): TurnRows {
  const { resultId, botId, versionId } = own
  const record = results.find((each) => each.resultId === resultId)
  const rows: TurnRows = { botId, versionId }
  if (record) addRows(rows, record)
  const children = results.flatMap((each) => {
    const bot = each.resultId === resultId ? undefined : bots.get(each.version)
    if (!bot) return []
    const child = { resultId: each.resultId, botId: bot.id, versionId: bot.version }
    addRows(child, each)
    return [child]
  })
  if (children.length > 0) rows.children = children
  return rows
}

function addRows(rows: ResultRows, record: ResultRecord): void {
  const { row, answers, edges, changes, step, logs } = record
  if (row) rows.result = row
  if (answers.length > 0) {
    rows.answers = answers.map(({ index, ...answer }) => ({ idx: index, ...answer }))
  }
  if (edges.length > 0 || changes.length > 0) {
    rows.step = { step, edgeIds: edges, setVariables: changes }
  }
  if (logs.length > 0) {
    rows.logs = logs.map(({ isInternal: _, status = "error", ...log }) => {
      return { id: newUuid(), status, ...log }
    })
  }
}
