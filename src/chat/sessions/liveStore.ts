/** Live sessions, which are stored together with their results. */
import { claimSession, releaseClaim, renewClaim } from "../../db/chats/claims.ts"
import {
  type ChatIds,
  findSession,
  type ResultRows,
  type SessionRow,
  saveTurn,
  type TurnRows,
} from "../../db/chats/sessions.ts"
import { type StoredTrace, traceOf } from "../../engine/recorded/trace.ts"
import type { ResultRecord } from "../../engine/records.ts"
import { authorsLog } from "../../engine/schema/log.ts"
import { writeSession } from "../../engine/session.ts"
import { AppError, sessionNotFound } from "../../lib/errors.ts"
import { newUuid } from "../../lib/ids.ts"
import { strangerParty } from "../../lib/party.ts"
import type { Chat } from "../chat.ts"
import { type Claimable, claimant, unshared } from "./claim.ts"
import type { Found, LoadedSession, SessionStore, TurnToStore } from "./sessionStore.ts"
import { countUnanswered, expiryOf } from "./unanswered.ts"

export function createLiveStore(chat: Chat, ids: ChatIds): SessionStore {
  return {
    claims: claimsOf(chat, ids),
    keepsEnded: false,
    async find(key) {
      const { session: row, response } = await findSession(chat.db, { ...ids, key })
      // A repeated request gets its answer even when the chat is over by then.
      if (!row || response) return { response, claim: "none" }
      if (row.isExpired) throw sessionNotFound("CHAT_EXPIRED")
      const snapshot = await chat.snapshots.load(row.versionId)
      const { state, revision, botId } = row
      const { resultId, sessionId } = ids
      // Without its version the chat ends before anything is counted.
      const party = snapshot?.party ?? strangerParty("unknown")
      const owner = { party, workspaceId: snapshot?.workspaceId, botId, resultId, sessionId }
      const until = row.expiresAt
      const unanswered = until === null ? undefined : { until }
      const aheadMs = row.now.getTime() - Date.now()
      const session = { state, revision, owner, unanswered, aheadMs }
      return { session, response, claim: claimOf(chat, row) }
    },
    save: (turn) => saveLive(chat, ids, turn),
  }
}

type NewChat = ChatIds & {
  loaded: LoadedSession
  /** IP address of the caller; absent: the chat is not counted. */
  callerAddress: string | undefined
  /** Whether a repetition of the request starts the same chat. */
  isRepeatable: boolean
  /** Whether an earlier request may have started it already. */
  mayExist: boolean
}

/**
 * The store of a chat that begins. One that can be started twice is stored when it is claimed, before
 * its first block runs, because other processes look for the claim in its row.
 */
export function createNewLiveStore(chat: Chat, start: NewChat): SessionStore {
  const { resultId, sessionId, loaded, isRepeatable, callerAddress } = start
  const ids = { resultId, sessionId }
  const claims = claimsOf(chat, ids)
  let { mayExist } = start
  let isStored = false
  let isRefused = false
  const claim = async (revision: number) => {
    const state = writeSession(loaded.session)
    if (loaded.unanswered) {
      await countUnanswered(chat, loaded, { address: callerAddress, bytes: state.length })
    }
    isStored ||= await storeLiveSession(chat, ids, loaded)
    isRefused ||= !isStored
    return isStored ? claims.claim(revision) : undefined
  }
  return {
    claims: isRepeatable ? { ...claims, claim } : unshared,
    keepsEnded: true,
    async find(key) {
      const isNew = !mayExist
      mayExist = true
      if (isNew) return { claim: "none" }
      const { session: row, response } = await findSession(chat.db, { ...ids, key })
      isStored = row !== undefined
      // No other request was first, or its session would be there.
      if (!row && !response && isRefused) throw resultDeleted()
      if (!row) return { response, claim: "none" }
      const { state, revision } = row
      const { owner, aheadMs } = loaded
      const session = { state, revision, owner, aheadMs }
      return { session, response, claim: claimOf(chat, row) }
    },
    async save(turn) {
      const revision = isStored ? turn.revision : null
      const isSaved = await saveLive(chat, ids, { ...turn, revision })
      isRefused ||= !isSaved
      if (isRefused && !isRepeatable) throw resultDeleted()
      return isSaved
    },
  }
}

