/** Finds sessions by their ids and makes them ready to run. */
import type { CallContext } from "../../effects/perform.ts"
import { limitsOf } from "../../engine/budget/limits.ts"
import type { TextFormat } from "../../engine/payload.ts"
import type { EngineDeps } from "../../engine/run.ts"
import { readSession } from "../../engine/session.ts"
import { newId, newUuid, resultIdOfSession } from "../../shared/ids.ts"
import type { Chat } from "../chat.ts"
import { loadQueue } from "./bots.ts"
import { openLiveStore } from "./liveStore.ts"
import { openPreviewStore } from "./previewStore.ts"
import type { LoadedSession, SessionStore, StoredSession } from "./sessionStore.ts"

/** The store of a session by its id alone. */
export function openSessionStore(chat: Chat, sessionId: string): SessionStore {
  const resultId = resultIdOfSession(sessionId)
  return resultId === undefined
    ? openPreviewStore(chat, sessionId)
    : openLiveStore(chat, { resultId, id: sessionId })
}

/** A session that is only looked at; undefined when there is none of that id. */
export async function findLoadedSession(
  chat: Chat,
  sessionId: string,
): Promise<LoadedSession | undefined> {
  const { session } = await openSessionStore(chat, sessionId).find()
  return session && loadSession(session)
}

/** Reads a session's state and loads the bots on its queue. */
export async function loadSession(stored: StoredSession): Promise<LoadedSession> {
  const { owner, load, unansweredUntil } = stored
  const session = readSession(stored.state)
  const bots = await loadQueue(load, session)
  const root = bots.get(session.queue.at(-1)?.version ?? "")
  if (!root) throw new Error("A session without a bot")
  return { session, bots, root, owner, load, unansweredUntil }
}

/** The real clock, dice and ids. */
const world: EngineDeps["world"] = {
  now: Date.now,
  random: Math.random,
  newId,
  newResultId: newUuid,
}

/** What the engine runs a session with. */
export function engineDepsOf(
  { session, bots }: Pick<LoadedSession, "session" | "bots">,
  textFormat?: TextFormat,
): EngineDeps {
  return { world, bots, limits: limitsOf(session), textFormat }
}

/** Where the calls of a session come from. */
export function callerOf({
  owner,
  session,
}: Pick<LoadedSession, "session" | "owner">): Omit<
  CallContext,
  "idempotencyKey" | "turnKey" | "signal"
> {
  const { isPreview, isRestricted = false } = session
  return { ...owner, isPreview, isRestricted }
}
