/** Live sessions, which lie among the rows of results. */
import {
  claimSession,
  findSession,
  releaseClaim,
  renewClaim,
  type SessionAddress,
} from "../../db/chats/sessions.ts"
import { saveTurn } from "../../db/chats/turns.ts"
import { writeSession } from "../../engine/session.ts"
import { conflict, notFound } from "../../shared/errors.ts"
import type { Chat } from "../chat.ts"
import { loadLive } from "./bots.ts"
import { type Claimable, claimant, claimStateOf, unshared } from "./claim.ts"
import { rowsOf } from "./rows.ts"
import type { LoadedSession, SessionStore, TurnToStore } from "./sessionStore.ts"
import { expiryOf, hasAnswer } from "./unanswered.ts"

/** The store of a chat under way. */
export function openLiveStore(chat: Chat, address: SessionAddress): SessionStore {
  return {
    ...claimsOf(chat, address),
    keepsEnded: false,
    async find(key) {
      const { session: row, response } = await findSession(chat.db, { ...address, key })
      if (!row) return { response, claim: "none" }
      if (row.isExpired) throw notFound("Session")
      const loading = chat.snapshots.load(row.versionId)
      const root = loading instanceof Promise ? await loading : loading
      const { resultId, id: sessionId } = address
      const session = {
        state: row.state,
        revision: row.revision,
        owner: { workspaceId: root?.workspaceId, botId: row.botId, resultId, sessionId },
        load: loadLive(chat),
        unansweredUntil: row.expiresAt ?? undefined,
      }
      return { session, response, claim: claimStateOf(chat, row) }
    },
    save: (turn) => save(chat, address, turn),
  }
}

/** A chat that begins. */
export type NewChat = SessionAddress & {
  loaded: LoadedSession
  /** Whether a repetition of the request starts the same chat. */
  isRepeatable: boolean
  /** Whether an earlier request may have done so already. */
  mayExist: boolean
}

/**
 * The store of a chat that begins. One that can be started twice is stored, as it is before its first
 * block, when it is claimed: there is nothing else that another process could see.
 */
export function openNewLiveStore(chat: Chat, start: NewChat): SessionStore {
  const { resultId, id, loaded, isRepeatable } = start
  const address = { resultId, id }
  const claims = isRepeatable ? claimsOf(chat, address) : unshared
  let { mayExist } = start
  let isStored = false
  return {
    keepsEnded: true,
    async find(key) {
      const isNew = !mayExist
      mayExist = true
      if (isNew) return { claim: "none" }
      const { session: row, response } = await findSession(chat.db, { ...address, key })
      isStored = row !== undefined
      if (!row) return { response, claim: "none" }
      const { owner, load } = loaded
      const session = { state: row.state, revision: row.revision, owner, load }
      return { session, response, claim: claimStateOf(chat, row) }
    },
    async claim(revision) {
      if (isRepeatable && !isStored) {
        isStored = await open(chat, address, loaded)
        if (!isStored) return undefined
      }
      return claims.claim(revision)
    },
    renew: claims.renew,
    release: claims.release,
    async save(turn) {
      const isSaved = await save(chat, address, {
        ...turn,
        revision: isStored ? turn.revision : null,
      })
      if (isSaved || isRepeatable) return isSaved
      throw conflict("This chat was started by another request")
    },
  }
}

function claimsOf(chat: Chat, address: SessionAddress): Claimable {
  const { db } = chat
  return {
    claim: (revision) => claimSession(db, { ...address, revision, ...claimant(chat) }),
    renew: (revision) => renewClaim(db, { ...address, revision, ...claimant(chat) }),
    release: (revision) => releaseClaim(db, { ...address, revision, by: chat.processId }),
  }
}

/** Stores a session whose chat has not begun; false: another request did. */
function open(
  { db }: Chat,
  { resultId, id }: SessionAddress,
  { session, root, unansweredUntil }: LoadedSession,
): Promise<boolean> {
  const rows = {
    botId: root.id,
    versionId: root.version,
    ...(unansweredUntil ? { expiresAt: unansweredUntil.toISOString() } : {}),
  }
  const state = writeSession(session)
  return saveTurn(db, { resultId, sessionId: id, revision: null, state, rows })
}

/** Stores a turn; from no revision when it opens the session. */
function save(
  { db }: Chat,
  { resultId, id }: SessionAddress,
  stored: Omit<TurnToStore, "revision"> & { revision: number | null },
): Promise<boolean> {
  const { turn, loaded, revision, keyed } = stored
  const { root, bots, unansweredUntil } = loaded
  const rows = rowsOf(turn.results, { resultId, botId: root.id, versionId: root.version }, bots)
  if (unansweredUntil && !hasAnswer(turn)) rows.expiresAt = expiryOf(turn, bots, unansweredUntil)
  const state = stored.state === "" ? null : stored.state
  return saveTurn(db, { resultId, sessionId: id, revision, state, rows, keyed })
}
