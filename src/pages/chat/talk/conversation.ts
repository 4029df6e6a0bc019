/** Runs one conversation: starts it, sends answers, shows steps, and remembers it. */
import { languageFor } from "../../../lib/languages.ts"
import { loadOnDemand } from "../loadOnDemand.ts"
import type { ChatInput, ChatStep, Message, StartedChat } from "../payload.ts"
import { english } from "../texts/english.ts"
import { createConnection, newKey, Refusal } from "./connection.ts"
import { type Open, openMemory, type Pending } from "./memory.ts"
import { pause } from "./pause.ts"
import { play } from "./play.ts"
import { showRefusal } from "./showRefusal.ts"
import { openTabs } from "./tabs.ts"
import { deleteDraft, expire, type Heard, keep, sessionPath, type Talk } from "./talk.ts"
import { addToTeam, hearTeam, sendToTeam, unsentToTeam } from "./team.ts"
import { translate } from "./translate.ts"
import { type AnswerEntry, createStore, emptyView, type OfTeam } from "./view.ts"

/** An answer of the person: the sent text, and the displayed one. */
export type Reply = { message?: Message; shown?: string } & Partial<
  Pick<AnswerEntry, "urls" | "names" | "picture" | "staysAsGiven">
>

export type ConversationOptions = Pick<Talk, "languages" | "onTexts" | "page" | "emit"> & {
  /** Origin of the service, without a slash at the end. */
  host: string
  /** Public id of the bot. */
  bot: string
  /** Names the person, whose conversation is remembered apart from others; absent: one for this browser. */
  rememberKey?: string | undefined
  /** Returns variable values by name; called at every start. */
  prefilled(): Record<string, unknown>
}

export type Conversation = ReturnType<typeof openConversation>

/** Opens a conversation; nothing is requested before `start`. */
export function openConversation(options: ConversationOptions) {
  const { host, bot, rememberKey, ...given } = options
  const store = createStore({ ...emptyView, texts: english })
  const onTrouble = (isCutOff: boolean) => {
    if (store.read().isCutOff !== isCutOff) store.change({ isCutOff })
  }
  const closing = new AbortController()
  const connection = createConnection({ host, closing: closing.signal, onTrouble })
  const memory = openMemory(host, bot, rememberKey)
  const tabs = openTabs((open) => adopt(talk, open))
  const talk: Talk = {
    ...{ ...given, bot, store, connection, memory, closing, tabs },
    interruption: new AbortController(),
    lastKey: 0,
    busy: 0,
  }
  return {
    store,
    talk,
    start: () => run(talk, () => resume(talk)),
    /** Takes the answer to the current input; others are ignored until the next question. */
    answer: (reply: Reply) => answer(talk, reply),
    /** Takes the report of an embedded page. */
    report: (text: string | undefined) =>
      sendMessage(talk, text === undefined ? undefined : { type: "text", text }),
    command: (name: string) => {
      talk.interruption.abort()
      run(talk, () => command(talk, name))
    },
    /** Starts again, with the same result if the bot remembers people. */
    restart: () => run(talk, () => startChat(talk, talk.resultId)),
    /** Forgets the person, and starts again with another result. */
    reset: () => {
      talk.interruption.abort()
      run(talk, () => startAfresh(talk))
    },
    /** Starts again with other prefilled variables, unless the chat has an answer. */
    prefill: () => run(talk, () => prefill(talk)),
    retryNow: connection.retryNow,
    close: () => {
      closing.abort()
      tabs.close()
    },
  }
}

/** Queues a task; tasks run one after the other, and refusals are shown on the page. */
function run(talk: Talk, work: () => Promise<void>): void {
  const turn = async () => {
    try {
      if (!talk.closing.signal.aborted) await work()
    } catch (error) {
      if (!talk.closing.signal.aborted) refused(talk, error)
    } finally {
      talk.busy -= 1
      const { heard, store } = talk
      if (heard && heard.entries.length >= store.read().entries.length) adopt(talk, heard)
    }
  }
  talk.busy += 1
  talk.turn = (talk.turn ?? Promise.resolve()).then(turn)
}

