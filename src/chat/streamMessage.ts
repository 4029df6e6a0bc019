/** Streams the answer of a model to the client while the chat waits for it. */
import type { Models } from "../effects/models/models.ts"
import type { CallContext } from "../effects/perform.ts"
import {
  type Failure,
  isFailure,
  type ModelUse,
  type Outcome,
  type ScriptOutcome,
  type ToolUse,
} from "../engine/calls.ts"
import { storedCall, storedToolCall } from "../engine/recorded/trace.ts"
import { isPaused, type Session, writeSession } from "../engine/session.ts"
import { keepStreamed, type StreamAsk, streamAsk } from "../engine/turn/stream.ts"
import { anySignal } from "../lib/anySignal.ts"
import { AppError, chatPaused } from "../lib/errors.ts"
import type { Chat } from "./chat.ts"
import { callKey } from "./idempotency.ts"
import { conclude } from "./sessions/conclude.ts"
import {
  addVariables,
  callerOf,
  createSessionStore,
  engineDepsOf,
  loadSession,
  type Origin,
  requireSession,
} from "./sessions/loadSession.ts"
import { type Attempt, untilDone } from "./takeTurn.ts"

type StreamMessageRequest = Origin & {
  sessionId: string
  /** Aborts when the client goes away. */
  signal: AbortSignal
}

/** Longer than a turn may take, because the reader sees the answer grow. */
const streamTimeoutMs = 120_000

/** One part of an answer, with a code that clients' stream readers know: `0` is text, `3` an error. */
type StreamPart = { code: "0" | "3"; value: string } | { code: "f" | "e" | "d"; value: object }

/**
 * Streams the parts of an answer. Refuses before the first part: 404 without session or credential, 400
 * when the chat does not wait for a stream. A failing provider is a part of the answer, so that the
 * client continues with the text so far. Changes beside the text are stored before the last part.
 */
export async function streamMessage(
  { chat, models }: { chat: Chat; models: Pick<Models, "stream"> },
  request: StreamMessageRequest,
): Promise<AsyncIterable<StreamPart>> {
  const stream = await prepareStream(chat, request)
  const texts = models.stream(stream.question, stream.context)
  const first = await texts.next()
  if (first.done && lacksAccount(first.value))
    throw new AppError("NOT_FOUND", first.value.description)
  return parts({ chat, stream, texts, first })
}

type Opened = {
  question: Extract<Extract<StreamAsk, { question: unknown }>["question"], { kind: "model" }>
  context: CallContext
  session: Session
  results: readonly ScriptOutcome[] | undefined
  /** What the answer used, once it is over. */
  metered: { use?: ModelUse; tools: ToolUse[] }
}

async function prepareStream(chat: Chat, request: StreamMessageRequest): Promise<Opened> {
  const { sessionId, signal: left } = request
  const loaded = await requireSession(chat, sessionId, request)
  const { session } = loaded
  if (isPaused(session)) throw chatPaused()
  await addVariables(chat, loaded)
  const metered: Opened["metered"] = { tools: [] }
  const context: CallContext = {
    ...callerOf(loaded),
    idempotencyKey: callKey([sessionId, session.step, "stream"]),
    turnKey: callKey([sessionId, session.step]),
    signal: anySignal([left, AbortSignal.timeout(streamTimeoutMs)]),
    noteUse: (use) => {
      metered.use = use
    },
    noteTool: (used) => void metered.tools.push(used),
  }
  const deps = engineDepsOf(chat, loaded)
  let asked = streamAsk(deps, session)
  let results: readonly ScriptOutcome[] | undefined
  if (asked && "inline" in asked) {
    const outcome = await chat.effects.perform(asked.inline, context)
    results = "results" in outcome ? outcome.results : []
    asked = streamAsk(deps, session, results)
  }
  if (!asked || !("question" in asked) || asked.question.kind !== "model") {
    throw new AppError(
      "CHAT_NOT_WAITING",
      "This chat does not wait for an answer that can be streamed",
    )
  }
  return { question: asked.question, context, session, results, metered }
}

type Reading = {
  chat: Chat
  stream: Opened
  texts: ReturnType<Models["stream"]>
  first: IteratorResult<string, Outcome<"model">>
}

async function* parts({ chat, stream, texts, first }: Reading): AsyncGenerator<StreamPart> {
  const startedAt = performance.now()
  const messageId = `msg-${stream.context.idempotencyKey.slice(-12)}`
  let step = first
  try {
    yield { code: "f", value: { messageId } }
    for (; !step.done; step = await texts.next()) yield { code: "0", value: step.value }
  } finally {
    // Has no effect after the end; a reader that leaves early ends the model's answer, too.
    await texts.return({ text: "" })
  }
  const outcome = step.value
  await store(chat, stream, { outcome, ms: performance.now() - startedAt })
  const finishReason = isFailure(outcome) ? "error" : "stop"
  if (isFailure(outcome)) {
    yield { code: "3", value: JSON.stringify(logOf(outcome, stream.session)) }
  }
  yield { code: "e", value: { finishReason, isContinued: false } }
  yield { code: "d", value: { finishReason } }
}

type Answered = { outcome: Outcome<"model">; ms: number }

/** Stores the changes beside the text and the call, unless the chat has moved on. */
async function store(chat: Chat, stream: Opened, answered: Answered): Promise<void> {
  const { sessionId } = stream.context
  await chat.queue.run(sessionId, () =>
    untilDone(performance.now() + chat.turnTimeoutMs, () => tryToStore(chat, stream, answered)),
  )
}

const done = { kind: "done", result: undefined } as const

async function tryToStore(
  chat: Chat,
  { session, results, context, metered }: Opened,
  { outcome, ms }: Answered,
): Promise<Attempt<undefined>> {
  const sessionStore = createSessionStore(chat, context.sessionId)
  const { session: stored, claim } = await sessionStore.find()
  if (!stored) return done
  const loaded = await loadSession(chat, stored)
  if (loaded.session.at !== session.at) return done
  await addVariables(chat, loaded)
  const { revision } = stored
  const superseded = { kind: "superseded", revision } as const
  if (claim === "others") return superseded
  const turn = keepStreamed(engineDepsOf(chat, loaded), loaded.session, { outcome, results })
  if (!turn) return done
  const { session: after = turn.session, ...lasting } = conclude(loaded, turn) ?? {}
  const state = writeSession(after)
  const blockId = session.at ?? ""
  const call = { blockId, kind: "model", outcome, ms, use: metered.use }
  const ofTools = metered.tools.map((tool) => storedToolCall(blockId, tool))
  const calls = [storedCall(call), ...ofTools]
  const kept = { loaded, turn, calls, ...lasting, state, events: [], revision }
  return (await sessionStore.save(kept)) ? done : superseded
}

/** Messages of the provider may reveal details of the account, so only previews show them. */
function logOf({ description, details }: Failure, { isPreview }: Session) {
  return { description, ...(isPreview && details ? { details } : {}) }
}

/** Whether no request could be made, because the account is missing. */
function lacksAccount(outcome: Outcome<"model">): outcome is Failure {
  return isFailure(outcome) && outcome.reason === "credentials" && outcome.status === undefined
}
