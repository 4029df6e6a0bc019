/** A chat between two calls: plain JSON, read and written whole. */
import { AppError } from "../lib/errors.ts"
import { firstBy } from "../lib/groupBy.ts"
import { type Language, languageFor } from "../lib/languages.ts"
import { memoize } from "../lib/memoize.ts"
import { answerVariable, typeOf } from "./blocks/registry.ts"
import { type Bot, blockAt, type Group, type Position } from "./bot.ts"
import { maxStateLength, unmetered } from "./budget/fuel.ts"
import type { ChatInput } from "./chatInput.ts"
import type { DynamicTheme } from "./payload.ts"
import type { KeptVariable } from "./records.ts"
import type { Message } from "./schema/message.ts"
import type { Variable } from "./schema/variable.ts"
import type { SpokenLine } from "./shown.ts"
import type { Variables } from "./variables/interpolate.ts"
import { createVariables, initialValues, type StoredValue } from "./variables/variables.ts"

/** Where a queued path leads: an edge of the flow, or a place without one. */
export type Target =
  | { edge: string }
  | {
      groupId: string
      blockId?: string | undefined
      /** True: the chat waited there before it was interrupted. */
      isAgain?: true
      /** The mark of the flow that was interrupted, which counts again from there on. */
      mark?: ReturnMark | undefined
      /** What was sent along with the interrupted input. */
      runtimeOptions?: object | undefined
    }

/** How many rows a result has, so that the next ones get new numbers. */
type Counts = { answers: number; steps: number }

/** One bot of the queue: what is its own while it runs. */
export type RunningBot = {
  /** Id of its version. */
  version: string
  /** Absent in previews. */
  resultId?: string | undefined
  counts: Counts
  /** Values, the last changed one last. Former releases marked none as what a visitor said. */
  values: StoredValue[]
  /** Variables that a merged child brought along. */
  adopted?: Variable[]
  /** Variables that became session variables while running. */
  hidden?: string[]
  /** Key and content; one per key, in order of the last answer. */
  answers: [string, string][]
  /** Where to continue in this bot when a path has ended, the nearest first. */
  queued: Target[]
  /** Where the parent continues when this bot has nowhere to go; absent: nowhere. */
  resumesAt?: Target | undefined
  /** True: variables and answers flow back into the parent. */
  isMerging?: boolean
  /** The flow is not the one the result began with, so its marks name its version. */
  marking?: "versioned"
}

/** Where `Return` leads, and the reply that is processed on arrival. */
export type ReturnMark = {
  blockId: string
  /** Version of the bot that the block belongs to. */
  version: string
  /** True: a reply waits to be processed there; it may be an empty one. */
  isReply?: boolean
  reply?: Message | undefined
  /** True: the chat waits there, and an event has interrupted it. */
  isAgain?: true
  /** True: `Return` was reached, the reply is processed on arrival. */
  isCalled?: boolean
  /** What was sent along with the interrupted input. */
  runtimeOptions?: object | undefined
}

export type Session = {
  format: 1
  isPreview: boolean
  isStreamEnabled: boolean
  /** The language of built-in texts; absent: English, as nobody has asked for any other. */
  language?: Language | undefined
  /** True only in previews by strangers: nothing leaves the service. */
  isRestricted?: boolean
  /** Current bot first; the last one is the bot that was started. */
  queue: RunningBot[]
  /** True: an earlier chat has begun the result. */
  isLater?: true
  /** Block that waits for a reply; absent: the flow has not started, or is over. */
  at?: string | undefined
  mark?: ReturnMark | undefined
  /** Calls so far. */
  step: number
  /** Answers given, for progress; absent when no progress is shown. */
  progress?: number | undefined
  /** What was last sent along with the waiting input, for example a payment intent. */
  runtimeOptions?: object | undefined
  /** What was said so far; only in previews of bots that make transcripts. */
  lines?: SpokenLine[] | undefined
  /** Kept for the shell. */
  conversation?: Conversation | undefined
  /** Kept for the shell: the number of the last event sent to the outside; absent: none. */
  events?: number | undefined
  /** Kept for the shell: what the client was asked last; only in previews that can go back. */
  asked?: Asked | undefined
  /** Variables set before the start; they count as changes of the first block. */
  prefilled?: string[] | undefined
}

