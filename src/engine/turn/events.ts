/** Jumps and returns, and the events that interrupt a flow: commands, replies and silence. */

import { cut } from "../../lib/cut.ts"
import { AppError, badRequest } from "../../lib/errors.ts"
import type { JumpTarget } from "../blocks/block.ts"
import { typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, eventOf, type Position } from "../bot.ts"
import { type Assignment, asPlain, assignTo } from "../calls.ts"
import type { BotEvent, ReplyEvent } from "../schema/event.ts"
import type { Message } from "../schema/message.ts"
import { currentOf, type ReturnMark } from "../session.ts"
import { type Exit, virtualExit } from "./navigate.ts"
import { alongEdge, nextPosition, positionIn } from "./places.ts"
import { addLogs, recordMark } from "./recording.ts"
import { botOf, type Run, storeOf } from "./run.ts"
import type { StepResult } from "./stepResult.ts"

/** Goes to a group and marks where to return to; an unknown target is logged and ends the path. */
export function jump(run: Run, here: Position, to: JumpTarget): StepResult {
  const bot = botOf(run)
  const target = jumpTarget(bot, to)
  if (!target) {
    const wanted = to.groupTitle ?? to.groupId ?? ""
    const details = to.blockId === undefined ? wanted : `${wanted}, block ${to.blockId}`
    addLogs(run, [{ status: "error", description: "The jump leads nowhere", details }])
    return { leave: undefined }
  }
  const blockId = blockAt(nextPosition(bot, here))?.id
  if (blockId !== undefined) run.session.mark = { blockId, version: bot.version }
  return { leave: virtualExit(target.group.id, to.blockId) }
}

/** Goes back to the marked block; without a mark, on to the next block. */
export function goBack(run: Run): StepResult {
  const { mark } = run.session
  if (!mark) return "next"
  const bot = botOf(run)
  const position = mark.version === bot.version ? bot.positions.get(mark.blockId) : undefined
  run.session.mark = position && mark.isReply ? { ...mark, isCalled: true } : undefined
  if (position) {
    run.session.runtimeOptions = mark.runtimeOptions
    return { leave: returnExit(position, mark) }
  }
  addLogs(run, [{ status: "error", description: "The block to return to is gone" }])
  return { leave: undefined }
}

/** Starts the flow of a command event; 400 when the bot does not know it. */
export function fireCommand(run: Run, command: string): Position {
  const bot = botOf(run)
  const event = bot.flow.events?.find(
    (each) => each.type === "command" && each.options?.command === command,
  )
  const target = alongEdge(bot, event?.outgoingEdgeId)
  if (!target || event?.type !== "command") {
    throw new AppError(
      "COMMAND_UNKNOWN",
      `The bot knows no command "${cut(command)}" that leads anywhere`,
    )
  }
  const { at: blockId = "" } = run.session
  const groupId = bot.positions.get(blockId)?.group.id
  if (groupId !== undefined && event.options?.resumeAfter) {
    interrupt(run, groupId, blockId)
  } else if (groupId !== undefined) {
    const { runtimeOptions } = run.session
    run.session.mark = { blockId, version: bot.version, isAgain: true, runtimeOptions }
    run.session.runtimeOptions = undefined
  }
  recordEvent(run, event)
  return target
}

/**
 * Starts the flow of the idle event with this threshold; the pending input is asked again afterwards.
 * Undefined: the bot has no such event, or is not waiting for a reply.
 */
export function fireIdle(run: Run, afterSeconds: number): Position | undefined {
  const bot = botOf(run)
  const event = bot.flow.events?.find(
    (each) => each.type === "idle" && each.options?.afterSeconds === afterSeconds,
  )
  const target = alongEdge(bot, event?.outgoingEdgeId)
  const waiting = bot.positions.get(run.session.at ?? "")
  const block = blockAt(waiting)
  if (!event || !target || !waiting || !block || typeOf(block).kind !== "input") return undefined
  interrupt(run, waiting.group.id, block.id)
  recordEvent(run, event)
  return target
}

/** Marks the waiting block to return to once the event's flow ends; that flow begins without a mark. */
function interrupt({ session }: Run, groupId: string, blockId: string): void {
  const { mark, runtimeOptions } = session
  currentOf(session).queued.unshift({
    groupId,
    blockId,
    isAgain: true,
    ...(mark && { mark }),
    ...(runtimeOptions && { runtimeOptions }),
  })
  session.mark = undefined
  session.runtimeOptions = undefined
}

/**
 * Starts the flow of the event for all replies, after which the reply is processed, or of the one for
 * invalid replies. Undefined: the bot has no such event. 400: the one for invalid replies leads nowhere.
 */
export function fireReplyEvent(
  run: Run,
  here: Position,
  kind: ReplyEvent["type"],
): Position | undefined {
  const bot = botOf(run)
  const event = eventOf(bot.flow, kind)
  const blockId = blockAt(here)?.id
  if (!event || blockId === undefined) return undefined
  const isReply = kind === "reply"
  const target = alongEdge(bot, event.outgoingEdgeId)
  if (!target && isReply) return undefined
  if (!target) throw badRequest("The event for invalid replies leads nowhere")
  const { message } = run.continuation
  storeOf(run).set(asPlain(replyAssignments(event, here, wordsOf(message))))
  const { version } = bot
  run.session.mark = {
    blockId,
    version,
    isAgain: true,
    ...(isReply && { isReply, reply: message }),
  }
  recordEvent(run, event)
  return target
}

function recordEvent(run: Run, { outgoingEdgeId }: BotEvent): void {
  if (outgoingEdgeId !== undefined) recordMark(run, outgoingEdgeId)
}

function returnExit({ group }: Position, { blockId, isAgain }: ReturnMark): Exit {
  const exit = virtualExit(group.id, blockId)
  return isAgain ? { ...exit, to: { groupId: group.id, blockId, isAgain } } : exit
}

/** The values for the variables that a reply event names. */
function replyAssignments(event: ReplyEvent, here: Position, content: string): Assignment[] {
  const block = blockAt(here)
  const type = block && typeOf(block)
  const { contentVariableId, inputTypeVariableId, inputNameVariableId } = event.options ?? {}
  return [
    ...assignTo(contentVariableId, content),
    ...assignTo(inputTypeVariableId, type?.kind === "input" ? type.replyName : ""),
    ...assignTo(inputNameVariableId, here.group.title),
  ]
}

function wordsOf(message: Message | undefined): string {
  if (message?.type === "text") return message.text
  return message?.type === "audio" ? message.url : ""
}

/** The target of a jump; undefined when its group or block does not exist. */
function jumpTarget(bot: Bot, { groupTitle, groupId = "", blockId }: JumpTarget) {
  const group =
    groupTitle === undefined ? bot.groups.get(groupId) : bot.groupsByTitle.get(groupTitle)
  return group && positionIn(group, blockId)
}