/** A 404, which clients do not retry. */
function resultDeleted(): AppError {
  return new AppError("RESULT_DELETED", "The result of this chat was deleted: start a new one")
}

/** The claims of a session; without a result: of a preview. */
export function claimsOf(chat: Chat, ids: { sessionId: string; resultId?: string }): Claimable {
  const { db } = chat
  return {
    claim: (revision) => claimSession(db, { ...ids, revision, ...claimant(chat) }),
    renew: (revision) => renewClaim(db, { ...ids, revision, ...claimant(chat) }),
    release: (revision) => releaseClaim(db, { ...ids, revision, ...claimant(chat) }),
  }
}

/** A process runs the turns of a session one by one, so a claim of its own is left from a failed turn. */
export function claimOf(
  { processId }: Chat,
  { isClaimed, claimedBy }: Pick<SessionRow, "isClaimed" | "claimedBy">,
): Found["claim"] {
  return isClaimed && claimedBy !== processId ? "others" : "none"
}

/** Stores a session whose chat has not begun; false: another request did. */
export function storeLiveSession(
  { db }: Chat,
  ids: ChatIds,
  { session, root, unanswered, continues }: LoadedSession,
): Promise<boolean> {
  const expiresAt = unanswered?.until.toISOString()
  const rows = { botId: root.id, versionId: root.version, expiresAt, continues }
  const state = writeSession(session)
  return saveTurn(db, { ...ids, revision: null, state, rows })
}

/** Stores a turn; without a revision it opens the session. */
export function saveLive(
  { db }: Chat,
  { resultId, sessionId }: ChatIds,
  stored: Omit<TurnToStore, "revision"> & { revision: number | null },
): Promise<boolean> {
  const { turn, loaded, expiresAt, conversation, events, revision, keyed } = stored
  const rows = rowsOf(stored, resultId)
  if (events.length > 0) rows.events = events
  if (loaded.unanswered) rows.expiresAt = expiryOf(turn, loaded, loaded.unanswered)
  if (expiresAt !== undefined) rows.expiresAt = expiresAt
  if (conversation) {
    const { notices, ...others } = conversation
    rows.conversation = notices ? { ...others, told: notices } : others
  }
  if (revision === null) rows.continues = loaded.continues
  const state = stored.state === "" ? null : stored.state
  return saveTurn(db, { resultId, sessionId, revision, state, rows, keyed })
}

/** The rows of a turn: those of the session's result, and those of linked bots. */
function rowsOf(
  { turn, loaded, calls = [] }: Pick<TurnToStore, "turn" | "loaded" | "calls">,
  resultId: string,
): TurnRows {
  const { root, bots } = loaded
  const rows: TurnRows = { botId: root.id, versionId: root.version }
  const children = turn.results.flatMap((record) => {
    if (record.resultId === resultId) {
      addRows(rows, record, traceOf(turn, calls))
      return []
    }
    const bot = bots.get(record.version)
    if (!bot) return []
    const child = { resultId: record.resultId, botId: bot.id, versionId: bot.version }
    addRows(child, record)
    return [child]
  })
  if (children.length > 0) rows.children = children
  return rows
}

function addRows(rows: ResultRows, record: ResultRecord, trace?: StoredTrace): void {
  const { row, answers, edges, marks, changes, shown, step, logs } = record
  if (row) rows.result = row
  if (answers.length > 0) {
    rows.answers = answers.map(({ index, ...answer }) => ({ idx: index, ...answer }))
  }
  const isOwnWay = edges.length > 0 || marks.length > 0
  const [first] = rows.answers ?? []
  if (first && shown) first.shown = shown.parts
  const isShownHere = shown && !first
  if (isOwnWay || changes.length > 0 || isShownHere || trace) {
    rows.step = { step }
    if (isOwnWay) rows.step.edgeIds = [...edges, ...marks]
    if (changes.length > 0) rows.step.setVariables = changes
    if (trace) rows.step.trace = trace
    if (isShownHere) rows.step.shown = shown.parts
  }
  if (logs.length > 0) {
    rows.logs = logs.map((log) => {
      const { status = "error", ...line } = authorsLog(log)
      return { id: newUuid(), status, ...line }
    })
  }
}
