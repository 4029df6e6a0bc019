/** The working state of one call of the engine: opened from plain JSON, closed into plain JSON. */
import type { BlockContext, World } from "../blocks/block.ts"
import type { Bot, Flow } from "../bot.ts"
import { createFuel, type Fuel, type Limits } from "../budget/fuel.ts"
import type { Call } from "../calls.ts"
import type { ChatInput } from "../chatInput.ts"
import type { ChatMessage, ClientAction, DynamicTheme, TextFormat } from "../payload.ts"
import { type Answer, copyRecord, type ResultRecord } from "../records.ts"
import type { Log } from "../schema/log.ts"
import type { Message } from "../schema/message.ts"
import { copySession, currentOf, type RunningBot, type Session } from "../session.ts"
import type { SpokenLine } from "../shown.ts"
import { createVariables, type VariableStore } from "../variables/variables.ts"
import type { WorkspaceVariables } from "../variables/workspaceVariables.ts"

/** Dependencies of the engine: clock, dice, ids, the loaded bots, and the limits of one call. */
export type EngineDeps = {
  world: World & {
    /** A fresh UUIDv7. */
    newResultId(): string
  }
  /** Prepared versions by id; the shell loads those on the session's queue. */
  bots: { get(version: string): Bot | undefined }
  limits: Limits
  /** Format of texts in this call; absent: rich text. */
  textFormat?: TextFormat | undefined
  /** Host name of the service's own public address, under which uploads live; absent: none. */
  ownHost?: string | undefined
  /** Variables of the workspace; absent: none. */
  workspace?: WorkspaceVariables | undefined
  /** Monotonic milliseconds, for a traced turn; absent: not traced. */
  stopwatch?: (() => number) | undefined
}

/** The phase of a block that made a call. */
export type Phase =
  /** Inline code requested before the visit, which then starts over. */
  | "visit"
  /** Called by the block while it ran or was shown. */
  | "visited"
  /** Transcript requested; the visit then starts over. */
  | "recall"
  /** Inline code requested to judge a reply. */
  | "reply"
  /** Called by the block to judge a reply. */
  | "replied"
  /** Inline code requested to process a client's report. */
  | "receive"
  /** Inline code of the theme requested; all else is done. */
  | "settle"

/**
 * The first inputs that the opening message answers, besides an open one before which nothing was shown.
 * `ifAccepted`: any that accepts it; `always`: any, which may refuse it; `never`: none at all.
 */
export type OpeningRule = "ifAccepted" | "always" | "never"

/** The state from which a turn continues once its call is answered. */
export type Continuation = {
  /** Units of work used so far. */
  spent: number
  /** Characters of JSON printed so far. */
  printed: number
  /** Last bubble shown in this call. */
  lastBubbleId?: string | undefined
  /** Message of the start, as long as it may still answer the first input. */
  opening?: Message | undefined
  openingRule?: OpeningRule | undefined
  /** True: the message is dropped if the question, not yet displayed, refuses it. */
  isTentative?: boolean | undefined
  isNextBubbleSkipped?: boolean | undefined
  phase?: Phase | undefined
  blockId?: string | undefined
  /** The message that is being processed. */
  message?: Message | undefined
  /** The reply to an input in this call, before an event changed it. */
  said?: string | undefined
  /** True: it is processed on return from a reply event, which does not fire again. */
  isReturned?: boolean | undefined
  /** Inline code of the block at hand, by source. */
  inline?: Record<string, { value?: unknown } | null> | undefined
  /** A block's own data, returned to it with the outcome of its call. */
  carry?: unknown
  /** The transcript of earlier calls; absent: not requested. */
  past?: SpokenLine[] | undefined
}

/** Theme and settings as the client of a new chat gets them. */
export type ClientAppearance = {
  theme: Flow["theme"]
  settings: Pick<Flow["settings"], "general" | "typingEmulation" | "metadata">
}

/** One executed block: its type, its id, and the millisecond in which it began. */
type Visit = [type: string, blockId: string, at: number]

/** A block on the trail of a traced turn: visited, or receiver of the message. */
export type TrailBlock = {
  blockId: string
  /** Version of the bot that it belongs to. */
  version: string
  /** Time of the visit, by the stopwatch. */
  at: number
  /** Index of the visit; absent: it only received the message. */
  visit?: number
  /** The edge along which the chat left it; absent: none. */
  edgeId?: string
  /** The answer that it accepted. */
  answer?: Answer
  /** Failure of its sandboxed code; "": succeeded. Absent: it ran none. */
  failure?: string
}

/** The outcome of one call. Plain JSON. */
export type Turn = {
  session: Session
  messages: ChatMessage[]
  input?: ChatInput | undefined
  actions: ClientAction[]
  /** True: blocks were walked, so actions and logs are listed even when empty. */
  hasWalked: boolean
  logs: Log[]
  /** The saved form of the reply, when it differs from the sent one. */
  newFormat?: string | undefined
  results: ResultRecord[]
  /** Only of a start. */
  appearance?: ClientAppearance | undefined
  dynamicTheme?: DynamicTheme | undefined
  /** 0 to 100; absent when no progress is shown. */
  progress?: number | undefined
  /** True: the chat waits for the client to report, or for a page that it shows. */
  isWaiting: boolean
  /** True: an opening message that no input took, or a reply to another question. */
  isUnheard: boolean
  /** The executed blocks, in order, for counting and timing. */
  visits: Visit[]
  /** The blocks that a traced turn passed; absent: not traced. */
  trail?: TrailBlock[] | undefined
  /** Variables that blocks have set and whose values are not recorded: `[blockId, variableId]`. */
  unnoted: [blockId: string, variableId: string][]
  /** Pending call; `resume` continues the turn. */
  call?: Call | undefined
  continuation: Continuation
}

