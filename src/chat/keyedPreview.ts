/** Carries out a keyed start of a preview once: whoever begins it first stores the answer for all. */
import {
  claimPreviewStart,
  findPreviewStart,
  openKeyedPreview,
  type PreviewStart,
  releasePreviewStart,
} from "../db/chats/previewResponses.ts"
import type { PreviewToOpen } from "../db/chats/previews.ts"
import { insertStartKey } from "../db/chats/startKeys.ts"
import { conflict } from "../shared/errors.ts"
import { standInResultId } from "../shared/ids.ts"
import type { Chat } from "./chat.ts"
import {
  type ChatAnswer,
  type Keyed,
  replayed,
  requireSameBody,
  startKeyId,
} from "./idempotency.ts"

/** Who starts a preview, and of which bot. */
export type PreviewCaller = {
  /** The bot of the path. */
  botId: string
  /** Who may open that bot, and its workspace; absent: an anonymous caller, and a locked preview. */
  owner?: { userId: string; workspaceId: string } | undefined
  /** IP address of the caller. */
  address: string
}

/** A start that may be repeated. */
export type KeyedStart = {
  keyed: Keyed
  botId: string
  /** Whose keys these are. */
  scope: readonly string[]
  /** Id of the preview, unless an earlier try chose another. */
  sessionId: string
  /** Whether nobody waits for the answer any more. Absent: somebody does. */
  hasLeft?: (() => boolean) | undefined
}

/** How often a repetition looks whether the first request is over. */
const pollMs = 25

type Run<Step> = (sessionId: string) => Promise<{ step: Step; preview: PreviewToOpen }>

/** Runs a start, or gives the answer of the one that was first. 422: the key had another body. */
export async function startOnce<Step extends object>(
  chat: Chat,
  { keyed, botId, scope, sessionId, hasLeft }: KeyedStart,
  run: Run<Step>,
): Promise<ChatAnswer<Step>> {
  const keyId = startKeyId(["preview", ...scope, botId], keyed.key)
  const { bodyHash } = keyed
  const ids = { keyId, resultId: standInResultId(sessionId), sessionId, bodyHash }
  const take = async (): Promise<ChatAnswer<Step>> => {
    const row = await insertStartKey(chat.db, ids)
    requireSameBody(keyed, row.bodyHash)
    const begun = { sessionId: row.sessionId, keyId, by: chat.processId }
    const seconds = Math.ceil(chat.turnTimeoutMs / 1_000)
    const deadline = performance.now() + chat.turnTimeoutMs
    for (;;) {
      const isOurs = await claimPreviewStart(chat.db, { ...begun, seconds })
      // After the claim: it may have been taken from whoever has stored the answer.
      const stored = await findPreviewStart(chat.db, begun)
      if (stored) return replayed<Step>(keyed, stored)
      const step = isOurs ? await carryOut(chat, { ...begun, bodyHash }, run) : undefined
      if (step) return { step, isReplayed: false }
      if (performance.now() >= deadline)
        throw conflict("This preview is being started by another request")
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }
  return chat.queue.run(`preview ${keyId}`, take, hasLeft)
}

/** Undefined: another process has taken the start over meanwhile. */
async function carryOut<Step extends object>(
  chat: Chat,
  begun: PreviewStart & { bodyHash: Buffer },
  run: Run<Step>,
): Promise<Step | undefined> {
  try {
    const { step, preview } = await run(begun.sessionId)
    const stored = { ...begun, body: JSON.stringify(step) }
    return (await openKeyedPreview(chat.db, preview, stored)) ? step : undefined
  } catch (error) {
    await giveUp(chat, begun)
    throw error
  }
}

/** What cannot be given up expires. */
async function giveUp(chat: Chat, begun: PreviewStart): Promise<void> {
  try {
    await releasePreviewStart(chat.db, begun)
  } catch (err) {
    chat.log.warn({ err }, "A keyed start could not be given up")
  }
}
