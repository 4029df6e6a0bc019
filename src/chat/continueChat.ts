/** Continues a chat with a message, and builds the answer of a turn. */
import { listKnownBots } from "../db/bots/bots.ts"
import type { ChatInput } from "../engine/chatInput.ts"
import type { ChatMessage, ClientAction, DynamicTheme } from "../engine/payload.ts"
import { authorsLog, type Log } from "../engine/schema/log.ts"
import type { Message } from "../engine/schema/message.ts"
import { isPaused } from "../engine/session.ts"
import type { Turn } from "../engine/turn/run.ts"
import { reply } from "../engine/turn/turn.ts"
import { chatPaused, sessionNotFound } from "../lib/errors.ts"
import type { Chat } from "./chat.ts"
import type { ChatAnswer } from "./idempotency.ts"
import { type Insight, type PreviewTrace, withTrace } from "./previews/previewTracing.ts"
import { chatGone } from "./sessions/chatGone.ts"
import {
  admitToSession,
  createSessionStore,
  loadSession,
  type Origin,
} from "./sessions/loadSession.ts"
import type { LoadedSession } from "./sessions/sessionStore.ts"
import { type TurnRequest, type TurnToTake, takeTurn } from "./takeTurn.ts"

type ContinueChatRequest = Origin &
  TurnRequest & {
    sessionId: string
    message?: Message | undefined
    address: string
    /** Admits the caller to a trace of this preview, or refuses; absent: the turn is not traced. */
    admitToTrace?: ((owner: LoadedSession["owner"]) => Promise<Insight>) | undefined
  }

/** Continues a chat; two calls at once are both carried out, one after the other. */
export function continueChat(
  chat: Chat,
  request: ContinueChatRequest,
): Promise<ChatAnswer<ChatStep>> {
  const { sessionId, message, keyed, hasLeft } = request
  const turn: TurnToTake<ChatStep> = {
    request,
    store: createSessionStore(chat, sessionId),
    asked: keyed?.key ?? JSON.stringify(message),
    deadline: performance.now() + chat.turnTimeoutMs,
    busy: "This chat is busy with another message",
    async load(stored) {
      if (!stored) throw await chatGone(chat, sessionId)
      const loaded = await loadSession(chat, stored)
      if (loaded.session.step === 0 && (await isLeftBehind(chat, loaded))) throw sessionNotFound()
      admitToSession(chat, loaded, request)
      if (isPaused(loaded.session)) throw chatPaused()
      if (!request.admitToTrace) return loaded
      return { ...loaded, tracing: { ...(await request.admitToTrace(loaded.owner)), calls: [] } }
    },
    begin: (deps, session) => reply(deps, session, message),
    respond: (turn, { bots, tracing }) =>
      tracing ? withTrace(respond(turn), turn, { bots, tracing }) : respond(turn),
  }
  return chat.queue.run(sessionId, () => takeTurn(chat, turn), hasLeft)
}

/** Whether the bot was deleted before anything ran: without a result, the chat does not end with its bot. */
async function isLeftBehind({ db }: Chat, { session, owner }: LoadedSession): Promise<boolean> {
  const { workspaceId, botId } = owner
  if (session.isPreview || workspaceId === undefined) return false
  return !(await listKnownBots(db, { workspaceId, ids: [botId] })).has(botId)
}

/** The part that every chat answer has. */
export type ChatStep = {
  lastMessageNewFormat?: string
  messages: ChatMessage[]
  isReplyTaken?: false
  input?: ChatInput
  clientSideActions?: ClientAction[]
  logs?: Log[]
  dynamicTheme?: DynamicTheme
  progress?: number
  /** Only of a traced turn. */
  trace?: PreviewTrace
}

/** Builds the answer of a turn. */
export function respond(turn: Turn): ChatStep {
  const logs = shownLogs(turn)
  const isStart = turn.appearance !== undefined
  const lists = (list: readonly unknown[]) => list.length > 0 || (turn.hasWalked && !isStart)
  const { newFormat, input, actions, dynamicTheme, progress } = turn
  const step: ChatStep = { messages: turn.messages }
  if (turn.isUnheard && !isStart) step.isReplyTaken = false
  if (newFormat !== undefined) step.lastMessageNewFormat = newFormat
  if (input !== undefined) step.input = input
  if (lists(actions)) step.clientSideActions = actions
  if (lists(logs)) step.logs = logs
  if (dynamicTheme !== undefined) step.dynamicTheme = dynamicTheme
  if (progress !== undefined) step.progress = progress
  return step
}

/** A preview shows all logs, a live chat those that are not for the authors alone. */
function shownLogs({ session, logs }: Turn): Log[] {
  if (session.isPreview) return logs.map(authorsLog)
  return logs.filter(({ isInternal }) => !isInternal).map(({ place: _, ...log }) => log)
}