function refused(talk: Talk, error: unknown): void {
  if (error instanceof Refusal && error.reason === "CHAT_PAUSED") waitForBot(talk)
  else showRefusal(talk, error)
}

/** Continues where the person left off, or starts. */
async function resume(talk: Talk): Promise<void> {
  const { open, resultId, isPaid, draft } = talk.memory.read()
  if (!open) return await startChat(talk, resultId)
  // As `prefill` does with a chat that is open. Parameters added by a payment provider do not mean another
  // person.
  const isAnswered = open.entries.some(({ kind }) => kind === "answer") || open.pending
  const given = JSON.stringify(talk.prefilled())
  const isOther = given !== "{}" && given !== open.startedWith
  if (!isAnswered && isOther && isPaid === undefined) return await startChat(talk, resultId)
  talk.startedWith = open.startedWith ?? "{}"
  const { input, awaited, pending, isPaused = false } = open
  talk.sessionId = open.sessionId
  talk.resultId = resultId
  talk.draft = draft
  talk.store.change({ bot: open.bot })
  await translate(talk)
  show(talk, open)
  listenTo(talk)
  sendTo(talk, unsentToTeam(open))
  if (isPaused) talk.store.change({ input })
  if (pending) return await send(talk, pending)
  if (awaited) return await continueWith(talk, { messages: [], clientSideActions: [awaited] })
  talk.isPaid = isPaid
  talk.store.change({ input })
}

/** Shows a remembered conversation, without its input. */
function show(talk: Talk, open: Open): void {
  const { bot, entries, progress, dynamicTheme, isPaused = false } = open
  talk.kept = open
  talk.heardId = open.heardId
  talk.lastKey = Math.max(0, ...entries.map(({ key }) => key))
  talk.store.change({ bot, entries, progress, dynamicTheme, isPaused })
}

/** Takes over the state of another tab that has continued the same conversation. */
function adopt(talk: Talk, open: Open): void {
  if (open.sessionId !== talk.sessionId) return
  talk.heard = talk.busy > 0 ? open : undefined
  if (talk.heard) return
  if (open.entries.length !== talk.kept?.entries.length) talk.draft = undefined
  show(talk, open)
  talk.store.change({
    input: open.pending ? undefined : open.input,
    isTyping: Boolean(open.pending),
  })
}

/** Shows events of the chat besides its own turns, each after the running task. */
function listenTo(talk: Talk): void {
  const onHeard = (heard: Heard) => {
    if (typeof heard === "object" && "ofTeam" in heard) {
      // Not behind a wait for another system, which may be long.
      if (talk.onCall) hear(talk, heard.ofTeam)
      else run(talk, async () => hear(talk, heard.ofTeam))
    } else if (talk.onCall) talk.onCall(heard)
    else if (heard === "end") run(talk, async () => expire(talk))
    else if ("step" in heard) {
      run(talk, () => playHeard(talk, heard.step))
      talk.onStep?.()
    } else talk.called = heard
  }
  talk.hearing?.abort()
  const hearing = new AbortController()
  talk.hearing = hearing
  loadOnDemand(talk.connection.host)
    .then(({ hear }) => hear(talk, hearing.signal, onHeard))
    .catch(() => {
      // Without it, the chat is as it was when it last answered.
    })
}

/** Shows what the team does; what waits for the end of a pause is sent. */
function hear(talk: Talk, heard: OfTeam): void {
  const { pending } = talk.kept ?? {}
  hearTeam(talk, heard)
  if ("isPaused" in heard && !heard.isPaused && pending) run(talk, () => sendAgain(talk, pending))
}

/** Sends what was refused while the chat was paused, unless it was sent meanwhile. */
async function sendAgain(talk: Talk, pending: Pending): Promise<void> {
  if (talk.kept?.pending === pending) await send(talk, pending)
}

/** Sends messages to the team: after what the bot does, unless the bot waits for another system. */
function sendTo(talk: Talk, entries: readonly AnswerEntry[]): void {
  const work = async () => {
    for (const entry of entries) {
      const step = await sendToTeam(talk, entry)
      if (step) await showCurrent(talk, step)
    }
  }
  if (!talk.onCall) {
    run(talk, work)
    return
  }
  const turn = (talk.toTeam ?? Promise.resolve()).then(work)
  talk.toTeam = turn.catch((error) => {
    if (!talk.closing.signal.aborted) refused(talk, error)
  })
}

