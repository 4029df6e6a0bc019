/** Starts a preview: a flow that comes with the request, or the stored draft. */
import { openPreviewSession } from "../db/previews.ts"
import { previewHash } from "../db/snapshots.ts"
import { deleteWebhookCalls } from "../db/webhookCalls.ts"
import type { Flow } from "../engine/bot.ts"
import { limitsOf } from "../engine/limits.ts"
import type { Message } from "../engine/schema/message.ts"
import { openSession, writeSession } from "../engine/session.ts"
import { register, type StartRequest, start } from "../engine/turn.ts"
import { conflict } from "../errors.ts"
import { newPreviewSessionId, newUuid, standInResultId } from "../ids.ts"
import { networkOf } from "../network.ts"
import { loadPreview } from "./bots.ts"
import type { Chat } from "./chat.ts"
import { type ChatStep, type RuntimeBot, respond, summarize, type TextFormat } from "./respond.ts"
import { runTurn, stageOf } from "./runTurn.ts"

export type StartPreviewRequest = {
  flow: Flow
  /** The bot of the path. */
  botId: string
  /** Who may open that bot, and its workspace; absent: an anonymous caller, and a locked preview. */
  owner?: { userId: string; workspaceId: string } | undefined
  /** Address of the caller, by which anonymous previews are bounded. */
  address: string
  message?: Message | undefined
  isStreamEnabled: boolean
  isOnlyRegistering: boolean
  startFrom?: StartRequest["from"]
  prefilledVariables?: Record<string, unknown> | undefined
  /** Chosen by the caller; absent, or when only registering: a fresh one. */
  sessionId?: string | undefined
  /** Overrides the theme. */
  isProgressBarEnabled?: boolean | undefined
  textFormat: TextFormat
  /** Whether nobody waits for the answer any more. Absent: somebody does. */
  hasLeft?: (() => boolean) | undefined
}

export type StartPreviewStep = ChatStep & { sessionId: string; bot: RuntimeBot }

/** Starts a preview. 409 when the session id belongs to somebody else's preview. */
export async function startPreview(
  chat: Chat,
  request: StartPreviewRequest,
): Promise<StartPreviewStep> {
  const { flow, botId, owner } = request
  const isRestricted = owner === undefined
  const keeper = {
    name: owner ? `user:${owner.userId}` : `address:${networkOf(request.address)}`,
    isAnonymous: isRestricted,
  }
  const bot = await chat.snapshots.keepPreview(flow, botId, keeper)
  const chosen = request.isOnlyRegistering ? undefined : request.sessionId
  const sessionId = chosen ?? newPreviewSessionId()
  const shown = flow.theme.general?.progressBar?.isEnabled ?? false
  const session = openSession({
    bot,
    isPreview: true,
    isRestricted,
    isStreamEnabled: request.isStreamEnabled,
    isProgressShown: request.isProgressBarEnabled ?? shown,
    prefilled: request.prefilledVariables,
  })
  const bots = new Map([[bot.version, bot]])
  const limits = limitsOf({ isPreview: true, isRestricted })
  const { workspaceId, userId: previewerId } = owner ?? {}
  const context = { workspaceId, previewerId, botId, sessionId, isPreview: true, isRestricted }
  const shell = {
    log: chat.log,
    effects: chat.effects,
    measure: chat.measure,
    bots,
    load: loadPreview(chat),
    limits,
    context,
    // A preview that is started again under its id is no repetition.
    asked: newUuid(),
    deadline: performance.now() + chat.turnTimeoutMs,
    claim: { hold: async () => true },
    hasLeft: request.hasLeft,
  }
  const { message, startFrom } = request
  const turn = request.isOnlyRegistering
    ? register(stageOf({ bots, limits }), session)
    : await runTurn(shell, (stage) => start(stage, session, { opening: message, from: startFrom }))
  if (!turn?.look) throw conflict("This preview is being started by another request")
  const revision = await openPreviewSession(chat.db, {
    id: sessionId,
    botId: owner ? botId : null,
    workspaceId: workspaceId ?? null,
    ownerUserId: owner?.userId ?? null,
    flowHash: previewHash(bot.version),
    state: writeSession(turn.session),
    owner: keeper,
  })
  if (revision === undefined) throw conflict("This session id belongs to another preview")
  // Calls for an earlier preview under this id are none for the new one.
  if (chosen) await deleteWebhookCalls(chat.db, { resultId: standInResultId(chosen), sessionId })
  return { sessionId, bot: summarize(bot, turn.look), ...respond(turn, request.textFormat) }
}
