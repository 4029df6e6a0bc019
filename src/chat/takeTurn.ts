/**
 * Takes one turn of a session: loads it, runs it with the calls of the engine, stores it; repeats it when
 * another turn won.
 */
import type { ConversationRows } from "../db/chats/sessions.ts"
import type { CallKind, ModelUse, Outcome, ToolUse } from "../engine/calls.ts"
import type { TextFormat } from "../engine/payload.ts"
import { type StoredCall, storedCall, storedToolCall } from "../engine/recorded/trace.ts"
import { type Session, writeSession } from "../engine/session.ts"
import type { EngineDeps, Turn } from "../engine/turn/run.ts"
import { isOver } from "../engine/turn/settle.ts"
import { resume } from "../engine/turn/turn.ts"
import { anySignal } from "../lib/anySignal.ts"
import { AppError, callerLeft, unavailable } from "../lib/errors.ts"
import type { Chat } from "./chat.ts"
import { type CountedEvents, eventsOf, eventsOfTurn } from "./events/conversationEvents.ts"
import type { ConversationEvent } from "./events/eventSchemas.ts"
import { type ChatAnswer, callKey, type Keyed, replayed } from "./idempotency.ts"
import { type Claim, openClaim } from "./sessions/claim.ts"
import { type ConversationChange, conclude } from "./sessions/conclude.ts"
import { addVariables, callerOf, engineDepsOf, loadBot } from "./sessions/loadSession.ts"
import type { LoadedSession, SessionStore, StoredSession } from "./sessions/sessionStore.ts"
import { countUnanswered, hasAnswer } from "./sessions/unanswered.ts"

export type TurnRequest = {
  textFormat: TextFormat
  keyed?: Keyed | undefined
  /** Whether the caller has disconnected. Absent: it is still there. */
  hasLeft?: (() => boolean) | undefined
  /** IP address of the caller; absent when it does not count. */
  address?: string | undefined
  /** True: the answer has the outcome for the caller of a tool. */
  isForTool?: true
}

export type TurnToTake<Step extends object> = {
  request: TurnRequest
  store: SessionStore
  /** The message; the same in every repetition of a request. Absent: none. */
  asked: string | undefined
  /** By `performance.now()`. */
  deadline: number
  /** Message of the 409 when other turns come first until the deadline. */
  busy: string
  /** The turn is abandoned when its caller leaves before anything was done outside. Absent: it is not. */
  isDroppable?: true
  /** Loads the stored session, or opens a new one when there is none; may refuse. */
  load(stored: StoredSession | undefined): Promise<LoadedSession>
  begin(deps: EngineDeps, session: Session): Turn
  /** Further changes to the conversation, stored with the finished turn. Absent: none. */
  also?(turn: Turn): ConversationChange | undefined
  respond(turn: Turn, loaded: LoadedSession): Step
}

// Turns of this process wait for each other in its queue, which wakes the next one directly, so that
// one turn per session and process looks whether it is free.
const minWaitMs = 25
const maxWaitMs = 500

/** Another turn came first or is under way: nothing was stored, and the session must be read again. */
type Superseded = { kind: "superseded"; revision: number | undefined }

/** The outcome of one attempt at a turn. */
export type Attempt<Result> = { kind: "done"; result: Result } | Superseded

/** The answer of the turn, or the one that an earlier request with its key got. */
export async function takeTurn<Step extends object>(
  chat: Chat,
  turn: TurnToTake<Step>,
): Promise<ChatAnswer<Step>> {
  const attempts: Attempts = {}
  const outcome = await untilDone(turn.deadline, () => attempt(chat, turn, attempts))
  if (outcome.kind === "superseded") throw new AppError("CHAT_BUSY", turn.busy)
  return outcome.result
}

/**
 * Repeats attempts, less and less often while another process works on the session. Returns the last
 * outcome: that of the attempt that is done, or of the first one after the deadline.
 */