async function playHeard(talk: Talk, step: ChatStep): Promise<void> {
  talk.store.change({ input: undefined, notice: undefined })
  await continueWith(talk, step)
}

async function startAfresh(talk: Talk): Promise<void> {
  talk.interruption = new AbortController()
  talk.memory.clear()
  talk.resultId = undefined
  talk.kept = undefined
  await startChat(talk, undefined)
}

async function prefill(talk: Talk): Promise<void> {
  // Known only now: the remembered conversation is shown before.
  const isAnswered = talk.store.read().entries.some(({ kind }) => kind === "answer")
  if (isAnswered || JSON.stringify(talk.prefilled()) === talk.startedWith) return
  await startChat(talk, talk.resultId)
}

async function startChat(talk: Talk, resultId: string | undefined): Promise<void> {
  deleteDraft(talk)
  talk.hearing?.abort()
  talk.sessionId = undefined
  talk.heardId = undefined
  talk.called = undefined
  talk.store.change({ ...emptyView, isTyping: true })
  const prefilledVariables = talk.prefilled()
  // Throws for values of the page that JSON cannot express.
  talk.startedWith = JSON.stringify(prefilledVariables)
  const body = {
    isStreamEnabled: true,
    prefilledVariables,
    language: languageFor(talk.languages),
    ...(resultId !== undefined && { resultId }),
  }
  // The texts are on their way while the service answers.
  translate(talk).catch(() => {
    // The page has removed the chat, which ends the start below.
  })
  const path = `/api/v1/bots/${encodeURIComponent(talk.bot)}/startChat`
  const step = await talk.connection.post<StartedChat>(path, body, newKey())
  talk.sessionId = step.sessionId
  // The first event, as ids of sessions begin with the time of their result: one may come before the page listens.
  const [first] = /^[0-9a-f]{32}/.exec(step.sessionId) ?? []
  talk.heardId = first?.replace(/^(.{8})(.{4})(.{4})(.{4})/, "/$1-$2-$3-$4-")
  talk.resultId = step.resultId ?? resultId
  const { startedWith } = talk
  talk.kept = { sessionId: step.sessionId, bot: step.bot, entries: [], startedWith }
  talk.store.change({ bot: step.bot })
  listenTo(talk)
  await translate(talk)
  talk.emit({ type: "start", resultId: step.resultId })
  await continueWith(talk, step)
}

function answer(talk: Talk, reply: Reply): void {
  const { message, shown, urls = [], ...given } = reply
  const { input, entries, isPaused } = talk.store.read()
  if (isPaused) sendTo(talk, [addToTeam(talk, shown ?? "")])
  if (isPaused || !input) return
  const isShown = shown !== undefined || urls.length > 0
  const key = ++talk.lastKey
  const entry = { kind: "answer", key, text: shown ?? "", urls, ...given, isSent: false } as const
  talk.store.change({
    input: undefined,
    notice: undefined,
    ...(isShown && { entries: [...entries, entry] }),
  })
  talk.emit({ type: "answer", text: shown ?? "", blockId: input.id })
  sendMessage(talk, message && naming(message, input), input)
}

/** The message as a reply to this input and to no other, to which the chat may have come unseen. */
function naming(message: Message, { id: inputId }: ChatInput): Message {
  if (message.type === "command") return message
  return { ...message, metadata: { ...message.metadata, inputId } }
}

function sendMessage(talk: Talk, message: Message | undefined, asked?: ChatInput): void {
  const pending = { key: newKey(), message, asked }
  run(talk, () => send(talk, pending))
}

/** Fires a command. An unknown one is a mistake of the page and changes nothing. */
async function command(talk: Talk, name: string): Promise<void> {
  talk.interruption = new AbortController()
  const { input } = talk.store.read()
  const { awaited } = talk.kept ?? {}
  const message = { type: "command", command: name } as const
  const pending = { key: newKey(), message, asked: input }
  try {
    await send(talk, pending)
  } catch (error) {
    const isUnknown = error instanceof Refusal && error.status === 400
    if (!isUnknown || talk.kept?.pending !== pending) throw error
    console.error(error.message)
    keep(talk, { pending: undefined, input, awaited })
    if (awaited) return await continueWith(talk, { messages: [], clientSideActions: [awaited] })
    talk.store.change({ input, isTyping: false })
  }
}

