/** Records of a turn: answers, edges, changes of variables, content, flags of results. */
import type { BubbleContent } from "./payload.ts"
import type { Log } from "./schema/log.ts"
import type { Variable, VariableValue } from "./schema/variable.ts"

/** A variable with its value, as stored in a result. */
export type KeptVariable = Variable & {
  /** True: the value is visitor input. Absent: it is not, or a former release wrote it. */
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
  /** True: of a session variable, with null because results do not store its value. */
  isHidden?: boolean
}

/**
 * One step of a turn. Every turn stores some, so the names are short. `v`: version of the following blocks;
 * by default the one the chat began with.
 */
export type ShownPart =
  /** A visited block without content, by its id. */
  | string
  /** A block that showed `t`: a text, or the address of something of type `k` (of a file its name). `x`: `t` is incomplete. */
  | { b: string; t: string; k?: LineType; x?: 1 }
  /** A reply to the input `a`; without a text, the next answer to it among those of the turn. */
  | { a: string; t?: string; x?: 1 }
  /** Likewise, displayed as `s`: the label of a choice, or text stored in another form. */
  | { a: string; s: string; x?: 1 }
  /** A reply `t` to the input `q` that was refused with the words `w`; either may be empty. */
  | { q: string; t: string; w: string; x?: 1 }
  | { v: string }
  /** A linked bot took over; its own result has its records. */
  | { r: string }
  /** The rest is not stored. */
  | { cut: 1 }

/** The content of a line: a text as Markdown, the name of a file, or an address. */
export type LineType = BubbleContent["type"]

/** The part of a turn's content that belongs to one result. */
export type ShownRecord = {
  parts: ShownPart[]
  /** The version that the last parts belong to; absent: none yet. */
  version: string | undefined
  /** Characters left before the cut. */
  left: number
}

/** One turn's additions to one result. */
export type ResultRecord = {
  resultId: string
  /** Version of the bot that the result belongs to. */
  version: string
  /** `index`: the position among all answers of the result. */
  answers: (Answer & { index: number })[]
  /** Edges taken off the default path. */
  edges: string[]
  /** Other marks of the path that do not follow from the flow and the answers. */
  marks: string[]
  changes: Change[]
  /** Absent: no content and no step. */
  shown?: ShownRecord | undefined
  /** Number of the row of edges, changes and content. */
  step: number
  /** The row of the result itself; absent: unchanged. */
  row?: {
    variables: KeptVariable[]
    hasStarted: boolean
    isCompleted: boolean
  }
  /** Of a completed result: the bot that ended, which may have left the session, and its answers. */
  completed?: { version: string; answers: readonly [string, string][] }
  logs: Log[]
}

/** An extensible copy. */
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
