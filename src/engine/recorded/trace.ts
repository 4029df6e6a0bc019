/** The way of a turn through its flow, in a form that is small enough to be kept for every turn. */
import { answerVariable, typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, type Position } from "../bot.ts"
import { alongEdge } from "../turn/places.ts"
import type { Turn } from "../turn/run.ts"

/** What is kept of a turn beside its answers, edges, changes and logs; empty members are absent. */
export type StoredTrace = {
  /**
   * The blocks that were visited; absent: those that come by themselves after the answered input, or
   * after the start. A text is the id of one, a number says how many blocks that follow
   * it in its group came next. A version says whose blocks come next, and perhaps with which result;
   * a turn begins in the bot that the chat began with.
   */
  path?: (string | number | VersionMark)[]
  /** Variables whose values are not noted and that blocks do not name: a block, one that it set … */
  set?: string[]
  /** Calls to the outside world. */
  calls?: StoredCall[]
  /** The version that the chat began with, when it goes on with an older result. */
  version?: string
  /** True: more happened than is kept. */
  isCut?: true
}

/** A linked bot that the way goes into, or the first one again. */
type VersionMark = { v: string; r?: string }

/** Index of the visit that made it (-1: the reply was judged), its kind, how it ended, milliseconds. */
export type StoredCall = [visit: number, kind: string, status: number, ms: number]

/** How a call ended, unless its status is that of an HTTP answer. */
export const callStatus = { failed: -1, done: 0 } as const

/** Most characters that the members of a trace take together as JSON. */
export const maxTraceLength = 2_000

/** What a turn leaves behind. Returns undefined when it went nowhere. */
export function traceOf(
  turn: Turn,
  bots: { get(version: string): Bot | undefined },
  calls: readonly StoredCall[],
): StoredTrace | undefined {
  const { visits, unnoted, appearance } = turn
  // A chat may be told from outside, between replies, what its variables are.
  const isSteered = unnoted.length > 0 && turn.results.every(({ answers }) => answers.length === 0)
  if (visits.length === 0 && calls.length === 0 && !isSteered) return undefined
  const root = turn.session.queue.at(-1)
  const trace: StoredTrace = {}
  const bound = openBound()
  if (appearance && turn.session.isContinuing && root) trace.version = root.version
  if (!isByItself(turn, bots)) trace.path = pathOf(turn, bots).filter(bound.takes)
  const kept = calls.filter(bound.takes)
  if (kept.length > 0) trace.calls = kept
  const unnamed = unnoted.filter((pair) => !isNamed(turn, bots, pair))
  const set = unnamed.filter(bound.takes).flat()
  if (set.length > 0) trace.set = set
  if (bound.isReached()) trace.isCut = true
  return Object.keys(trace).length > 0 ? trace : undefined
}

type Bots = { get(version: string): Bot | undefined }

/** Whether the way follows from the flow and the one answer, so that nothing has to be kept. */
function isByItself({ visits, session, results, appearance }: Turn, bots: Bots): boolean {
  const root = session.queue.at(-1)
  const bot = bots.get(root?.version ?? "")
  const answers = results.flatMap((record) => record.answers)
  if (!root || !bot || answers.length !== (appearance ? 0 : 1)) return false
  const ids = blocksByThemselves(bot, answers[0]?.blockId)
  return (
    ids.length === visits.length &&
    visits.every(
      ([, blockId, , version, resultId], place) =>
        blockId === ids[place] && version === root.version && resultId === root.resultId,
    )
  )
}

/** More than a way without a decision has. */
const mostBlocks = 500

/** The blocks that come by themselves after an input, or after the start: to the next question. */
export function blocksByThemselves(bot: Bot, answered: string | undefined): string[] {
  const ids: string[] = []
  const input = answered === undefined ? undefined : bot.positions.get(answered)
  let here = answered === undefined ? alongEdge(bot, bot.startEdgeId) : input && onward(bot, input)
  while (here && ids.length < mostBlocks) {
    const block = blockAt(here)
    if (!block) break
    ids.push(block.id)
    const type = typeOf(block)
    if (type.kind === "input" || (type.kind === "bubble" && type.waits?.(block))) break
    here = onward(bot, here)
  }
  return ids
}

/** As the walk goes on after a block that decides nothing. */
function onward(bot: Bot, here: Position): Position | undefined {
  const block = blockAt(here)
  const edge = block?.outgoingEdgeId
  const next = { group: here.group, index: here.index + 1 }
  const isLast = next.index >= here.group.blocks.length
  if (!block || (edge === undefined && isLast)) return undefined
  if (edge === undefined || (typeOf(block).kind === "bubble" && !isLast)) return next
  return alongEdge(bot, edge)
}

/** Whether a block itself names the variable, so that reading it tells the same. */
function isNamed({ visits }: Turn, bots: Bots, [blockId, variableId]: [string, string]): boolean {
  const version = visits.find(([, id]) => id === blockId)?.[3]
  const here = bots.get(version ?? "")?.positions.get(blockId)
  const block = here && blockAt(here)
  return block !== undefined && answerVariable(block) === variableId
}

/** Takes parts until they are too long together. */
function openBound() {
  let left = maxTraceLength
  return {
    takes: (part: unknown) => {
      left = left > 0 ? left - JSON.stringify(part).length : left
      return left > 0
    },
    isReached: () => left <= 0,
  }
}

function pathOf(
  { visits, session }: Turn,
  bots: { get(version: string): Bot | undefined },
): NonNullable<StoredTrace["path"]> {
  const root = session.queue.at(-1)
  const path: NonNullable<StoredTrace["path"]> = []
  let [version, resultId] = [root?.version, root?.resultId]
  let last: { group: object; index: number } | undefined
  for (const [, blockId, , ofVersion, ofResult] of visits) {
    if (ofVersion !== version || ofResult !== resultId) {
      version = ofVersion
      resultId = ofResult
      last = undefined
      path.push({ v: version, ...(resultId !== root?.resultId && { r: resultId }) })
    }
    const here = bots.get(ofVersion)?.positions.get(blockId)
    const end = path.length - 1
    const before = path[end]
    if (here && here.group === last?.group && here.index === last.index + 1) {
      if (typeof before === "number") path[end] = before + 1
      else path.push(1)
    } else path.push(blockId)
    last = here
  }
  return path
}

/** A visited block: its version is absent for the bot that the chat began with. */
export type PassedBlock = { blockId: string; version?: string; resultId?: string }

/** The blocks of a stored way, in order; those of versions that are gone may be missing. */
export function blocksOf(
  path: StoredTrace["path"] = [],
  rootVersion: string,
  bots: { get(version: string): Bot | undefined },
): PassedBlock[] {
  const blocks: PassedBlock[] = []
  let mark: VersionMark | undefined
  for (const part of path) {
    if (typeof part === "object") {
      mark = part.v === rootVersion && part.r === undefined ? undefined : part
      continue
    }
    const place = mark && { version: mark.v, ...(mark.r !== undefined && { resultId: mark.r }) }
    if (typeof part === "string") {
      blocks.push({ blockId: part, ...place })
      continue
    }
    const bot = bots.get(mark?.v ?? rootVersion)
    const last = bot?.positions.get(blocks.at(-1)?.blockId ?? "")
    if (!last) continue
    for (const { id } of last.group.blocks.slice(last.index + 1, last.index + 1 + part)) {
      blocks.push({ blockId: id, ...place })
    }
  }
  return blocks
}
