/** What a turn leaves behind: answers, edges, changes of variables, what it showed, flags of results. */
import type { Log } from "./schema/log.ts"
import type { Variable, VariableValue } from "./schema/variable.ts"
import type { ShownPart } from "./shown.ts"

/** One accepted reply. */
export type Answer = {
  blockId: string
  content: string
  attachedFileUrls?: string[] | undefined
}

/** One change of a variable made by a block. */
export type Change = {
  blockId: string
  variableId: string
  value: VariableValue
  /** True: it is one of a session variable, and its value is null because results do not keep it. */
  isHidden?: boolean
}

/** What a turn shows, as far as one result keeps it. */
export type ShownRecord = {
  parts: ShownPart[]
  /** The version that the last parts are of; absent: none yet. */
  version: string | undefined
  /** How many characters more are kept. */
  left: number
}

/** Everything that one turn adds to one result. */
export type ResultRecord = {
  resultId: string
  /** Version of the bot that the result belongs to. */
  version: string
  /** `index`: the position among all answers of the result. */
  answers: (Answer & { index: number })[]
  /** Edges taken off the default path. */
  edges: string[]
  /** The other parts of the path that do not follow from the flow and the answers. */
  marks: string[]
  changes: Change[]
  /** Absent: it showed nothing and went nowhere. */
  shown?: ShownRecord | undefined
  /** Number of the row that holds edges, changes and what was shown. */
  step: number
  /** The row of the result itself; absent: it does not change. */
  row?: {
    variables: Variable[]
    hasStarted: boolean
    isCompleted: boolean
  }
  logs: Log[]
}

/** A copy that can be added to. */
export function copyRecord(record: ResultRecord): ResultRecord {
  const { answers, edges, marks, changes, shown, logs } = record
  return {
    ...record,
    answers: [...answers],
    edges: [...edges],
    marks: [...marks],
    changes: [...changes],
    ...(shown && { shown: { ...shown, parts: [...shown.parts] } }),
    logs: [...logs],
  }
}
