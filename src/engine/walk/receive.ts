/** Takes what the client reports to a block that waits and is no input. */

import { inlineCall, sceneOf } from "../blockContext.ts"
import { type Block, typeOf } from "../blocks/registry.ts"
import type { Run } from "../run.ts"
import type { Message } from "../schema/message.ts"
import { applyChanges } from "./recording.ts"
import { ownContinuation, pauseFor, type StepResult } from "./stepResult.ts"

/** Stores the outcome of a client-side action or embed; without a text the walk just goes on. */
export function receive(run: Run, block: Block, message: Message | undefined): StepResult {
  run.continuation.blockId = block.id
  run.continuation.message = message
  const type = typeOf(block)
  if (type.kind === "action" && type.isCallable) return takeInboundCall(run, block)
  if (message?.type === "text" && type.receive) {
    const call = inlineCall(run, [block])
    if (call) return pauseFor(run, call, "receive")
    const { set, skipsNextBubble, next } = type.receive(block, message.text, sceneOf(run))
    if (set) applyChanges(run, block.id, set)
    if (skipsNextBubble) run.continuation.isNextBubbleSkipped = true
    if (next) return pauseFor(run, next.call, "visited")
  }
  run.continuation.message = undefined
  run.continuation.inline = undefined
  return ownContinuation(block)
}

/** Whatever the client says came, only what was brought to this service counts. */
function takeInboundCall(run: Run, block: Block): StepResult {
  const call = inlineCall(run, [block])
  if (call) return pauseFor(run, call, "receive")
  const { id: blockId } = block
  return pauseFor(run, { kind: "inboundCall", blockId, step: run.session.step - 1 }, "visited")
}