/** What a turn asked its client, if it asked anything, and what came with it. */
export type Asked = {
  input?: ChatInput | undefined
  dynamicTheme?: DynamicTheme | undefined
  progress?: number | undefined
}

/** What the shell keeps of a conversation: its key, its timers, whether a person took over. */
export type Conversation = {
  /** The caller's own key. */
  key?: string | undefined
  /** When a person took over; absent: nobody has. */
  pausedAt?: number | undefined
  /** When the silence began, and how many thresholds it has passed; absent: none since the last turn. */
  silence?: { since: number; fired: number } | undefined
  /** True: it has a lifetime of its own and need not be answered soon; a purge looks for it. */
  isLasting?: boolean | undefined
  /** The text format of its last caller; absent: rich text. */
  textFormat?: "markdown" | undefined
}

/** What a chat begins with. */
export type SessionOptions = {
  bot: Bot
  isPreview: boolean
  isStreamEnabled: boolean
  isRestricted?: boolean
  /** What the client shows its own texts in, a BCP 47 tag. */
  language?: string | undefined
  /** Absent: as the theme says. */
  isProgressShown?: boolean | undefined
  resultId?: string | undefined
  /** A result that is continued: its variables by name, its answers, and how many rows it has. */
  remembered?: {
    variables: readonly KeptVariable[]
    answers: readonly { blockId: string; content: string }[]
    counts: Counts
    /** The version that the result was begun with; absent: the bot's. */
    version?: string
  }
  /** Values by variable name; unknown names are ignored. */
  prefilled?: Record<string, unknown> | undefined
}

/** Creates the session of a new chat. */
export function createSession(opening: SessionOptions): Session {
  const { bot, isPreview, remembered, prefilled } = opening
  const store = createVariables(bot.flow.variables, openingValues(opening), unmetered())
  const given = Object.entries(prefilled ?? {}).flatMap(([name, value]) => {
    const variable = store.named(name)
    return variable ? [{ variableId: variable.id, value, isPlain: true }] : []
  })
  const stored = store.set(given)
  const { isProgressShown = bot.flow.theme.general?.progressBar?.isEnabled } = opening
  const language = languageOf(bot, opening.language)
  const isOther = remembered?.version !== undefined && remembered.version !== bot.version
  return {
    format: 1,
    isPreview,
    isStreamEnabled: opening.isStreamEnabled,
    ...(language ? { language } : {}),
    ...(opening.isRestricted ? { isRestricted: true } : {}),
    queue: [
      {
        version: bot.version,
        resultId: opening.resultId,
        counts: remembered?.counts ?? { answers: 0, steps: 0 },
        values: store.entries(),
        answers: rememberedAnswers(opening),
        queued: [],
        ...(isOther ? { marking: "versioned" } : {}),
      },
    ],
    ...(remembered ? { isLater: true } : {}),
    step: 0,
    ...(isProgressShown ? { progress: 0 } : {}),
    ...(isPreview && bot.makesTranscripts ? { lines: [] } : {}),
    ...(stored.length > 0 ? { prefilled: stored.map(({ variableId }) => variableId) } : {}),
  }
}

/** The language of a bot, else that of its client; undefined: neither says one that there are texts in. */
export function languageOf({ flow }: Bot, asked: string | undefined): Language | undefined {
  const own = flow.settings.general?.language
  return own === undefined && asked === undefined ? undefined : languageFor([own, asked])
}