export async function untilDone<Result>(
  deadline: number,
  attempt: () => Promise<Attempt<Result>>,
): Promise<Attempt<Result>> {
  let waitMs = minWaitMs
  let last: Attempt<Result> | undefined
  for (;;) {
    const outcome = await attempt()
    const leftMs = deadline - performance.now()
    if (outcome.kind === "done" || leftMs <= 0) return outcome
    // A session that changes may be free at any moment.
    const isSame = last?.kind === "superseded" && last.revision === outcome.revision
    waitMs = isSame ? Math.min(waitMs * 2, maxWaitMs) : minWaitMs
    last = outcome
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, leftMs)))
  }
}

type Attempts = {
  /** The state from which an attempt called other systems before it lost the session. */
  actedOn?: string | undefined
}

async function attempt<Step extends object>(
  chat: Chat,
  turn: TurnToTake<Step>,
  attempts: Attempts,
): Promise<Attempt<ChatAnswer<Step>>> {
  const { store, request } = turn
  const { keyed } = request
  if (request.hasLeft?.()) throw callerLeft()
  const { session, response, claim: claimed } = await store.find(keyed?.key)
  if (keyed && response) return { kind: "done", result: replayed<Step>(keyed, response) }
  const superseded = { kind: "superseded", revision: session?.revision } as const
  if (claimed === "others") return superseded
  if (session) refuseInterrupted(attempts, session)
  const claiming: Claiming = {
    open() {
      this.claim ??= openClaim(store.claims, session?.revision ?? 0, chat)
      return this.claim
    },
  }
  try {
    if (claimed === "ours" && !(await claiming.open().ensure())) return superseded
    const step = await carryOut(chat, turn, { session, claiming })
    if (step !== "superseded") return { kind: "done", result: { step, isReplayed: false } }
    if (claiming.claim?.isTaken()) attempts.actedOn = session?.state
    return superseded
  } catch (error) {
    await claiming.claim?.release()
    throw error
  } finally {
    claiming.claim?.end()
  }
}

/** Repeated from the same state, calls have the same keys; from another one they would be new calls. */
function refuseInterrupted({ actedOn }: Attempts, { state }: StoredSession): void {
  if (actedOn === undefined || actedOn === state) return
  throw new AppError(
    "MESSAGE_INTERRUPTED",
    "This message was interrupted, and the chat went on with another one meanwhile",
  )
}

async function carryOut<Step extends object>(
  chat: Chat,
  { store, request, asked, deadline, isDroppable, ...turn }: TurnToTake<Step>,
  { session, claiming }: { session: StoredSession | undefined; claiming: Claiming },
): Promise<Step | "superseded"> {
  const { keyed, textFormat } = request
  const hasLeft = isDroppable ? request.hasLeft : undefined
  const loaded = await turn.load(session)
  const adding = addVariables(chat, loaded)
  if (adding) await adding
  const calls: StoredCall[] = []
  const deps = { chat, loaded, textFormat, asked, deadline, hasLeft, claiming, calls }
  const finished = await runTurn(deps, (deps) => turn.begin(deps, loaded.session))
  if (!finished) return "superseded"
  const step = turn.respond(finished, loaded)
  const isTaken = claiming.claim?.isTaken() ?? false
  const change = turn.also?.(finished)
  const concluded = conclude(loaded, finished, { textFormat, change })
  const isPlain = session && !keyed && !isTaken && concluded === undefined
  if (isPlain && isUnchanged(finished, loaded.session)) return step
  const { session: after = finished.session, ...lasting } = concluded ?? {}
  const rows = concluded?.conversation
  const { happened } = change ?? {}
  const counted = countEvents(chat, loaded, { turn: finished, after, rows, happened })
  const stored = {
    loaded,
    turn: finished,
    calls,
    ...lasting,
    state: isOver(finished) && !store.keepsEnded ? "" : writeSession(counted.session),
    events: counted.events,
    revision: claiming.claim?.revision() ?? session?.revision ?? 0,
    keyed: keyed && { ...keyed, body: JSON.stringify(step) },
  }
  if (loaded.unanswered && !hasAnswer(finished)) {
    const bytes = stored.state.length + (stored.keyed?.body.length ?? 0)
    await countUnanswered(chat, loaded, { address: request.address, bytes })
  }
  if (!(await store.save(stored))) return "superseded"
  const { resultId } = loaded.owner
  if (resultId !== undefined && chat.watched.has(resultId)) {
    void chat.notify("session_told", resultId)
  }
  return step
}

