/** Starts a preview: a flow that comes with the request, or the stored draft. */
import type { PreviewOwner } from "../db/chats/previews.ts"
import type { Flow } from "../engine/bot.ts"
import type { Message } from "../engine/schema/message.ts"
import { openSession } from "../engine/session.ts"
import { register, type StartRequest, start } from "../engine/turn.ts"
import {
  namedPreviewSessionId,
  newPreviewSessionId,
  newUuid,
  standInResultId,
} from "../shared/ids.ts"
import { networkOf } from "../shared/network.ts"
import type { Chat } from "./chat.ts"
import { type ChatAnswer, registerStart } from "./idempotency.ts"
import { type ChatStep, type RuntimeBot, respond, summarize } from "./respond.ts"
import { type NewPreview, openNewPreviewStore } from "./sessions/previewStore.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"
import { type PreparedTurn, type TurnRequest, takeTurn } from "./takeTurn.ts"

export type StartPreviewRequest = TurnRequest & {
  /** The bot of the path. */
  botId: string
  flow: Flow
  /** Who may open that bot, and its workspace; absent: an anonymous caller, and a locked preview. */
  owner?: { userId: string; workspaceId: string } | undefined
  /** IP address of the caller. */
  address: string
  message?: Message | undefined
  isStreamEnabled: boolean
  isOnlyRegistering: boolean
  startFrom?: StartRequest["from"]
  prefilledVariables?: Record<string, unknown> | undefined
  /** Names the preview among those of the caller; absent, or when only registering: a fresh one. */
  sessionId?: string | undefined
  /** Overrides the theme. */
  isProgressBarEnabled?: boolean | undefined
}

export type StartPreviewStep = ChatStep & { sessionId: string; bot: RuntimeBot }

/** Starts a preview; a repetition of a keyed start gets the first one's answer. */
export async function startPreview(
  chat: Chat,
  request: StartPreviewRequest,
): Promise<ChatAnswer<StartPreviewStep>> {
  const deadline = performance.now() + chat.turnTimeoutMs
  const { keyed, hasLeft, botId } = request
  const begin = async () => {
    const preview = await previewOf(chat, request)
    return takeTurn(chat, {
      request,
      store: openNewPreviewStore(chat, preview),
      // Without a key, a preview that is started again under its id is no repetition.
      asked: keyed?.key ?? newUuid(),
      deadline,
      busy: "This preview is being started by another request",
      isDroppable: true,
      prepare: () => prepare(chat, request, preview),
    })
  }
  if (!keyed) return begin()
  const name = JSON.stringify(["preview", ...namespaceOf(request), botId, keyed.key])
  return chat.queue.run(name, begin, hasLeft)
}

/** Where the names that a caller gives previews live: nobody's names meet those of others. */
function namespaceOf({ owner, address }: StartPreviewRequest): string[] {
  return owner ? ["user", owner.userId] : ["address", address]
}

/** The preview to open; a keyed start has the id that the first request with its key chose. */
async function previewOf(chat: Chat, request: StartPreviewRequest): Promise<NewPreview> {
  const { keyed, botId, isOnlyRegistering } = request
  const namespace = namespaceOf(request)
  const name = isOnlyRegistering ? undefined : request.sessionId
  const id =
    name === undefined
      ? newPreviewSessionId()
      : namedPreviewSessionId(chat.namingKey, [...namespace, name])
  const preview = { id, isNamed: name !== undefined, owner: ownerOf(request) }
  if (!keyed) return preview
  const ids = { resultId: standInResultId(id), sessionId: id }
  const scope = ["preview", ...namespace, botId]
  const { keyId, sessionId } = await registerStart(chat, keyed, { ...ids, scope })
  return { ...preview, id: sessionId, keyId }
}

/** By whom previews are bounded: an anonymous caller has a whole network of addresses. */
function ownerOf({ owner, address }: StartPreviewRequest): PreviewOwner {
  return owner
    ? { name: `user:${owner.userId}`, isAnonymous: false }
    : { name: `address:${networkOf(address)}`, isAnonymous: true }
}

async function prepare(
  chat: Chat,
  request: StartPreviewRequest,
  { id: sessionId, owner }: NewPreview,
): Promise<PreparedTurn<StartPreviewStep>> {
  const bot = await chat.snapshots.keepPreview(request.flow, request.botId, owner)
  const { isOnlyRegistering, message, startFrom } = request
  const session = openSession({
    bot,
    isPreview: true,
    isRestricted: request.owner === undefined,
    isStreamEnabled: request.isStreamEnabled,
    isProgressShown:
      request.isProgressBarEnabled ?? bot.flow.theme.general?.progressBar?.isEnabled ?? false,
    prefilled: request.prefilledVariables,
  })
  const { workspaceId, userId: previewerId } = request.owner ?? {}
  const loaded: LoadedSession = {
    session,
    bots: new Map([[bot.version, bot]]),
    root: bot,
    owner: { workspaceId, previewerId, botId: request.botId, sessionId },
  }
  return {
    loaded,
    begin: (deps) =>
      isOnlyRegistering
        ? register(deps, session)
        : start(deps, session, { opening: message, from: startFrom }),
    respond: (turn) => ({ sessionId, bot: summarize(bot, turn), ...respond(turn) }),
  }
}
