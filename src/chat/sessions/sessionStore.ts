/** How one session is read and written: a live one, a preview, or a new one. */
import type {
  ConversationRows,
  EventRow,
  KeyedResponse,
  StoredResponse,
} from "../../db/chats/sessions.ts"
import type { CallContext } from "../../effects/perform.ts"
import type { TurnVariables } from "../../effects/variables/turnVariables.ts"
import type { Bot } from "../../engine/bot.ts"
import type { StoredCall } from "../../engine/recorded/trace.ts"
import type { Session } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import type { Tracing } from "../previews/previewTracing.ts"
import type { Claimable } from "./claim.ts"

type SessionFacts = {
  /** Whose session it is, as far as the calls of its turns need to know. */
  owner: Pick<
    CallContext,
    "party" | "workspaceId" | "previewerId" | "botId" | "resultId" | "sessionId"
  >
  /** Absent: it has its first answer, or may wait for one as long as any chat. */
  unanswered?: Unanswered | undefined
  /**
   * How far the clock of the database, by which chats expire, is ahead of that of this machine, in
   * milliseconds; absent in previews.
   */
  aheadMs?: number | undefined
}

/** A chat that ends unless it gets its first answer. */
export type Unanswered = { until: Date }

export type StoredSession = SessionFacts & { state: string; revision: number }

/** A session that is ready to run: its state has been read, and its bots are there. */
export type LoadedSession = SessionFacts & {
  session: Session
  /** By version. */
  bots: Map<string, Bot>
  /** The chat begins with a result that may exist already (true), or did exist, and may be deleted since. */
  continues?: true | "earlier" | undefined
  /** The bot that was started. */
  root: Bot
  /** How its turn is traced; absent: it is not. */
  tracing?: Tracing | undefined
  /** The variables of its workspace in this turn; absent: its bots use none. */
  variables?: TurnVariables | undefined
}

/** A stored session; empty when it is new. */
export type Found = {
  session?: StoredSession | undefined
  /** The response that was stored under the key of the request. */
  response?: StoredResponse | undefined
  /**
   * `others`: a turn of another process is calling the outside world. `ours`: this process has
   * claimed the session, and must keep the claim while it runs the turn.
   */
  claim: "none" | "others" | "ours"
}

export type TurnToStore = {
  loaded: LoadedSession
  turn: Turn
  /** The calls that it made, in order; absent: none. */
  calls?: readonly StoredCall[]
  /** The state after it; empty: the chat is over and keeps no session. */
  state: string
  /** When silence ends the chat, ISO 8601; absent: it has no expiry of its own. */
  expiresAt?: string | undefined
  /** Changes to the conversation beside the turn; absent: none. */
  conversation?: ConversationRows | undefined
  /** Webhook events of the turn. */
  events: EventRow[]
  /** The revision that it started from. */
  revision: number
  keyed?: KeyedResponse | undefined
}

export type SessionStore = {
  claims: Claimable
  /** Whether a chat that is over keeps its session, so that its client may begin again. */
  keepsEnded: boolean
  /** Looks for the session, and with a key for the response that was stored under it. */
  find(key?: string): Promise<Found>
  /** False: another turn won, and nothing was written. */
  save(turn: TurnToStore): Promise<boolean>
}
