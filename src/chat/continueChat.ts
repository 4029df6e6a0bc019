/** Continues a chat with a message, and builds the answer of a turn. */
import { listKnownBots } from "../db/bots/bots.ts"
import type { ChatInput } from "../engine/chatInput.ts"
import type { ChatMessage, ClientAction, DynamicTheme } from "../engine/payload.ts"
import { authorsLog, type Log } from "../engine/schema/log.ts"
import type { Message } from "../engine/schema/message.ts"
import { isPaused, type Session } from "../engine/session.ts"
import { textOfMessage } from "../engine/shown.ts"
import type { Turn } from "../engine/turn/run.ts"
import { steer } from "../engine/turn/steer.ts"
import { reply } from "../engine/turn/turn.ts"
import { chatPaused, sessionNotFound } from "../lib/errors.ts"
import { resultIdOfSession } from "../lib/ids.ts"
import type { Chat } from "./chat.ts"
import { idsAfter, kept } from "./conversations/pausing.ts"
import { tellListeners } from "./conversations/sessionListeners.ts"
import type { ChatAnswer } from "./idempotency.ts"
import { type Insight, type PreviewTrace, withTrace } from "./previews/previewTracing.ts"
import { type ToolOutcome, toolOutcomeOf } from "./publishedTool.ts"
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
    /** Whether a message to a paused chat is kept for the team. Absent: it is refused. */
    acceptsPaused?: boolean | null | undefined
    /** The only bot whose live chats are continued, others are unknown; absent: any, and previews. */
    ofBot?: string | undefined
    /** Admits the caller to a trace of this preview, or refuses; absent: the turn is not traced. */
    admitToTrace?: ((owner: LoadedSession["owner"]) => Promise<Insight>) | undefined
  }

/** Continues a chat; two calls at once are both carried out, one after the other. */
export async function continueChat(
  chat: Chat,
  request: ContinueChatRequest,
): Promise<ChatAnswer<ChatStep>> {
  const { sessionId, message, keyed, hasLeft } = request
  let messageId = ""
  const turn: TurnToTake<ChatStep> = {
    request,
    store: createSessionStore(chat, sessionId),
    asked: keyed?.key ?? JSON.stringify(message),
    deadline: performance.now() + chat.turnTimeoutMs,
    busy: "This chat is busy with another message",
    async load(stored) {
      if (!stored) throw await chatGone(chat, sessionId)
      const loaded = await loadSession(chat, stored)
      const { session } = loaded
      if (!isOf(request.ofBot, loaded)) throw sessionNotFound()
      if (session.step === 0 && (await isLeftBehind(chat, loaded))) throw sessionNotFound()
      admitToSession(chat, loaded, request)
      if (isPaused(session) && !isForTeam(session, request)) throw chatPaused()
      if (!request.admitToTrace) return loaded
      return { ...loaded, tracing: { ...(await request.admitToTrace(loaded.owner)), calls: [] } }
    },
    begin(deps, session) {
      if (!isPaused(session)) return reply(deps, session, message)
      messageId = idsAfter(session)()
      return steer(deps, session, {})
    },
    also: ({ session }) =>
      message && isPaused(session) ? { kept: [kept(messageId, message)] } : undefined,
    respond(turn, loaded) {
      const { bots, tracing } = loaded
      const step = respond(turn)
      if (isPaused(turn.session)) return { ...step, state: "paused", messageId }
      if (request.isForTool) return { ...step, outcome: toolOutcomeOf(turn, loaded) }
      return tracing ? withTrace(step, turn, { bots, tracing }) : step
    },
  }
  const answer = await chat.queue.run(sessionId, () => takeTurn(chat, turn), hasLeft)
  const resultId = answer.step.state && resultIdOfSession(sessionId)
  if (resultId && !answer.isReplayed) await tellListeners(chat, resultId)
  return answer
}

/** Whether a message to a paused chat is one to the team. */
function isForTeam({ at }: Session, { message, acceptsPaused }: ContinueChatRequest): boolean {
  const isSaid = message !== undefined && textOfMessage(message).trim() !== ""
  return acceptsPaused === true && isSaid && message.type !== "command" && at !== undefined
}

function isOf(botId: string | undefined, { session, owner }: LoadedSession): boolean {
  return botId === undefined || (owner.botId === botId && !session.isPreview)
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
  /** The chat is paused: the message was kept for the team. */
  state?: "paused"
  /** Id of the message that was kept. */
  messageId?: string
  dynamicTheme?: DynamicTheme
  progress?: number
  /** Only of a traced turn. */
  trace?: PreviewTrace
  /** Only for the caller of a tool. */
  outcome?: ToolOutcome
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