/** A turn, the session and rows to store, and events beside its own. */
type Finished = {
  turn: Turn
  after: Session
  rows?: ConversationRows | undefined
  happened?: readonly ConversationEvent[] | undefined
}

/** The webhook events of a turn; none are looked for in workspaces without subscriptions. */
function countEvents(
  { subscriptions }: Pick<Chat, "subscriptions">,
  { session: before, bots, owner }: LoadedSession,
  { turn, after, rows, happened: others = [] }: Finished,
): CountedEvents {
  const { workspaceId, botId } = owner
  const isWanted = workspaceId !== undefined && subscriptions.concern({ workspaceId, botId })
  if (!isWanted || before.isPreview) return { session: after, events: [] }
  const { key } = after.conversation ?? before.conversation ?? {}
  const happened = eventsOfTurn({ before, turn, bots, notices: rows?.notices })
  return eventsOf(subscriptions, { ...owner, key }, after, [...happened, ...others])
}

/** Whether nothing has to be written, as after a reply that was refused. */
function isUnchanged(turn: Turn, before: Session): boolean {
  if (turn.results.length > 0 || isOver(turn)) return false
  return writeSession({ ...turn.session, step: before.step }) === writeSession(before)
}

/** Everything that one turn runs with. */
export type TurnDeps = {
  /** The calls of this turn that were answered, in order: filled in while it runs. */
  calls: StoredCall[]
  chat: Chat
  loaded: LoadedSession
  textFormat: TextFormat
  /** The message; the same in every repetition of a request. Absent: none. */
  asked: string | undefined
  /** When the turn must be over, by `performance.now()`: the time of day may be set. */
  deadline: number
  /** Whether to abandon the turn, as long as nothing was done outside. Absent: it is finished. */
  hasLeft: (() => boolean) | undefined
  claiming: Claiming
}

/** The claim of a turn, which is opened for the first outside effect and ensured before every one. */
type Claiming = { claim?: Claim; open(): Claim }

/**
 * Runs a turn to its end: performs the calls of the engine and resumes it. Undefined: another turn has the
 * session, and nothing more is done outside.
 */
export async function runTurn(
  deps: TurnDeps,
  begin: (deps: EngineDeps) => Turn,
): Promise<Turn | undefined> {
  const { chat, loaded, claiming } = deps
  const { effects } = chat
  let turn = runShort(deps, 0, begin) ?? (await runLong(deps, begin))
  if (!turn.call) return finished(chat, turn)
  const timeout = timeoutAt(deps.deadline)
  let isActing = false
  for (let calls = 0; turn.call; calls++) {
    if (!isActing && deps.hasLeft?.()) throw callerLeft()
    if (effects.isOutside(turn.call)) {
      if (!(await claiming.open().ensure())) return undefined
      isActing = true
    }
    const startedAt = performance.now()
    const { outcome, use, tools } = await perform(deps, turn, calls, timeout)
    if (!inside.has(turn.call.kind)) {
      const { kind } = turn.call
      const tool = turn.call.kind === "mcpTool" ? turn.call.tool : undefined
      const ms = performance.now() - startedAt
      const blockId = blockOf(turn)
      noteCall(deps, turn, storedCall({ blockId, kind, outcome, ms, use, tool }))
      for (const each of tools) noteCall(deps, turn, storedToolCall(blockId, each))
    }
    if (claiming.claim?.lost.aborted) return undefined
    if ("version" in outcome) {
      await loadBot(chat, loaded, outcome.version)
      await addVariables(chat, loaded)
    }
    const asked = turn
    const goOn = (engine: EngineDeps) => resume(engine, asked, outcome)
    turn = runShort(deps, asked.continuation.spent, goOn) ?? (await runLong(deps, goOn))
  }
  return finished(chat, turn)
}

