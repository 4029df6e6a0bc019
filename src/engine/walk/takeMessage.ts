/** Hands what was sent to whatever waits for it: a command, a reply, or a report of the client. */
import { answer } from "../answer.ts"
import { type Block, typeOf } from "../blocks/registry.ts"
import type { Position } from "../bot.ts"
import { botOf, type Run } from "../run.ts"
import type { Message } from "../schema/message.ts"
import { fireCommand } from "./events.ts"
import { receive } from "./receive.ts"
import { goOn, walk } from "./walk.ts"

/** Goes on from the block that waits; absent: the client proceeds without an answer. */
export function takeMessage(run: Run, message: Message | undefined): void {
  if (message?.type === "command") {
    walk(run, fireCommand(run, message.command))
    return
  }
  const { here, block } = placeOf(run, run.session.at ?? "")
  const isInput = typeOf(block).kind === "input"
  goOn(run, here, isInput ? answer(run, here, { message }) : receive(run, block, message))
}

/** Where a block of the current bot is. */
export function placeOf(run: Run, blockId: string): { here: Position; block: Block } {
  const here = botOf(run).positions.get(blockId)
  const block = here?.group.blocks[here.index]
  if (!here || !block) throw new Error(`Block ${blockId} is gone from a version that never changes`)
  return { here, block }
}