/** A variable's own default beats the value that a remembered result has under its name. */
function openingValues({ bot, remembered }: SessionOptions): StoredValue[] {
  const earlier = firstBy(remembered?.variables ?? [], ({ name }) => name)
  const own = new Map(initialValues(bot.flow.variables))
  return bot.flow.variables.flatMap(({ id, name }): StoredValue[] => {
    const initial = own.get(id)
    if (initial) return [[id, initial]]
    const { value = null, isPlain } = earlier.get(name) ?? {}
    if (value === null) return []
    return [isPlain ? [id, value, 1] : [id, value]]
  })
}

function rememberedAnswers({ bot, remembered }: SessionOptions): [string, string][] {
  const names = createVariables(bot.flow.variables, [], unmetered())
  const answers = new Map<string, string>()
  for (const { blockId, content } of remembered?.answers ?? []) {
    const position = bot.positions.get(blockId)
    const key = position ? answerKey(position, names) : "unknown"
    answers.delete(key)
    answers.set(key, content)
  }
  return [...answers]
}

/**
 * The name under which an answer is known: its variable, else the group's title, numbered from the
 * second input of the group on.
 */
export function answerKey(here: Position, variables: Variables): string {
  const { group, index } = here
  const block = group.blocks[index]
  const isInput = block !== undefined && typeOf(block).kind === "input"
  const variable = isInput ? variables.definition(answerVariable(block)) : undefined
  if (variable) return variable.name
  const earlier = inputsBefore(group)[index] ?? 0
  const title = group.title || block?.id || "unknown"
  return earlier > 0 ? `${title} (${earlier})` : title
}

/** How many inputs come before each block of a group. Counted once, as visitors return with many answers. */
const inputsBefore = memoize((group: Group): readonly number[] => {
  let inputs = 0
  return group.blocks.map((block) => (typeOf(block).kind === "input" ? inputs++ : inputs))
})

/** The current bot of a session. */
export function currentOf(session: Session): RunningBot {
  const running = session.queue[0]
  if (!running) throw new Error("A session without a bot")
  return running
}

/** Whether a person has taken over. */
export function isPaused({ conversation }: Pick<Session, "conversation">): boolean {
  return conversation?.pausedAt !== undefined
}

/** Whether the flow has come to its end. A chat that was only registered has not begun. */
export function hasEnded({ at, step }: Session): boolean {
  return at === undefined && step > 0
}

/** The wait of a session for the call of another system. */
type InboundWait = {
  botId: string
  blockId: string
  /** The session's step, which names this wait among later ones at the same block. */
  step: number
}

/** What a session whose bots are loaded waits for; undefined when it is no call of another system. */
export function inboundWaitOf(
  session: Session,
  bots: { get(version: string): Bot | undefined },
): InboundWait | undefined {
  const bot = bots.get(currentOf(session).version)
  const block = blockAt(bot?.positions.get(session.at ?? ""))
  const type = block && typeOf(block)
  if (!bot || !block || type?.kind !== "action" || !type.isCallable) return undefined
  return { botId: bot.id, blockId: block.id, step: session.step }
}

/** A copy of everything a run writes to; values and answers are replaced, never modified. */
export function copySession(session: Session): Session {
  return {
    ...session,
    queue: session.queue.map((running) => {
      return { ...running, counts: { ...running.counts }, queued: [...running.queued] }
    }),
    ...(session.lines ? { lines: [...session.lines] } : {}),
  }
}

/** Reads a stored state of any past format. */
export function readSession(state: string): Session {
  const session: Session = JSON.parse(state)
  if (session.format !== 1) throw new Error(`Unknown session format ${String(session.format)}`)
  return session
}

/** The state to store. 413 when it has grown beyond what is stored. */
export function writeSession(session: Session): string {
  const state = JSON.stringify(session)
  if (state.length <= maxStateLength) return state
  throw new AppError(
    "CHAT_TOO_LARGE",
    `A chat may hold ${maxStateLength} characters of variables and answers`,
  )
}