/** A turn in progress; it owns everything in it. */
export type Run = Turn & {
  deps: EngineDeps
  stores: Map<RunningBot, VariableStore>
  fuel: Fuel
  /** Rebuilt when another bot becomes the current one. */
  context?: LiveBlockContext | undefined
}

/** A context whose changing parts are refreshed on each access. */
export type LiveBlockContext = BlockContext & { carry: unknown; runtimeOptions: object | undefined }

/** Makes optional members required: an object that omits one does not compile. */
export type Complete<T> = { [Member in keyof Required<T>]: T[Member] }

/** Opens a copy of a session for a new call. */
export function openRun(deps: EngineDeps, session: Session): Run {
  const copy = copySession(session)
  copy.step += 1
  // All members exist from the start: V8 is fastest with objects of a stable shape.
  return {
    session: copy,
    messages: [],
    input: undefined,
    actions: [],
    hasWalked: false,
    logs: [],
    newFormat: undefined,
    results: [],
    appearance: undefined,
    dynamicTheme: undefined,
    progress: undefined,
    isWaiting: false,
    isUnheard: false,
    visits: [],
    trail: deps.stopwatch && [],
    unnoted: [],
    call: undefined,
    continuation: {
      spent: 0,
      printed: 0,
      lastBubbleId: undefined,
      opening: undefined,
      openingRule: undefined,
      isTentative: undefined,
      isNextBubbleSkipped: undefined,
      phase: undefined,
      blockId: undefined,
      message: undefined,
      said: undefined,
      isReturned: undefined,
      inline: undefined,
      carry: undefined,
      past: undefined,
    } satisfies Complete<Continuation>,
    deps,
    stores: new Map(),
    fuel: createFuel(deps.limits.fuel),
    context: undefined,
  } satisfies Complete<Run>
}

/** Reopens a turn after its call, on copies of everything that a run mutates. */
export function reopenRun(deps: EngineDeps, turn: Turn): Run {
  return {
    ...turn,
    session: copySession(turn.session),
    messages: [...turn.messages],
    actions: [...turn.actions],
    logs: [...turn.logs],
    results: turn.results.map(copyRecord),
    appearance: turn.appearance && { ...turn.appearance },
    visits: [...turn.visits],
    trail: turn.trail?.map((block) => ({ ...block })),
    unnoted: [...turn.unnoted],
    continuation: { ...turn.continuation },
    deps,
    stores: new Map(),
    fuel: createFuel(deps.limits.fuel - turn.continuation.spent),
    context: undefined,
  }
}

/** The turn as plain JSON, the variables written back into the session. */
export function closeRun(run: Run): Turn {
  for (const [running, store] of run.stores) running.values = store.entries()
  run.continuation.spent = run.deps.limits.fuel - run.fuel.left
  return {
    session: run.session,
    messages: run.messages,
    input: run.input,
    actions: run.actions,
    hasWalked: run.hasWalked,
    logs: run.logs,
    newFormat: run.newFormat,
    results: run.results,
    appearance: run.appearance,
    dynamicTheme: run.dynamicTheme,
    progress: run.progress,
    isWaiting: run.isWaiting,
    isUnheard: run.isUnheard,
    visits: run.visits,
    trail: run.trail,
    unnoted: run.unnoted,
    call: run.call,
    continuation: run.continuation,
  } satisfies Complete<Turn>
}

/** The bot that runs now. */
export function botOf(run: Run): Bot {
  return loadedBot(run, currentOf(run.session))
}

/** The version that an entry of the queue runs. */
export function loadedBot(run: Run, running: RunningBot): Bot {
  const bot = run.deps.bots.get(running.version)
  if (!bot) throw new Error(`Version ${running.version} is not loaded`)
  return bot
}

/** The bot that was started; its theme and settings hold for the whole chat. */
export function rootBotOf(run: Run): Bot {
  const root = run.session.queue.at(-1)
  if (!root) throw new Error("A session without a bot")
  return loadedBot(run, root)
}

/** The author's words for invalid replies, from the running bot, else from the started one. */
export function systemMessagesOf(run: Run): { invalidMessage?: string | undefined } {
  const own = botOf(run).flow.settings.general?.systemMessages
  return own?.invalidMessage ? own : (rootBotOf(run).flow.settings.general?.systemMessages ?? none)
}

const none = {}

/** The variables of an entry of the queue, by default of the current bot. */
export function storeOf(run: Run, running: RunningBot = currentOf(run.session)): VariableStore {
  let store = run.stores.get(running)
  if (!store) {
    const own = loadedBot(run, running).flow.variables
    const definitions = running.adopted ? [...own, ...running.adopted] : own
    store = createVariables(definitions, running.values, run.fuel, run.deps.workspace)
    run.stores.set(running, store)
  }
  return store
}
