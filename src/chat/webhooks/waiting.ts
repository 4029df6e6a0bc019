/** Finds out whether a session waits for a call of another system, and at which block. */
import { typeOf } from "../../engine/blocks/registry.ts"
import type { Bot } from "../../engine/bot.ts"
import { currentOf, readSession, type Session } from "../../engine/session.ts"
import { callsId } from "../../shared/ids.ts"
import type { Chat } from "../chat.ts"
import { openSessionStore } from "../sessionStore.ts"

/** A session as listeners and callers see it. */
export type SeenSession = {
  id: string
  /** Under which its calls are kept and announced: its result id, or what stands in for it. */
  resultId: string
  isPreview: boolean
  /** The bot that was started. */
  root: Bot
  /** Results that the bots on its queue record; none in a preview. */
  resultIds: string[]
  /** Undefined: it waits for no call. */
  waiting: Waiting | undefined
}

/** A wait for a call. */
export type Waiting = { botId: string; blockId: string; step: number }

/** Looks at a session; undefined: there is none of that id, or what it runs is gone. */
export async function seeSession(chat: Chat, sessionId: string): Promise<SeenSession | undefined> {
  const { open } = await openSessionStore(chat, sessionId).find()
  if (!open) return undefined
  const session = readSession(open.state)
  const root = await open.load(session.queue.at(-1)?.version ?? "")
  const current = await open.load(currentOf(session).version)
  if (!root || !current) return undefined
  return {
    id: sessionId,
    resultId: callsId(sessionId),
    isPreview: session.isPreview,
    root,
    resultIds: session.queue.flatMap(({ resultId }) => resultId ?? []),
    waiting: waitingOf(session, current),
  }
}

/** The wait of a session for a call; undefined: it waits for none. */
export function waitingOf(session: Session, bot: Bot): Waiting | undefined {
  const here = bot.positions.get(session.at ?? "")
  const block = here?.group.blocks[here.index]
  const type = block && typeOf(block)
  if (!block || type?.kind !== "action" || !type.isCallable) return undefined
  return { botId: bot.id, blockId: block.id, step: session.step }
}
