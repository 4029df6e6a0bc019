/** Starts a preview: a flow that comes with the request, or the stored draft. */
import { deletePreviewResponses } from "../db/chats/previewResponses.ts"
import { openPreviewSession, type PreviewOwner, type PreviewToOpen } from "../db/chats/previews.ts"
import { previewHash } from "../db/chats/snapshots.ts"
import { deleteWebhookCalls } from "../db/chats/webhookCalls.ts"
import type { Bot, Flow } from "../engine/bot.ts"
import { limitsOf } from "../engine/budget/limits.ts"
import type { TextFormat } from "../engine/payload.ts"
import type { Turn } from "../engine/run.ts"
import type { Message } from "../engine/schema/message.ts"
import { openSession, writeSession } from "../engine/session.ts"
import { register, type StartRequest, start } from "../engine/turn.ts"
import { conflict } from "../shared/errors.ts"
import {
  namedPreviewSessionId,
  newPreviewSessionId,
  newUuid,
  standInResultId,
} from "../shared/ids.ts"
import { networkOf } from "../shared/network.ts"
import { loadPreview } from "./bots.ts"
import type { Chat } from "./chat.ts"
import type { ChatAnswer, Keyed } from "./idempotency.ts"
import { type PreviewCaller, startOnce } from "./keyedPreview.ts"
import { type ChatStep, type RuntimeBot, respond, summarize } from "./respond.ts"
import { engineDepsOf, runTurn } from "./runTurn.ts"

export type StartPreviewRequest = PreviewCaller & {
  flow: Flow
  message?: Message | undefined
  isStreamEnabled: boolean
  isOnlyRegistering: boolean
  startFrom?: StartRequest["from"]
  prefilledVariables?: Record<string, unknown> | undefined
  /** Names the preview among those of the caller; absent, or when only registering: a fresh one. */
  sessionId?: string | undefined
  /** Overrides the theme. */
  isProgressBarEnabled?: boolean | undefined
  textFormat: TextFormat
  keyed?: Keyed | undefined
  /** Whether nobody waits for the answer any more. Absent: somebody does. */
  hasLeft?: (() => boolean) | undefined
}

export type StartPreviewStep = ChatStep & { sessionId: string; bot: RuntimeBot }

/** Starts a preview; a repetition of a keyed start gets the first one's answer. */
export async function startPreview(
  chat: Chat,
  request: StartPreviewRequest,
): Promise<ChatAnswer<StartPreviewStep>> {
  const { keyed } = request
  const chosen = request.isOnlyRegistering ? undefined : request.sessionId
  const sessionId =
    chosen === undefined
      ? newPreviewSessionId()
      : namedPreviewSessionId(chat.namingKey, [...spaceOf(request), chosen])
  if (keyed) {
    const once = { ...request, scope: spaceOf(request), keyed, sessionId }
    return startOnce(chat, once, (id) => run(chat, request, id))
  }
  const { step, preview } = await run(chat, request, sessionId)
  const revision = await openPreviewSession(chat.db, preview)
  if (revision === undefined) throw conflict("This session id belongs to another preview")
  return { step, isReplayed: false }
}

/** Where the names that a caller gives previews live, so that nobody meets those of others. */
function spaceOf({ owner, address }: PreviewCaller): string[] {
  return owner ? ["user", owner.userId] : ["address", address]
}

/** By whom previews are bounded: a stranger has a whole network of addresses. */
function keeperOf({ owner, address }: PreviewCaller): PreviewOwner {
  return owner
    ? { name: `user:${owner.userId}`, isAnonymous: false }
    : { name: `address:${networkOf(address)}`, isAnonymous: true }
}

type RanPreview = { step: StartPreviewStep; preview: PreviewToOpen }

async function run(
  chat: Chat,
  request: StartPreviewRequest,
  sessionId: string,
): Promise<RanPreview> {
  const { owner, botId } = request
  const keeper = keeperOf(request)
  const bot = await chat.snapshots.keepPreview(request.flow, botId, keeper)
  const turn = await turnOf(chat, request, { bot, sessionId })
  if (!turn?.appearance) throw conflict("This preview is being started by another request")
  if (request.sessionId !== undefined) await forgetFormer(chat, sessionId)
  const preview = {
    id: sessionId,
    botId: owner ? botId : null,
    workspaceId: owner?.workspaceId ?? null,
    ownerUserId: owner?.userId ?? null,
    flowHash: previewHash(bot.version),
    state: writeSession(turn.session),
    owner: keeper,
  }
  const answer = respond(turn)
  return { step: { sessionId, bot: summarize(bot, turn.appearance), ...answer }, preview }
}

/** Calls for an earlier preview under this id, and answers of it, are none for the new one. */
async function forgetFormer({ db }: Chat, sessionId: string): Promise<void> {
  await deleteWebhookCalls(db, { resultId: standInResultId(sessionId), sessionId })
  await deletePreviewResponses(db, sessionId)
}

async function turnOf(
  chat: Chat,
  request: StartPreviewRequest,
  { bot, sessionId }: { bot: Bot; sessionId: string },
): Promise<Turn | undefined> {
  const { flow, botId, owner, message, startFrom } = request
  const isRestricted = owner === undefined
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
  if (request.isOnlyRegistering) return register(engineDepsOf({ bots, limits }), session)
  const { workspaceId, userId: previewerId } = owner ?? {}
  const deps = {
    log: chat.log,
    effects: chat.effects,
    measure: chat.measure,
    bots,
    load: loadPreview(chat),
    limits,
    textFormat: request.textFormat,
    context: { workspaceId, previewerId, botId, sessionId, isPreview: true, isRestricted },
    // Without a key, a preview that is started again under its id is no repetition.
    asked: request.keyed?.key ?? newUuid(),
    deadline: performance.now() + chat.turnTimeoutMs,
    claim: { hold: async () => true },
    hasLeft: request.hasLeft,
  }
  return runTurn(deps, (deps) => start(deps, session, { opening: message, from: startFrom }))
}