function finished({ measure }: Chat, turn: Turn): Turn {
  if (measure) measure.turn = turn
  return turn
}

/** One for all calls of a turn: a flow may run dozens of short scripts. */
function timeoutAt(deadline: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())))
}

/** What the service asks itself says nothing about the world. */
const inside: ReadonlySet<CallKind> = new Set(["bot", "history", "inboundCall"])

function noteCall({ calls, chat, loaded }: TurnDeps, turn: Turn, call: StoredCall): void {
  calls.push(call)
  // Authors look for requests: code that reads a part of an answer would be listed as a second one.
  if (turn.call?.kind === "script" && !chat.effects.isOutside(turn.call)) return
  // Of the current block.
  loaded.tracing?.calls.push({ place: (turn.trail?.length ?? 0) - 1, call })
}

const blockOf = ({ visits }: Turn) => visits.at(-1)?.[1] ?? ""

/** Ten times what ordinary runs spend: some two milliseconds. */
const shortUnits = 20_000

/**
 * Runs the engine when it needs little; undefined: it needs more. Nothing has happened then, because the
 * engine is pure. `spent`: what the turn has spent before.
 */
function runShort(deps: TurnDeps, spent: number, work: (engine: EngineDeps) => Turn) {
  const engine = engineDepsOf(deps.chat, deps.loaded, deps.textFormat, spent + shortUnits)
  try {
    return measured(deps.chat, () => work(engine))
  } catch (error) {
    if (isTooExpensive(error)) return undefined
    throw error
  }
}

/** Runs the engine with the whole budget, which holds the event loop: in the turn of the owner. */
async function runLong(deps: TurnDeps, work: (engine: EngineDeps) => Turn): Promise<Turn> {
  const { chat, loaded, claiming } = deps
  const engine = engineDepsOf(chat, loaded, deps.textFormat)
  const turn = await chat.longRuns.run(loaded.owner.party, () => {
    if (!claiming.claim && deps.hasLeft?.()) throw callerLeft()
    try {
      return measured(chat, () => work(engine))
    } catch (error) {
      if (isTooExpensive(error)) {
        // The author has to learn which of the bots it is; the caller can do nothing about it.
        const { workspaceId, botId, resultId } = loaded.owner
        chat.log.warn({ workspaceId, botId, resultId }, error.message)
      }
      throw error
    }
  })
  if (turn) return turn
  throw unavailable("Too many flows that compute for long are waiting", 1)
}

function isTooExpensive(error: unknown): error is AppError {
  return error instanceof AppError && error.reason === "FLOW_TOO_EXPENSIVE"
}

function measured({ measure }: Chat, work: () => Turn): Turn {
  const startedAt = performance.now()
  try {
    return work()
  } finally {
    if (measure) measure.engineMs += performance.now() - startedAt
  }
}

async function perform(
  { chat, loaded, deadline, claiming, asked }: TurnDeps,
  turn: Turn,
  calls: number,
  timeout: AbortSignal,
): Promise<{ outcome: Outcome; use?: ModelUse | undefined; tools: ToolUse[] }> {
  if (!turn.call || performance.now() >= deadline) {
    throw new AppError("TIMEOUT", "The flow took longer than a turn may take")
  }
  const { sessionId } = loaded.owner
  const { step } = turn.session
  const lost = claiming.claim?.lost
  let use: ModelUse | undefined
  const tools: ToolUse[] = []
  const outcome = await chat.effects.perform(turn.call, {
    ...callerOf(loaded, turn.session),
    turnKey: callKey([sessionId, step, asked]),
    idempotencyKey: callKey([sessionId, step, calls, asked]),
    signal: lost ? anySignal([timeout, lost]) : timeout,
    noteUse: (used) => {
      use = used
    },
    noteTool: (used) => void tools.push(used),
  })
  return { outcome, use, tools }
}
