/** Facts in the record of a conversation about its world, besides the starts of turns. */
import { answerVariable } from "../../engine/blocks/registry.ts"
import { type Bot, blockAt } from "../../engine/bot.ts"
import type { Call, Failure } from "../../engine/calls.ts"
import type { RecordedTurn } from "../../engine/recorded/recordedTurn.ts"
import { callStatus, type StoredCall } from "../../engine/recorded/trace.ts"
import type { KeptVariable } from "../../engine/records.ts"
import type { Turn } from "../../engine/turn/run.ts"
import type { WorkspaceVariables } from "../../engine/variables/workspaceVariables.ts"
import type { ReplayObstacle } from "./difference.ts"
import { type Answered, type KnownValue, variablesOf } from "./replaySide.ts"

export type RecordedChat = {
  resultId: string
  /** The version that it began with. */
  version: string
  turns: readonly RecordedTurn[]
  /** The values of its result. */
  variables: readonly KeptVariable[]
}

/** All bots of a conversation, its own first, and the one to compare with. */
export type Cast = {
  bots: ReadonlyMap<string, Bot>
  after: Bot
  /** Variables of the workspace as they are now. Absent: none. */
  workspace?: WorkspaceVariables
}

export type SetBy = (turn: RecordedTurn, blockId: string) => KnownValue[] | ReplayObstacle

/** Creates the look-up of a conversation's recorded variables. */
export function createMemory(chat: RecordedChat, { bots, after }: Cast): SetBy {
  let counts: Map<string, number> | undefined
  const nameOf = (id: string) => {
    const variables = [...bots.values()].map((bot) => variablesOf(bot).byId.get(id))
    return variables.find((variable) => variable !== undefined)?.name ?? id
  }
  /** The value of a variable that no text mentions: set only once, it equals the result's. */
  const unnoted = (id: string): KnownValue[] | ReplayObstacle => {
    counts ??= countSets(chat, bots)
    const name = nameOf(id)
    const kept = chat.variables.find((each) => each.id === id)
    if (kept && counts.get(id) === 1) return [{ id, name, value: kept.value ?? null }]
    const { byId, byName } = variablesOf(after)
    const mentioned = byId.get(id) ?? byName.get(name)
    return mentioned && after.watched.has(mentioned.id) ? "unrecorded" : []
  }
  return (turn, blockId) => {
    const noted = turn.changes.filter((change) => change.blockId === blockId)
    if (noted.some(({ isHidden }) => isHidden)) return "unrecorded"
    const values = noted.map(({ variableId: id, value }): KnownValue => {
      return { id, name: nameOf(id), value }
    })
    for (const id of unnotedBy(turn, blockId)) {
      const known = unnoted(id)
      if (typeof known === "string") return known
      values.push(...known)
    }
    return values
  }
}

/** How often each variable was set, by blocks and by answers. */
function countSets({ turns }: RecordedChat, bots: Cast["bots"]): Map<string, number> {
  const counts = new Map<string, number>()
  const count = (id: string) => counts.set(id, (counts.get(id) ?? 0) + 1)
  for (const turn of turns) {
    for (const { variableId } of turn.changes) count(variableId)
    for (const [place, id] of (turn.trace?.set ?? []).entries()) if (place % 2 === 1) count(id)
    for (const { blockId, isVisit } of turn.passed) {
      if (isVisit) continue
      for (const bot of bots.values()) {
        const block = blockAt(bot.positions.get(blockId))
        const variableId = block && answerVariable(block)
        if (variableId !== undefined) count(variableId)
      }
    }
  }
  return counts
}

/** The variables set by a block without recorded values. */
function unnotedBy({ trace }: RecordedTurn, blockId: string): string[] {
  const set = trace?.set ?? []
  return set.filter((_, place) => place % 2 === 1 && set[place - 1] === blockId)
}

/** Creates the answers to the calls of a turn, in the order in which it makes them. */
export function createAnswers(
  turn: RecordedTurn,
  { bots }: Cast,
  setBy: SetBy,
): (call: Call, at: Turn) => Answered | ReplayObstacle {
  const calls = turn.trace?.calls ?? []
  const visited = new Map<string, number>()
  let next = 0
  const take = ({ kind }: Call, blockId: string): StoredCall | undefined => {
    const isIt = ([block, made]: StoredCall) => made === kind && (block === blockId || block === "")
    const place = calls.findIndex((call, index) => index >= next && isIt(call))
    if (place >= 0) next = place + 1
    return calls[place]
  }
  return (call, at) => {
    const { blockId = "" } = at.continuation
    if (call.kind === "bot") return linkIn(bots, call.botId)
    if (call.kind === "inboundCall") {
      return hasMark(turn, `on-${blockId}`) ? past(setBy(turn, blockId)) : { outcome: {} }
    }
    const made = take(call, blockId)
    if (!made) return turn.trace?.isCut ? "cutRecord" : "diverged"
    if (call.kind === "paymentIntent" || call.kind === "paymentCheck") {
      const [, , status] = made
      return { outcome: status === callStatus.failed ? unanswered : payment }
    }
    const nth = visited.get(blockId) ?? 0
    visited.set(blockId, nth + 1)
    const visits = turn.passed.filter((each) => each.isVisit && each.blockId === blockId).length
    const set = setBy(turn, blockId)
    return typeof set === "string" ? set : past(ofVisit(set, nth, Math.max(visits, 1)))
  }
}

const past = (set: KnownValue[] | ReplayObstacle) => (typeof set === "string" ? set : { set })

/** Which version a link entered: the one that the conversation has met. */
function linkIn(bots: Cast["bots"], botId: string): Answered {
  const linked = [...bots.values()].find((bot) => bot.id === botId)
  return { outcome: linked ? { version: linked.version } : unanswered }
}

const unanswered: Failure = { failed: true, description: "It failed in the recorded conversation" }

/** A payment that was made; no other data is visible. */
const payment = { intentId: "recorded", clientSecret: "", publicKey: "", succeeded: true }

/** The values set by one of several visits; distinguishable if all set the same variables. */
function ofVisit(set: KnownValue[], nth: number, visits: number): KnownValue[] | ReplayObstacle {
  const each = set.length / visits
  const isRegular = set.every(({ id }, place) => id === set[place % each]?.id)
  return Number.isInteger(each) && isRegular ? set.slice(nth * each, (nth + 1) * each) : "diverged"
}

/** Whether a mark was recorded, of whichever version. */
export function hasMark({ marks }: RecordedTurn, mark: string): boolean {
  return marks.some((each) => each === mark || each.startsWith(`${mark}@`))
}
