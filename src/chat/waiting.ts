/** Finds out whether a session waits for a call of another system, and at which block. */
import { typeOf } from "../engine/blocks/registry.ts"
import type { Bot } from "../engine/bot.ts"
import { currentOf, readSession, type Session } from "../engine/session.ts"
import { resultIdOfSession, standInResultId } from "../ids.ts"
import { type LoadedBots, loadQueue } from "./bots.ts"
import type { Chat } from "./chat.ts"
import { openPlace } from "./place.ts"

/** A session as listeners and callers see it. */
export type SeenSession = {
  id: string
  /** Under which its calls are kept and announced: its result id, or what stands in for it. */
  resultId: string
  isPreview: boolean
  /** The bot that was started. */
  root: Bot | undefined
  /** Results that the bots on its queue record; none in a preview. */
  resultIds: string[]
  /** Undefined: it waits for no call. */
  waiting: Waiting | undefined
}

/** A wait for a call. */
export type Waiting = { botId: string; blockId: string; step: number }

/** Looks at a session; undefined: there is none of that id. */
export async function seeSession(chat: Chat, sessionId: string): Promise<SeenSession | undefined> {
  const { open } = await openPlace(chat, sessionId).find()
  if (!open) return undefined
  const session = readSession(open.state)
  const bots = await loadQueue(open.load, session)
  return {
    id: sessionId,
    resultId: resultIdOfSession(sessionId) ?? standInResultId(sessionId),
    isPreview: session.isPreview,
    root: bots.get(session.queue.at(-1)?.version ?? ""),
    resultIds: session.queue.flatMap(({ resultId }) => resultId ?? []),
    waiting: waitingOf(session, bots),
  }
}

function waitingOf(session: Session, bots: LoadedBots): Waiting | undefined {
  const bot = bots.get(currentOf(session).version)
  const here = bot?.positions.get(session.at ?? "")
  const block = here?.group.blocks[here.index]
  const type = block && typeOf(block)
  if (!bot || !block || type?.kind !== "action" || !type.isCallable) return undefined
  return { botId: bot.id, blockId: block.id, step: session.step }
}
