/** Reassembles the rows of a conversation, turn by turn. */
import type { Answer, Change, ShownPart } from "../records.ts"
import { allPassedIn, type Passed, passedIn, type ShownTurn } from "../shown.ts"
import type { StoredTrace } from "./trace.ts"

/** The rows of a result. Rows of one turn share a time, because one statement wrote them. */
export type TurnRows = {
  answers: readonly {
    createdAt: Date
    blockId: string
    content: string
    attachedFileUrls: string[] | null
    shown: ShownPart[] | null
  }[]
  steps: readonly {
    createdAt: Date
    shown: ShownPart[] | null
    edgeIds?: readonly string[]
    trace?: StoredTrace | null
    setVariables?: unknown[] | null
  }[]
}

export type RecordedTurn = ShownTurn & {
  /** Time of storage, in milliseconds since 1970. */
  at: number
  /** The version that the chat began with. */
  version: string
  trace?: StoredTrace | undefined
  /** Changes of variables, those of linked bots too. */
  changes: readonly Change[]
  /** Edges and marks that do not follow from the flow and the answers, those of linked bots too. */
  marks: readonly string[]
  passed: Passed[]
}

/** Context of a conversation besides its rows. */
type Besides = {
  /** Its result; absent: versions and a first turn without rows do not matter. */
  begun?: { versionId: string; createdAt: Date }
  /** The rows of linked bots by result. */
  linked?: ReadonlyMap<string, TurnRows>
  /** True: includes turns that only refused a reply. */
  hasRefused?: boolean
}

type Part = { shown?: ShownPart[]; answers: Answer[] }
type Turn = Part &
  Pick<RecordedTurn, "at" | "trace"> & {
    changes: Change[]
    marks: string[]
    linked: Map<string, Part>
  }

/** The turns of a conversation in order. */
export function turnsOf(
  own: TurnRows,
  { begun, linked = new Map(), hasRefused = false }: Besides = {},
): RecordedTurn[] {
  const turns: Turn[] = []
  /** The last one of each time. */
  const byTime = new Map<number, Turn>()
  const open = (at: number): Turn => {
    const turn: Turn = { at, answers: [], changes: [], marks: [], linked: new Map() }
    turns.push(turn)
    byTime.set(at, turn)
    return turn
  }
  const turnAt = (moment: Date): Turn => byTime.get(moment.getTime()) ?? open(moment.getTime())
  /** A row with content is the first of its turn. */
  const partAt = (moment: Date, resultId: string | undefined, shown: ShownPart[] | null): Part => {
    const turn = turnAt(moment)
    if (resultId === undefined) {
      // Two chats that share a result may each take a turn within one millisecond.
      return shown && turn.shown ? open(turn.at) : turn
    }
    const part = turn.linked.get(resultId) ?? { answers: [] }
    turn.linked.set(resultId, part)
    return part
  }
  if (begun) turnAt(begun.createdAt)
  for (const [resultId, rows] of [[undefined, own] as const, ...linked]) {
    for (const { createdAt, shown, trace, setVariables, edgeIds } of rows.steps) {
      // Only turns write these rows, and they write them in this form.
      for (const change of setVariables ?? []) turnAt(createdAt).changes.push(change as Change)
      for (const mark of edgeIds ?? []) turnAt(createdAt).marks.push(mark)
      if (shown) partAt(createdAt, resultId, shown).shown = shown
      if (trace && resultId === undefined) turnAt(createdAt).trace = trace
    }
    for (const { createdAt, blockId, content, attachedFileUrls, shown } of rows.answers) {
      const part = partAt(createdAt, resultId, shown)
      part.answers.push({ blockId, content, attachedFileUrls: attachedFileUrls ?? undefined })
      if (shown) part.shown = shown
    }
  }
  let version = begun?.versionId ?? ""
  return turns
    .toSorted((a, b) => a.at - b.at)
    .map((turn) => {
      version = turn.trace?.version ?? version
      return { ...turn, version, passed: passedIn(turn) }
    })
    .filter((turn) => hasRefused || !onlyRefuses(turn))
}

/** Whether a turn only refused a reply. */
export function onlyRefuses({ passed, changes, marks, trace, ...turn }: RecordedTurn): boolean {
  const isIdle = passed.length + changes.length + marks.length === 0 && trace === undefined
  return isIdle && allPassedIn(turn).length > 0
}

/** The results of linked bots that the turns of a result refer to. */
export function linkedResults({ answers, steps }: TurnRows): string[] {
  const ids = [...answers, ...steps].flatMap(({ shown }) =>
    (shown ?? []).flatMap((part) => (typeof part === "object" && "r" in part ? part.r : [])),
  )
  return [...new Set(ids)]
}

/** The versions whose blocks were passed. */
export function versionsIn(turns: readonly RecordedTurn[]): string[] {
  const own = turns.flatMap(({ version, passed }) => [
    version,
    ...passed.flatMap((each) => each.version ?? []),
  ])
  return [...new Set(own)]
}
