/** Hands what was sent to what waits for it: a command, a reply, or a report of the client. */

import { type Block, typeOf } from "../blocks/registry.ts"
import { blockAt, type Position } from "../bot.ts"
import type { Message } from "../schema/message.ts"
import { answer } from "./answer.ts"
import { askNow } from "./ask.ts"
import { contextOf, inlineCall } from "./blockContext.ts"
import { fireCommand } from "./events.ts"
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
  // A block that other systems call may have to go on waiting.
  const waitsOn = type.kind === "input" || (type.kind === "action" && type.isCallable)
  if (!waitsOn) recordMark(run, `on-${block.id}`)
  const isInput = type.kind === "input"
  goOn(run, here, isInput ? answer(run, here, { message }) : receive(run, block, message))
}

/** Leaves the chat where it waits: the reply is for a question that it has left, which the person saw too late. */
function refuseOther(run: Run, { here, block }: { here: Position; block: Block }): void {
  run.isUnheard = true
  if (typeOf(block).kind === "input") goOn(run, here, askNow(run, block))
  else {
    // A wait for another system stays the same wait, known by its step.
    run.session.step -= 1
    run.isWaiting = true
  }
}

/** Where a block of the current bot is. */
export function placeOf(run: Run, blockId: string): { here: Position; block: Block } {
  const here = botOf(run).positions.get(blockId)
  const block = blockAt(here)
  if (!here || !block) throw new Error(`Block ${blockId} is gone from a version that never changes`)
  return { here, block }
}

/** Stores the outcome of a client-side action or embed; without a text the walk just goes on. */
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

/** Whatever the client claims to have received, only what reached this service counts. */
function takeInboundCall(run: Run, block: Block): StepResult {
  const call = inlineCall(run, [block])
  if (call) return pauseFor(run, call, "receive")
  const { id: blockId } = block
  return pauseFor(run, { kind: "inboundCall", blockId, step: run.session.step - 1 }, "visited")
}
