/** What a turn leaves behind: answers, visited edges, changes of variables, flags of results. */
import type { Log } from "./schema/log.ts"
import type { Variable, VariableValue } from "./schema/variable.ts"

/** What a transcript is made of: read from a result, or kept by a preview, which stores nothing. */
export type History = {
  answers: Answer[]
  edges: string[]
  changes: Change[]
}

/** One accepted reply. */
export type Answer = {
  blockId: string
  content: string
  attachedFileUrls?: string[] | undefined
}

/** A copy that can be added to. */
export function copyHistory<H extends History>(history: H): H {
  const { answers, edges, changes } = history
  return { ...history, answers: [...answers], edges: [...edges], changes: [...changes] }
}

/** One change of a variable made by a block. */
export type Change = {
  index: number
  /** Index of the first change of the same step. */
  blockIndex: number
  blockId: string
  variableId: string
  value: VariableValue
  /** True: given before the start, and only noted under the first block. */
  isPrefilled?: boolean
  /** True: it is one of a session variable, and its value is null because results do not keep it. */
  isHidden?: boolean
}

/** The changes of each block, one list per time that it made some. */
export function groupChanges<One extends Change>(
  changes: readonly One[],
  keyOf: (change: One) => string,
): Map<string, Change[][]> {
  const groups = new Map<string, Change[][]>()
  for (const change of changes) {
    const key = keyOf(change)
    const own = groups.get(key) ?? []
    const last = own.at(-1)
    if (last?.[0]?.blockIndex === change.blockIndex) last.push(change)
    else own.push([change])
    groups.set(key, own)
  }
  return groups
}

/** Changes of session variables with their values, as far as the session keeps them: the latest. */
export function withHidden(
  changes: readonly Change[],
  values: readonly VariableValue[] = [],
): Change[] {
  const left = [...values]
  const known = changes.toReversed().map((change) => {
    const value = change.isHidden ? left.pop() : undefined
    return value === undefined ? change : { ...change, value }
  })
  return known.toReversed()
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
  /** Number of the row that holds edges and changes. */
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
  return { ...copyHistory(record), marks: [...record.marks], logs: [...record.logs] }
}
