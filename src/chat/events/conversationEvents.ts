/**
 * Builds the webhook events of conversations. A change of a conversation takes two steps
 * before the `save_turn` that stores it:
 *
 *     const happened = eventsOfTurn({ before, turn, bots })           // after a turn, or
 *     const happened = [{ type: "conversation.paused", data: {} }]    // after another change
 *     const { session, events } = eventsOf(chat.subscriptions, conversation, session, happened)
 *
 * and stores both: the session, which counts its events, and with it `rows.events = events` unless
 * there are none. Without subscriptions there are none, and the session stays unchanged.
 */

import type { EventRow } from "../../db/chats/sessions.ts"
import { answerVariable, typeOf } from "../../engine/blocks/registry.ts"
import type { Bot } from "../../engine/bot.ts"
import { unmetered } from "../../engine/budget/fuel.ts"
import type { ChatMessage } from "../../engine/payload.ts"
import type { ResultRecord } from "../../engine/records.ts"
import { answerKey, type Session } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { createVariables } from "../../engine/variables/variables.ts"
import { cut } from "../../lib/cut.ts"
import { newUuid } from "../../lib/ids.ts"
import { memoize } from "../../lib/memoize.ts"
import type { ConversationEvent } from "./eventSchemas.ts"
import type { Subscriptions } from "./subscriptions.ts"

/** The conversation that events are about. */
type Conversation = {
  /** Absent: the bot is gone, and no endpoint gets anything. */
  workspaceId?: string | undefined
  /** The bot that was started. */
  botId: string
  /** Absent in previews, which have no events. */
  resultId?: string | undefined
  sessionId: string
  /** The caller's own key. */
  key?: string | undefined
}

/** Events to store, and the session that has counted them. */
export type CountedEvents = { session: Session; events: EventRow[] }

/** Numbers the subscribed events; the others leave no gap. */
export function eventsOf(
  subscriptions: Pick<Subscriptions, "wants">,
  conversation: Conversation,
  session: Session,
  happened: readonly ConversationEvent[],
): CountedEvents {
  const { workspaceId, botId, resultId, sessionId, key } = conversation
  if (workspaceId === undefined || resultId === undefined) return { session, events: [] }
  const wanted = happened.filter(({ type }) => subscriptions.wants({ workspaceId, botId, type }))
  if (wanted.length === 0) return { session, events: [] }
  const ids = { resultId, sessionId, ...(key !== undefined && { conversationKey: key }) }
  const { events: count = 0 } = session
  const events = wanted.map(({ type, data }, index) => ({
    id: newUuid(),
    workspaceId,
    type,
    sequence: count + index + 1,
    payload: { ...ids, ...data },
  }))
  return { session: { ...session, events: count + events.length }, events }
}

/** An event as clients that listen to the session get it. */
type Notice = { type: string; data: object }

/** A finished turn and the session before it. */
type TurnFacts = {
  before: Session
  turn: Turn
  bots: ReadonlyMap<string, Bot>
  /** Events of another change stored with the turn, as clients that listen to the session get them. */
  notices?: readonly Notice[] | undefined
}

export function eventsOfTurn({ before, turn, bots, notices = [] }: TurnFacts): ConversationEvent[] {
  const happened: ConversationEvent[] = []
  // A chat that was only registered starts with its first message; one that is over starts again.
  const isNew = before.at === undefined
  if (isNew && !turn.hasWalked) return eventsOfChange(notices)
  if (isNew) happened.push({ type: "conversation.started", data: {} })
  for (const record of turn.results) happened.push(...answersOf(record, bots))
  for (const { row, resultId, completed } of turn.results) {
    if (!row?.isCompleted || !completed) continue
    const answers = completedAnswers(completed, bots)
    happened.push({ type: "result.completed", data: { result: { id: resultId, answers } } })
  }
  happened.push(...eventsOfChange(notices))
  const isReported = notices.some(({ type }) => type === "conversation.ended")
  if (isOver(turn) && !isReported) happened.push({ type: "conversation.ended", data: {} })
  return happened
}

/** The webhook events that session events become, without the data that only clients need. */
function eventsOfChange(notices: readonly Notice[]): ConversationEvent[] {
  return notices.flatMap(({ type, data }): ConversationEvent[] => {
    if (type === "conversation.idle") {
      const { afterSeconds, messages } = data as IdleData
      return [{ type, data: { idle: { afterSeconds, ...(messages.length > 0 && { messages }) } } }]
    }
    const plain = plainTypes.find((each) => each === type)
    return plain ? [{ type: plain, data: {} }] : []
  })
}

const plainTypes = ["conversation.paused", "conversation.resumed", "conversation.ended"] as const

/** The data of an idle event, as timers write it. */
type IdleData = { afterSeconds: number; messages: ChatMessage[] }

type AnswerEvent = Extract<ConversationEvent, { type: "answer.submitted" }>

function answersOf(
  { resultId, version, answers }: ResultRecord,
  bots: TurnFacts["bots"],
): AnswerEvent[] {
  return answers.map(({ blockId, content, attachedFileUrls }) => {
    const input = inputOf(bots, version, blockId)
    const answer = { blockId, ...input, content, resultId }
    return {
      type: "answer.submitted",
      data: { answer: attachedFileUrls?.length ? { ...answer, attachedFileUrls } : answer },
    }
  })
}

/** The input may be in a linked bot, whose answers are recorded in the result of its parent. */
function inputOf(bots: TurnFacts["bots"], version: string, blockId: string): NamedInput {
  const own = bots.get(version)
  for (const bot of own ? [own, ...bots.values()] : bots.values()) {
    const input = inputsOf(bot).byBlock.get(blockId)
    if (input) return input
  }
  return {}
}

function completedAnswers(
  { version, answers }: NonNullable<ResultRecord["completed"]>,
  bots: TurnFacts["bots"],
) {
  const bot = bots.get(version)
  return answers.map(([name, content]) => ({
    name: cut(name),
    ...(bot && inputsOf(bot).byName.get(name)),
    content,
  }))
}

type NamedInput = { groupTitle?: string; variableName?: string }

/** The inputs of a bot, which never change, by block and by the name of the answer. */
const inputsOf = memoize((bot: Bot) => {
  const variables = createVariables(bot.flow.variables, [], unmetered())
  const byBlock = new Map<string, NamedInput>()
  const byName = new Map<string, { variableName?: string; blockId?: string }>()
  for (const [blockId, position] of bot.positions) {
    const { group, index } = position
    const block = group.blocks[index]
    if (!block || typeOf(block).kind !== "input") continue
    const variableId = answerVariable(block)
    const definition = variableId === undefined ? undefined : variables.definition(variableId)
    const named = definition ? { variableName: cut(definition.name) } : {}
    byBlock.set(blockId, { ...(group.title !== "" && { groupTitle: cut(group.title) }), ...named })
    const name = answerKey(position, variables)
    byName.set(name, byName.has(name) ? named : { ...named, blockId })
  }
  return { byBlock, byName }
})
