/** Starts a preview of the flow in the request, or of the stored draft. */
import type { PreviewOwner } from "../db/chats/previews.ts"
import type { Flow } from "../engine/bot.ts"
import { createSession } from "../engine/session.ts"
import { badRequest } from "../lib/errors.ts"
import {
  namedPreviewSessionId,
  newPreviewSessionId,
  newUuid,
  resultIdOfSession,
  standInResultId,
} from "../lib/ids.ts"
import { networkOf, strangerParty, userParty } from "../lib/party.ts"
import type { Chat } from "./chat.ts"
import { type ChatAnswer, registerStart } from "./idempotency.ts"
import type { Insight } from "./previews/previewTracing.ts"
import { createNewPreviewStore, type NewPreview } from "./sessions/previewStore.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"
import { type StartOptions, type StartStep, startTurn } from "./startChat.ts"
import { takeTurn } from "./takeTurn.ts"

type StartPreviewRequest = StartOptions & {
  /** The bot of the path. */
  botId: string
  flow: Flow
  /** Who opens that bot, and its workspace; absent: an anonymous caller, whose preview is restricted. */
  owner?: { userId: string; workspaceId: string } | undefined
  address: string
  /**
   * The id of the preview, or, if it is shorter than one may be, its name among those of the caller.
   * Absent, or only registered under such a name: it gets a fresh id.
   */
  sessionId?: string | undefined
  /** Overrides the theme. */
  isProgressBarEnabled?: boolean | undefined
  /** What a trace of the turn may show; absent: it is not traced. */
  insight?: Insight | undefined
}

/** Starts a preview; a repetition of a keyed start gets the first one's answer. */
export async function startPreview(
  chat: Chat,
  request: StartPreviewRequest,
): Promise<ChatAnswer<StartStep>> {
  const deadline = performance.now() + chat.turnTimeoutMs
  const { keyed, hasLeft, botId } = request
  const start = async () => {
    const preview = await previewOf(chat, request)
    return takeTurn(chat, {
      ...startTurn(request),
      store: createNewPreviewStore(chat, preview),
      // Without a key, a preview that is started again under its id is no repetition.
      asked: keyed?.key ?? newUuid(),
      deadline,
      busy: "This preview is being started by another request",
      load: () => open(chat, request, preview),
    })
  }
  if (!keyed) return start()
  const name = JSON.stringify(["preview", ...namespaceOf(request), botId, keyed.key])
  return chat.queue.run(name, start, hasLeft)
}

/** The namespace of the names that a caller gives to previews. */
function namespaceOf({ owner, address }: StartPreviewRequest): string[] {
  return owner ? ["user", owner.userId] : ["address", address]
}

/** Min length of an id that a caller chooses; shorter ones could be guessed. */
const minIdLength = 20

/** The preview to open; a keyed start has the id that the first request with its key chose. */
async function previewOf(chat: Chat, request: StartPreviewRequest): Promise<NewPreview> {
  const { keyed, botId } = request
  const namespace = namespaceOf(request)
  const chosen = chosenId(chat, request)
  const id = chosen ?? newPreviewSessionId()
  const preview = { id, isNamed: chosen !== undefined, owner: ownerOf(request) }
  if (!keyed) return preview
  const ids = { resultId: standInResultId(id), sessionId: id }
  const scope = ["preview", ...namespace, botId]
  const { keyId, sessionId } = await registerStart(chat, keyed, { ...ids, scope })
  return { ...preview, id: sessionId, keyId }
}

/** The id that the caller has chosen; undefined: none. */
function chosenId({ namingKey }: Chat, request: StartPreviewRequest): string | undefined {
  const { sessionId: name, isOnlyRegistering } = request
  if (name === undefined) return undefined
  if (name.length < minIdLength) {
    if (isOnlyRegistering) return undefined
    return namedPreviewSessionId(namingKey, [...namespaceOf(request), name])
  }
  if (resultIdOfSession(name) === undefined) return name
  throw badRequest("`sessionId` has the form of a live chat's: choose another for the preview")
}

/** Whose previews are bounded together: an anonymous caller may have a whole network of addresses. */
function ownerOf({ owner, address }: StartPreviewRequest): PreviewOwner {
  return owner
    ? { name: `user:${owner.userId}`, isAnonymous: false }
    : { name: `address:${networkOf(address)}`, isAnonymous: true }
}

async function open(
  { snapshots }: Chat,
  request: StartPreviewRequest,
  { id: sessionId, owner: previewOwner }: NewPreview,
): Promise<LoadedSession> {
  const { flow, botId, owner, isStreamEnabled, language, prefilledVariables: prefilled } = request
  const bot = await snapshots.keepPreview(flow, botId, previewOwner)
  return {
    session: createSession({
      bot,
      isPreview: true,
      isRestricted: owner === undefined,
      isStreamEnabled,
      language,
      isProgressShown: request.isProgressBarEnabled,
      prefilled,
    }),
    bots: new Map([[bot.version, bot]]),
    root: bot,
    tracing: request.insight && { ...request.insight, calls: [] },
    owner: {
      party: owner ? userParty(owner.userId) : strangerParty(previewOwner.name),
      workspaceId: owner?.workspaceId,
      previewerId: owner?.userId,
      botId,
      sessionId,
    },
  }
}
