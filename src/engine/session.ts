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

/** The start of a queued path: an edge of the flow, or a place without one. */
export type Target =
  | { edge: string }
  | {
      groupId: string
      blockId?: string | undefined
      /** True: the chat waited there before it was interrupted. */
      isAgain?: true
      /** The mark of the interrupted flow, restored on arrival. */
      mark?: ReturnMark | undefined
      /** Run-time options of the interrupted input. */
      runtimeOptions?: object | undefined
    }

/** Row counts of a result, for numbering new rows. */
type Counts = { answers: number; steps: number }

/** The state of one bot of the queue. */
export type RunningBot = {
  /** Id of its version. */
  version: string
  /** Absent in previews. */
  resultId?: string | undefined
  counts: Counts
  /** Values, the last changed one last. Former releases marked none as visitor input. */
  values: StoredValue[]
  /** Variables that a merged child brought along. */
  adopted?: Variable[]
  /** Variables that became session variables while running. */
  hidden?: string[]
  /** Key and content; one per key, in order of the last answer. */
  answers: [string, string][]
  /** Places to continue at in this bot after a path ends, the nearest first. */
  queued: Target[]
  /** Where the parent continues once this bot ends; absent: nowhere. */
  resumesAt?: Target | undefined
  /** True: variables and answers flow back into the parent. */
  isMerging?: boolean
  /** The flow differs from the one the result began with, so its marks name its version. */
  marking?: "versioned"
}

/** The target of `Return`, and the reply processed on arrival. */
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
  /** Run-time options of the interrupted input. */
  runtimeOptions?: object | undefined
}

export type Session = {
  format: 1
  isPreview: boolean
  isStreamEnabled: boolean
  /** The language of built-in texts; absent: English. */
  language?: Language | undefined
  /** True only in previews by strangers: no calls to the outside world. */
  isRestricted?: boolean
  /** Current bot first; the last one is the bot that was started. */
  queue: RunningBot[]
  /** True: an earlier chat has begun the result. */
  isLater?: true
  /** The waiting block; absent: the flow has not started, or is over. */
  at?: string | undefined
  mark?: ReturnMark | undefined
  /** Calls so far. */
  step: number
  /** Answers given, for progress; absent when no progress is shown. */
  progress?: number | undefined
  /** Run-time options of the waiting input, for example a payment intent. */
  runtimeOptions?: object | undefined
  /** The conversation so far; only in previews of bots that make transcripts. */
  lines?: SpokenLine[] | undefined
  /** Kept for the shell. */
  conversation?: Conversation | undefined
  /** Kept for the shell: the number of the last event sent to the outside; absent: none. */
  events?: number | undefined
  /** Kept for the shell: the last question to the client; only in previews that can go back. */
  asked?: Asked | undefined
  /** Variables set before the start; they count as changes of the first block. */
  prefilled?: string[] | undefined
}

/** A turn's question to the client, if any, and its further content. */
export type Asked = {
  input?: ChatInput | undefined
  dynamicTheme?: DynamicTheme | undefined
  progress?: number | undefined
}

/** The shell's state of a conversation: key, timers, takeover by a person. */
export type Conversation = {
  /** The caller's own key. */
  key?: string | undefined
  /** When a person took over; absent: none has. */
  pausedAt?: number | undefined
  /** When the bot goes on by itself; absent: once a person resumes it. */
  resumesAt?: number | undefined
  /** Id of the user in charge; absent: none. */
  assigneeId?: string | undefined
  /** Id of the last event or message beside the flow; later ones are greater. Absent: none. */
  lastId?: string | undefined
  /** Characters of the messages that were kept while it was paused; absent: none were. */
  keptLength?: number | undefined
  /** Start of the silence, and the thresholds it has passed; absent: none since the last turn. */
  silence?: { since: number; fired: number } | undefined
  /** True: it has its own lifetime and may wait long for a reply; a purge looks for it. */
  isLasting?: boolean | undefined
  /** The text format of its last caller; absent: rich text. */
  textFormat?: "markdown" | undefined
  /** What the person has said and the flow has not heard yet; absent: nothing. */
  burst?: Burst | undefined
}

/** Messages that are joined into one turn. */
export type Burst = {
  id: string
  /** When it is answered, in milliseconds since 1970. */
  until: number
  texts: string[]
  /** Of the first one: whether it is the reply to the first question of a chat that it starts. */
  startsWithMessage?: boolean | undefined
}

/** Options of a new chat. */
export type SessionOptions = {
  bot: Bot
  isPreview: boolean
  isStreamEnabled: boolean
  isRestricted?: boolean
  /** The language of the client's own texts, a BCP 47 tag. */
  language?: string | undefined
  /** Absent: as in the theme. */
  isProgressShown?: boolean | undefined
  resultId?: string | undefined
  /** A result to continue: its variables by name, its answers, and its row counts. */
  remembered?: {
    variables: readonly KeptVariable[]
    answers: readonly { blockId: string; content: string }[]
    counts: Counts
    /** The version that began the result; absent: the bot's. */
    version?: string
  }
  /** Values by variable name; unknown names are ignored. */
  prefilled?: Record<string, unknown> | undefined
}

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

/** The language of a bot, else of its client; undefined: neither has built-in texts. */
export function languageOf({ flow }: Bot, asked: string | undefined): Language | undefined {
  const own = flow.settings.general?.language
  return own === undefined && asked === undefined ? undefined : languageFor([own, asked])
}

/** A variable's own default overrides the remembered value of its name. */
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
 * The name of an answer: its variable, else the group's title, numbered from the second input of the group
 * on.
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

/** The number of inputs before each block of a group. Memoized: returning visitors have many answers. */
const inputsBefore = memoize((group: Group): readonly number[] => {
  let inputs = 0
  return group.blocks.map((block) => (typeOf(block).kind === "input" ? inputs++ : inputs))
})

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
  /** The session's step, which distinguishes this wait from later ones at the same block. */
  step: number
}

/** The wait of a session whose bots are loaded; undefined: not for another system's call. */
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

/** A copy of all parts that a run mutates; values and answers are replaced, never mutated. */
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

/** The state to store. 413 when it exceeds the limit. */
export function writeSession(session: Session): string {
  const state = JSON.stringify(session)
  if (state.length <= maxStateLength) return state
  throw new AppError(
    "CHAT_TOO_LARGE",
    `A chat may hold ${maxStateLength} characters of variables and answers`,
    { data: { limit: maxStateLength, unit: "characters" } },
  )
}