/** Sends a message, under the same key until it gets through, and plays the next step. */
async function send(talk: Talk, pending: Pending): Promise<void> {
  const { store, connection, sessionId } = talk
  if (sessionId === undefined) return
  keep(talk, { pending, input: undefined, awaited: undefined })
  store.change({ input: undefined, isTyping: true })
  const path = sessionPath(talk, "continueChat")
  const { message, asked } = pending
  const body = { ...(message && { message }), ...(asked && { acceptsPaused: true }) }
  const step = await connection.post<ChatStep>(path, body, pending.key)
  if (step.state === "paused") return takeOver(talk, step, asked)
  if (step.isReplyTaken === false) return await showCurrent(talk, step)
  if (message?.type !== "command") deleteDraft(talk)
  settleAnswer(talk, step.lastMessageNewFormat)
  await continueWith(talk, step)
}

/** The team has the answer, and the chat: the question waits until the bot has it again. */
function takeOver(talk: Talk, { messageId: id }: ChatStep, input: ChatInput | undefined): void {
  const { store } = talk
  deleteDraft(talk)
  const entries = store
    .read()
    .entries.map((entry) =>
      entry.kind === "answer" && !entry.isSent ? { ...entry, isSent: true, id } : entry,
    )
  store.change({ entries, input, isTyping: false, isPaused: true })
  keep(talk, { entries, pending: undefined, input, isPaused: true })
}

/** Shows the current question of the chat, after the events that led to it. */
async function showCurrent(talk: Talk, step: ChatStep): Promise<void> {
  const { store, closing } = talk
  const entries = store.read().entries.filter((entry) => entry.kind !== "answer" || entry.isSent)
  store.change({ entries })
  keep(talk, { entries, pending: undefined, input: step.input })
  // The connection may have broken unnoticed: the next one brings missed events.
  const heard = new Promise<void>((resolve) => {
    talk.onStep = resolve
  })
  listenTo(talk)
  if (talk.busy === 1) await Promise.race([heard, pause(maxHearingMs, closing.signal)])
  talk.onStep = undefined
  // The received step comes next, with its question.
  if (talk.busy > 1) return
  if (step.input) store.change({ input: step.input, isTyping: false, notice: "failed" })
  else store.change({ isTyping: false, ending: { text: "failed", canRestart: true } })
}

/** Max wait for the events that led to another question. */
const maxHearingMs = 3_000

/**
 * Shows a step. If the chat waits for its client, sends the outcome and continues, or shows the step that
 * came instead.
 */
async function continueWith(talk: Talk, step: ChatStep): Promise<void> {
  const outcome = await play(talk, step)
  if (!outcome) return
  const { text, step: next } = outcome
  if (next) return await continueWith(talk, next)
  const message = text === undefined ? undefined : ({ type: "text", text } as const)
  await send(talk, { key: newKey(), message })
}

/** Marks the last answer as sent, in the form in which it was saved unless it stays as it was given. */
function settleAnswer({ store }: Talk, saved: string | undefined): void {
  const { entries } = store.read()
  const last = entries.findLastIndex(({ kind }) => kind === "answer")
  store.change({
    entries: entries.map((entry, index) => {
      if (index !== last || entry.kind !== "answer" || entry.isSent) return entry
      const isReplaced = saved && entry.text && !entry.staysAsGiven
      return { ...entry, text: isReplaced ? saved : entry.text, isSent: true }
    }),
  })
}

const againMs = 10_000

/** The team has taken over before something could be sent to the bot: it is sent once the bot has the chat again. */
function waitForBot(talk: Talk): void {
  const { pending } = talk.kept ?? {}
  talk.store.change({ isTyping: false })
  hearTeam(talk, { isPaused: true })
  // The end of the pause may pass unheard, as while others of the page listen.
  if (!pending) return
  const work = () => run(talk, () => sendAgain(talk, pending))
  pause(againMs, talk.closing.signal).then(work, () => {})
}
