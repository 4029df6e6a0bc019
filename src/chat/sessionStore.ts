/** Where a session lives: a live one among the results' tables, a preview in its own. */
import { findKeyedPreview, saveKeyedPreview } from "../db/chats/previewResponses.ts"
import {
  claimPreviewSession,
  findPreviewSession,
  releasePreviewClaim,
  renewPreviewClaim,
  savePreviewSession,
} from "../db/chats/previews.ts"
import {
  claimSession,
  findSession,
  releaseClaim,
  renewClaim,
  type SessionRow,
  type StoredResponse,
} from "../db/chats/sessions.ts"
import { type KeyedResponse, saveTurn } from "../db/chats/turns.ts"
import type { EngineDeps, Turn } from "../engine/run.ts"
import { writeSession } from "../engine/session.ts"
import { isOver } from "../engine/walk/settle.ts"
import { notFound } from "../shared/errors.ts"
import { resultIdOfSession } from "../shared/ids.ts"
import { type LoadBot, loadLive, loadPreview } from "./bots.ts"
import type { Chat } from "./chat.ts"
import { claimSeconds } from "./claim.ts"
import { rowsOf } from "./rows.ts"
import { expiryOf, hasAnswer } from "./unanswered.ts"

/** A session as it was read. */
export type LoadedSession = {
  state: string
  revision: number
  /** A turn of another process is at work with the outside world. */
  isClaimed: boolean
  botId: string
  workspaceId?: string | undefined
  /** Who started a preview; absent: a live chat, or an anonymous caller. */
  previewerId?: string | undefined
  resultId?: string | undefined
  /** When it ends unless it gets its first answer before; absent: it has one, or need not. */
  unansweredUntil?: Date | undefined
  load: LoadBot
}

/** What is stored of a turn. */
export type TurnToStore = {
  open: LoadedSession
  turn: Turn
  revision: number
  bots: EngineDeps["bots"]
  keyed?: KeyedResponse | undefined
}

/** How one session is read and written. */
export type SessionStore = {
  /** The session, and the response that was stored for a key; both may be missing. */
  find(key?: string): Promise<{ open?: LoadedSession; response?: StoredResponse | undefined }>
  /** The revision to save from; undefined: another turn won. */
  claim(revision: number): Promise<number | undefined>
  /** Keeps the claim that has this revision; false: another turn won. */
  renew(revision: number): Promise<boolean>
  /** Ends the claim of this process that has this revision, if there is one. */
  release(revision: number): Promise<void>
  /** False: another turn won, nothing was written. */
  save(stored: TurnToStore): Promise<boolean>
}

/** The store of a session by its id alone; an id of neither form is unknown. */
export function openSessionStore(chat: Chat, sessionId: string): SessionStore {
  const resultId = resultIdOfSession(sessionId)
  return resultId === undefined
    ? openPreviewStore(chat, sessionId)
    : openLiveStore(chat, { resultId, id: sessionId })
}

function openLiveStore(chat: Chat, address: { resultId: string; id: string }): SessionStore {
  const { db } = chat
  const { resultId, id: sessionId } = address
  let versionId = ""
  return {
    async find(key) {
      const { session, response } = await findSession(db, { ...address, key })
      if (!session) return { response }
      if (session.isExpired) throw notFound("Session")
      versionId = session.versionId
      const loaded = chat.snapshots.load(versionId)
      const root = loaded instanceof Promise ? await loaded : loaded
      const open: LoadedSession = {
        state: session.state,
        revision: session.revision,
        isClaimed: isClaimedByOthers(chat, session),
        botId: session.botId,
        workspaceId: root?.workspaceId,
        resultId,
        unansweredUntil: session.expiresAt ?? undefined,
        load: loadLive(chat),
      }
      return { open, response }
    },
    claim: (revision) => claimSession(db, { ...address, revision, ...claimant(chat) }),
    renew: (revision) => renewClaim(db, { ...address, revision, ...claimant(chat) }),
    release: (revision) => releaseClaim(db, { ...address, revision, by: chat.processId }),
    save({ open, turn, revision, bots, keyed }) {
      const rows = rowsOf(turn.results, { resultId, botId: open.botId, versionId }, bots)
      const { unansweredUntil: until } = open
      if (until && !hasAnswer(turn)) rows.expiresAt = expiryOf(turn, bots, until)
      const state = isOver(turn) ? null : writeSession(turn.session)
      const turnToSave = { resultId, sessionId, revision, state, rows }
      return saveTurn(db, keyed ? { ...turnToSave, keyed } : turnToSave)
    },
  }
}

function openPreviewStore(chat: Chat, id: string): SessionStore {
  const { db } = chat
  return {
    async find(key) {
      if (!/^[\w-]{1,64}$/.test(id)) return {}
      const { session: row, response } =
        key === undefined
          ? { session: await findPreviewSession(db, id), response: undefined }
          : await findKeyedPreview(db, { id, key })
      if (!row) return { response }
      const botId = row.botId ?? "preview"
      const open: LoadedSession = {
        state: row.state,
        revision: row.revision,
        isClaimed: isClaimedByOthers(chat, row),
        botId,
        workspaceId: row.workspaceId ?? undefined,
        previewerId: row.ownerUserId ?? undefined,
        load: loadPreview(chat),
      }
      return { open, response }
    },
    claim: (revision) => claimPreviewSession(db, { id, revision, ...claimant(chat) }),
    renew: (revision) => renewPreviewClaim(db, { id, revision, ...claimant(chat) }),
    release: (revision) => releasePreviewClaim(db, { id, revision, by: chat.processId }),
    save({ turn, revision, keyed }) {
      const state = writeSession(turn.session)
      return keyed
        ? saveKeyedPreview(db, { id, revision, state, keyed })
        : savePreviewSession(db, { id, revision, state })
    },
  }
}

/** In this process turns of a session wait for each other, so its own claim is one that was left. */
export function isClaimedByOthers(
  chat: Chat,
  { isClaimed, claimedBy }: Pick<SessionRow, "isClaimed" | "claimedBy">,
): boolean {
  return isClaimed && claimedBy !== chat.processId
}

function claimant(chat: Chat): { seconds: number; by: string } {
  return { seconds: claimSeconds, by: chat.processId }
}
