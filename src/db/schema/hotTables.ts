/** The tables that chats and previews work with, as Kysely sees them. */
import type { Generated } from "kysely"
import type { StoredTrace } from "../../engine/recorded/trace.ts"
import type { ShownPart } from "../../engine/records.ts"
import type { Message, TeamMessage } from "../../engine/schema/message.ts"
import type {
  DefaultTimestamp,
  GivenTimestamp,
  Json,
  NullableTimestamp,
  OptionalJson,
} from "./columnTypes.ts"

export type EndState = "ended" | "expired"

export type HotTables = {
  /** `chat_sessions`: running chats; written by `save_turn` and the claim statements alone. */
  chatSessions: {
    resultId: string
    id: string
    botId: string
    versionId: string
    state: string
    revision: Generated<number>
    claimedUntil: NullableTimestamp
    claimedBy: string | null
    expiresAt: NullableTimestamp
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `results`: recorded conversations. */
  results: {
    resultId: string
    botId: string
    versionId: string
    variables: OptionalJson<unknown[]>
    hasStarted: Generated<boolean>
    isCompleted: Generated<boolean>
    isArchived: Generated<boolean>
    lastChatSessionId: string | null
    createdAt: DefaultTimestamp
  }

  /** `answers`: accepted replies, ordered by `idx`. */
  answers: {
    resultId: string
    idx: number
    blockId: string
    content: string
    attachedFileUrls: OptionalJson<string[] | null>
    shown: OptionalJson<ShownPart[] | null>
    createdAt: DefaultTimestamp
  }

  /**
   * `result_steps`: edges taken off the default path, variables set and calls made (a `StoredTrace`; null:
   * none), one row per turn that left any. What a turn showed is with its first answer, or here when it has
   * none; in neither: an early version before 0.2.0 stored the turn, or what it showed is forgotten.
   */
  resultSteps: {
    resultId: string
    step: number
    edgeIds: Generated<string[]>
    setVariables: OptionalJson<unknown[] | null>
    trace: OptionalJson<StoredTrace | null>
    shown: OptionalJson<ShownPart[] | null>
    createdAt: DefaultTimestamp
  }

  /** `result_texts`: copies of what results say, for searches; written by `save_turn` and a job. */
  resultTexts: {
    resultId: string
    botId: string
    text: string | null
    revision: Generated<number>
    isDue: Generated<boolean>
  }

  /** `result_texts_until`: the last result that has its row, if it has answers. */
  resultTextsUntil: {
    isOnly: Generated<boolean>
    until: string
  }

  /** `logs`: what happened while a result was recorded. */
  logs: {
    resultId: string
    id: string
    status: string
    description: string
    details: string | null
    context: string | null
    createdAt: DefaultTimestamp
  }

  /** `idempotency`: stored responses of requests that carried an Idempotency-Key. */
  idempotency: {
    resultId: string
    sessionId: string
    key: string
    bodyHash: Buffer
    status: number
    body: string
    createdAt: DefaultTimestamp
  }

  /** `start_keys`: Idempotency-Key of a start -> the ids it was given. */
  startKeys: {
    keyId: string
    resultId: string
    sessionId: string
    bodyHash: Buffer
    createdAt: DefaultTimestamp
  }

  /** `webhook_calls`: calls for waiting chats; `deliveredStep` null = it waits for its turn. */
  webhookCalls: {
    resultId: string
    id: string
    sessionId: string
    blockId: string
    body: string
    deliveredStep: number | null
    createdAt: DefaultTimestamp
  }

  /** `conversations`: the caller's own key -> the chat that it stands for now. */
  conversations: {
    keyId: string
    botId: string
    key: string
    resultId: string
    sessionId: string
    createdAt: DefaultTimestamp
  }

  /** `keyed_results`: the caller's own key of the conversation that a result records. */
  keyedResults: {
    resultId: string
    botId: string
    key: string
  }

  /** `ended_chats`: how chats ended. */
  endedChats: {
    resultId: string
    sessionId: string
    state: EndState
    endedAt: DefaultTimestamp
  }

  /** `kept_messages`: what people and the team said while a chat was paused, or only to start it. */
  keptMessages: {
    resultId: string
    id: string
    sessionId: string
    message: Json<Message | TeamMessage>
    createdAt: DefaultTimestamp
  }

  /** `session_events`: events for the clients that listen to a session. */
  sessionEvents: {
    resultId: string
    id: string
    sessionId: string
    type: string
    data: Json<object>
    createdAt: DefaultTimestamp
  }

  /** `timers`: when to check for silence. */
  timers: {
    resultId: string
    sessionId: string
    dueAt: GivenTimestamp
  }

  /** `preview_flows`: flows under preview by a hash of their JSON text and owner; lost at a crash. */
  previewFlows: {
    hash: Buffer
    payload: string
    lastUsedAt: DefaultTimestamp
    owner: string | null
    isAnonymous: boolean | null
  }

  /** `preview_sessions`: running previews; no owner = anonymous; lost at a crash. */
  previewSessions: {
    id: string
    botId: string | null
    workspaceId: string | null
    ownerUserId: string | null
    flowHash: Buffer
    owner: string | null
    isAnonymous: boolean | null
    state: string
    revision: Generated<number>
    claimedUntil: NullableTimestamp
    claimedBy: string | null
    createdAt: DefaultTimestamp
    updatedAt: DefaultTimestamp
  }

  /** `upload_tallies`: what a chat, or an address in an hour, may have uploaded. */
  uploadTallies: {
    scope: string
    files: number
    bytes: number
    signedAt: DefaultTimestamp
    expiresAt: GivenTimestamp
  }

  /** `preview_classes`: rows to hold while previews are counted. */
  previewClasses: {
    isAnonymous: boolean
  }

  /** `preview_starts`: keyed starts of previews that are under way. */
  previewStarts: {
    keyId: string
    claimedUntil: GivenTimestamp
    claimedBy: string
    createdAt: DefaultTimestamp
  }

  /** `preview_responses`: as `idempotency`, for previews; a row goes with its session. */
  previewResponses: {
    sessionId: string
    call: string
    key: string
    bodyHash: Buffer
    body: string
    createdAt: DefaultTimestamp
  }

  /** `preview_states`: the states before the last answers of a preview; a row goes with its session. */
  previewStates: {
    sessionId: string
    revision: number
    state: string
  }

  /** `naming_key`: one row, which never changes. */
  namingKey: {
    isOnly: Generated<boolean>
    key: Buffer
  }
}
