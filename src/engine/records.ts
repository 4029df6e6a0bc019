/** What a turn leaves behind: answers, edges, changes of variables, what it showed, flags of results. */
import type { BubbleContent } from "./payload.ts"
import type { Log } from "./schema/log.ts"
import type { Variable, VariableValue } from "./schema/variable.ts"

/** A variable with its value, as a result keeps it. */
export type KeptVariable = Variable & {
  /** True: the value is what a visitor said. Absent: it is not, or a former release wrote it. */
  isPlain?: true
}

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
  /** True: one of a session variable, and its value is null because results do not keep it. */
  isHidden?: boolean
}

/**
 * One step of a turn. Every turn of every chat stores some, so the names are short. `v` names the
 * version that the blocks after it belong to; before the first, that is the one the chat began with.
 */
export type ShownPart =
  /** A block that was visited, by its id, and showed nothing. */
  | string
  /** A block that showed `t`: a text, or the address of something of type `k`. `x`: `t` is incomplete. */
  | { b: string; t: string; k?: LineType; x?: 1 }
  /** A reply to the input `a`; without a text, the next answer to it among those of the turn. */
  | { a: string; t?: string; x?: 1 }
  /** Likewise, where the person saw `s`: the label of a choice, or words that were stored in another form. */
  | { a: string; s: string; x?: 1 }
  /** A reply `t` to the input `q` that was refused with the words `w`; either may be empty. */
  | { q: string; t: string; w: string; x?: 1 }
  | { v: string }
  /** Here a linked bot took over; its own result has what it did. */
  | { r: string }
  /** More happened than is stored. */
  | { cut: 1 }

/** What a line shows: a text as Markdown, or the address of something. */
export type LineType = BubbleContent["type"]

/** The part of what a turn shows that belongs to one result. */
export type ShownRecord = {
  parts: ShownPart[]
  /** The version that the last parts belong to; absent: none yet. */
  version: string | undefined
  /** How many more characters are kept. */
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
    variables: KeptVariable[]
    hasStarted: boolean
    isCompleted: boolean
  }
  /** Of a result that is completed: the bot that ended, which may have left the session, and its answers. */
  completed?: { version: string; answers: readonly [string, string][] }
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
