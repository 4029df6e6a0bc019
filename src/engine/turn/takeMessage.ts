/** Routes a message to its receiver: command, waiting input, or a block that waits for the client. */

import { type Block, typeOf } from "../blocks/registry.ts"
import { blockAt, type Position } from "../bot.ts"
import type { Message } from "../schema/message.ts"
import { askNow } from "./ask.ts"
import { contextOf, inlineCall } from "./blockContext.ts"
import { fireCommand } from "./events.ts"
import { answer } from "./judgeReply.ts"
import { applyChanges, recordMark } from "./recording.ts"
import { botOf, type Run } from "./run.ts"
import { ownContinuation, pauseFor, type StepResult } from "./stepResult.ts"
import { trailReply } from "./trail.ts"
import { goOn, walk } from "./walk.ts"

/** Continues from the waiting block; without a message the client proceeds without an answer. */
export function takeMessage(run: Run, message: Message | undefined): void {
  if (message?.type === "command") {
    walk(run, fireCommand(run, message.command))
    return
  }
  const { here, block } = placeOf(run, run.session.at ?? "")
  const { inputId = block.id } = message?.metadata ?? {}
  if (inputId !== block.id) {
    refuseOther(run, { here, block })
    return
  }
  if (run.trail) trailReply(run, block)
  const type = typeOf(block)
  // A block that other systems call may keep waiting.
  const waitsOn = type.kind === "input" || (type.kind === "action" && type.isCallable)
  if (!waitsOn) recordMark(run, `on-${block.id}`)
  const isInput = type.kind === "input"
  goOn(run, here, isInput ? answer(run, here, { message }) : receive(run, block, message))
}

/** Ignores a reply to a question that the chat has already left. */
function refuseOther(run: Run, { here, block }: { here: Position; block: Block }): void {
  run.isUnheard = true
  if (typeOf(block).kind === "input") goOn(run, here, askNow(run, block))
  else {
    // A wait for another system stays the same wait, identified by its step.
    run.session.step -= 1
    run.isWaiting = true
  }
}

/** The position of a block of the current bot. */
export function placeOf(run: Run, blockId: string): { here: Position; block: Block } {
  const here = botOf(run).positions.get(blockId)
  const block = blockAt(here)
  if (!here || !block) throw new Error(`Block ${blockId} is gone from a version that never changes`)
  return { here, block }
}

/** Stores the outcome of a client-side action or embed; without a text the walk continues. */
export function receive(run: Run, block: Block, message: Message | undefined): StepResult {
  run.continuation.blockId = block.id
  run.continuation.message = message
  const type = typeOf(block)
  if (type.kind === "action" && type.isCallable) return takeInboundCall(run, block)
  if (message?.type === "text" && type.receive) {
    const call = inlineCall(run, [block])
    if (call) return pauseFor(run, call, "receive")
    const { set, skipsNextBubble, next } = type.receive(block, message.text, contextOf(run))
    if (set) applyChanges(run, block.id, set)
    if (skipsNextBubble) run.continuation.isNextBubbleSkipped = true
    if (next) return pauseFor(run, next.call, "visited")
  }
  run.continuation.message = undefined
  run.continuation.inline = undefined
  return ownContinuation(block)
}

/** Accepts only what this service received itself; the client's report is not trusted. */
function takeInboundCall(run: Run, block: Block): StepResult {
  const call = inlineCall(run, [block])
  if (call) return pauseFor(run, call, "receive")
  const { id: blockId } = block
  return pauseFor(run, { kind: "inboundCall", blockId, step: run.session.step - 1 }, "visited")
}
