/** The state of a conversation, as the outside sees it. */
import { typeOf } from "../../engine/blocks/registry.ts"
import { type Bot, blockAt } from "../../engine/bot.ts"
import { currentOf, isPaused, type Session } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { cut } from "../../lib/cut.ts"

/**
 * `active`: the bot waits for the visitor; `waiting`: for another system or the client; `paused`: a member
 * has taken over.
 */
export const conversationStates = ["active", "waiting", "paused", "ended", "expired"] as const

export type ConversationState = (typeof conversationStates)[number]

/** The block at which a chat waits, and whether it is an input. */
export type Waiting = {
  waitsFor: { groupTitle: string; blockId: string; type: string }
  isInput: boolean
}

type Bots = { get(version: string): Bot | undefined }

/** Where a chat waits; undefined: it has not begun, or is over. */
export function waitingOf(session: Session, bots: Bots): Waiting | undefined {
  const here = bots.get(currentOf(session).version)?.positions.get(session.at ?? "")
  const block = here && blockAt(here)
  if (!here || !block) return undefined
  const waitsFor = { groupTitle: cut(here.group.title), blockId: block.id, type: block.type }
  return { waitsFor, isInput: typeOf(block).kind === "input" }
}

export function stateOfSession(session: Session, bots: Bots): ConversationState {
  if (isPaused(session)) return "paused"
  const waiting = waitingOf(session, bots)
  // A chat that was only registered waits for the visitor's first message.
  if (!waiting) return session.step === 0 ? "active" : "ended"
  return waiting.isInput ? "active" : "waiting"
}

export function stateAfter(turn: Turn, bots: Bots): ConversationState {
  return isOver(turn) ? "ended" : stateOfSession(turn.session, bots)
}
