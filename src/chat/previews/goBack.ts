/** Goes back in a preview, to the state before its last answer. */
import { findPreviewState, restorePreviewState } from "../../db/chats/previewStates.ts"
import { describeVariables } from "../../engine/recorded/describeTrail.ts"
import { type Asked, readSession, writeSession } from "../../engine/session.ts"
import { AppError, sessionNotFound } from "../../lib/errors.ts"
import { userParty } from "../../lib/party.ts"
import type { Chat } from "../chat.ts"
import { claimOf } from "../sessions/liveStore.ts"
import { loadSession } from "../sessions/loadSession.ts"
import { type Attempt, untilDone } from "../takeTurn.ts"
import type { Insight } from "./previewTracing.ts"

type BackRequest = Insight & {
  sessionId: string
  botId: string
  /** Who began the preview. */
  userId: string
  workspaceId: string
  hasLeft?: (() => boolean) | undefined
}

/** Where a preview is again. */
export type BackStep = Asked & {
  /** Number of the turn after which it was in this state. */
  turn: number
  variables: ReturnType<typeof describeVariables>
}

/** Goes back when no turn is under way. External effects stay. */
export async function goBack(chat: Chat, request: BackRequest): Promise<BackStep> {
  const deadline = performance.now() + chat.turnTimeoutMs
  const { sessionId, hasLeft } = request
  const outcome = await chat.queue.run(
    sessionId,
    () => untilDone(deadline, () => attempt(chat, request)),
    hasLeft,
  )
  if (outcome.kind === "done") return outcome.result
  throw new AppError("CHAT_BUSY", "This preview is busy with a message")
}

async function attempt(chat: Chat, request: BackRequest): Promise<Attempt<BackStep>> {
  const { sessionId: id, botId, userId: ownerUserId } = request
  const found = await findPreviewState(chat.db, { id, botId, ownerUserId })
  if (!found) throw sessionNotFound()
  const { revision, keptRevision, keptState } = found
  const superseded = { kind: "superseded", revision } as const
  if (claimOf(chat, found) === "others") return superseded
  if (keptState === null || keptRevision === null) throw new AppError("NOTHING_TO_UNDO", atStart)
  // Numbers of turns are never used again: other systems know calls, and calls know waits, by them.
  const { step } = readSession(found.state)
  const state = writeSession({ ...readSession(keptState), step })
  const result = await describe(chat, request, { state, revision })
  const isDone = await restorePreviewState(chat.db, { id, revision, state, keptRevision })
  return isDone
    ? { kind: "done", result: { ...result, turn: readSession(keptState).step } }
    : superseded
}

const atStart = "This preview has no answer to go back behind: start it again"

/** The state for the caller; 404 when one of its flows is gone. */
async function describe(
  chat: Chat,
  { sessionId, botId, userId: previewerId, workspaceId, showsSession }: BackRequest,
  { state, revision }: { state: string; revision: number },
): Promise<Omit<BackStep, "turn">> {
  const party = userParty(previewerId)
  const owner = { party, workspaceId, previewerId, botId, sessionId }
  const { session, bots } = await loadSession(chat, { state, revision, owner })
  return { ...session.asked, variables: describeVariables(session, { bots, showsSession }) }
}
