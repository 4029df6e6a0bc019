/** Pauses a chat, for good or for a while, and counts what happens in it beside the flow. */
import type { Message } from "../../engine/schema/message.ts"
import type { Session } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { newUuidAfter } from "../../lib/ids.ts"

/** Makes ids of events and messages beside the flow, each later than those that the chat has. */
export function idsAfter({ conversation }: Session): () => string {
  let last = conversation?.lastId
  return () => {
    last = newUuidAfter(last)
    return last
  }
}

/** A message as it is kept beside the flow: without what a question would make of it. */
export function kept(id: string, message: Message): { id: string; message: Message } {
  if (message.type === "command") return { id, message }
  const { metadata: _, ...said } = message
  return { id, message: said }
}

/** For how many seconds a chat is paused. Null: until it is resumed; absent: as it is. */
export type PauseLength = { resumeAfter?: number | null | undefined }

/** The turn with its chat paused. */
export function paused(turn: Turn, now: number, { resumeAfter }: PauseLength): Turn {
  const { conversation } = turn.session
  const { pausedAt = now, resumesAt: known } = conversation ?? {}
  const given = resumeAfter === null ? undefined : now + Number(resumeAfter) * 1_000
  const resumesAt = resumeAfter === undefined ? known : given
  return {
    ...turn,
    session: { ...turn.session, conversation: { ...conversation, pausedAt, resumesAt } },
  }
}

/** The turn with its chat resumed. */
export function resumed(turn: Turn): Turn {
  const { pausedAt: _, resumesAt: __, ...conversation } = turn.session.conversation ?? {}
  return { ...turn, session: { ...turn.session, conversation } }
}
