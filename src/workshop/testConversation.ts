/** A test's conversation in progress: the person acts, and the bot's outputs are collected in order. */

import type { Turn } from "../engine/turn/run.ts"
import { isOver } from "../engine/turn/settle.ts"
import { cut } from "../lib/cut.ts"
import { pick } from "../lib/foreignJson.ts"
import { answersIn } from "./expectations.ts"
import { createNoticed, type Noticed } from "./explore/noticed.ts"
import type { ConversationTest, TestStep } from "./files/testFileSchema.ts"
import { describeHeard, type Heard, heardIn, type Place, placeOf } from "./play/heard.ts"
import { awaitsClient, createPlay, maxReports, type Play, type PlayParts } from "./play/play.ts"
import { send } from "./play/send.ts"
import { createOutside, type Outside } from "./play/stubs.ts"
import { createTestBudget, Endless, type TestBudget, turnUnits } from "./testBudget.ts"
import type { TestFailure, TranscriptLine } from "./testOutcome.ts"

export type TestParts = Pick<
  PlayParts,
  "flow" | "linked" | "runScripts" | "pause" | "workspace"
> & {
  /** Receives every turn, for coverage. */
  onTurn?: ((turn: Turn) => void) | undefined
  /** Milliseconds that a conversation may take. */
  maxMs?: number | undefined
  /** Budget shared with other conversations; absent: its own. */
  budget?: TestBudget | undefined
}

/** The default clock of a test: 2026-01-05T09:00:00Z, a Monday. */
export const usualClock = Date.UTC(2026, 0, 5, 9)

/** Default time limit of a conversation. */
const usualMs = 60_000

/** Time limit for the scripts of one call, as in the service. */
const scriptMs = 10_000

/** Max characters of a transcript, and max answers and logs kept: one more than a test can list. */
const maxTranscript = 5_000_000
const maxNoted = 1_001

export type Conversation = {
  play: Play
  outside: Outside
  noticed: Noticed
  budget: TestBudget
  /** Whether steps must mention every message of the bot. */
  isStrict: boolean
  /** Remaining milliseconds; throws at none. */
  left: () => number
  onTurn: TestParts["onTurn"]
  transcript: TranscriptLine[]
  length: number
  /** The recorded answers and texts of logs, in order. */
  answers: string[]
  logs: string[]
  turn: Turn | undefined
  /** Outputs of the current turn not yet matched. */
  heard: Heard[]
  step: number
}

/** Opens the conversation of a test, and the world around it. */
export function openConversation(test: ConversationTest, parts: TestParts): Conversation {
  const outside = createOutside(test)
  const noticed = createNoticed(test, parts.flow, { outside, linked: parts.linked })
  const left = createClock(parts.maxMs ?? usualMs)
  const budget = parts.budget ?? createTestBudget(parts.pause)
  let drawn = 0
  const play = createPlay({
    ...parts,
    budget,
    clock: test.clock === undefined ? usualClock : Date.parse(test.clock),
    seed: test.seed ?? 0,
    runScripts: noticed.watched((scripts, how) =>
      parts.runScripts(scripts, { ...how, runMs: Math.min(left(), scriptMs) }),
    ),
    outside: (call) => {
      left()
      return budget.judge((fuel) => outside.answer(call, fuel), turnUnits)
    },
    fetch: (asked) => budget.judge((fuel) => outside.fetch(asked, fuel), turnUnits),
    draw: () => test.dice?.[drawn++],
    workspace: new Map([...(parts.workspace ?? []), ...variablesOf(test)]),
  })
  return {
    ...{ play, outside, noticed, budget, left },
    isStrict: test.strict !== false,
    onTurn: parts.onTurn,
    ...{ transcript: [], length: 0, answers: [], logs: [], heard: [] },
    turn: undefined,
    step: 0,
  }
}

/** The variables of the workspace that a test names. */
function variablesOf({ workspaceVariables = {} }: ConversationTest) {
  return Object.entries(workspaceVariables).map(([name, given]) => {
    const isSecret = typeof given !== "string"
    return [name, { value: isSecret ? given.secret : given, isSecret }] as const
  })
}

export async function begin(
  conversation: Conversation,
  { start = {} }: Pick<ConversationTest, "start">,
): Promise<void> {
  const { variables, message, group, event } = start
  const from =
    group !== undefined
      ? ({ type: "group", groupId: group } as const)
      : event !== undefined
        ? ({ type: "event", eventId: event } as const)
        : undefined
  const opening = message === undefined ? undefined : ({ type: "text", text: message } as const)
  take(conversation, await conversation.play.start({ variables, from, opening }), false)
}

/** Performs a step that is not about the bot. Returns the failure if that is impossible. */
export async function act(running: Conversation, step: TestStep): Promise<TestFailure | undefined> {
  const { play, turn } = running
  pass(running)
  if (!turn) return undefined
  note(running, wordsOf(step))
  if (step.webhook !== undefined && !turn.isWaiting) {
    return { message: "The bot does not wait for a webhook call" }
  }
  const isMessage = step.silence === undefined && step.webhook === undefined
  if (isMessage && isOver(turn) && pick(step.user, "command") === undefined) {
    return { message: "The chat is over, so this is not read", at: lastPlace(running) }
  }
  take(running, await send(play, turn.session, step))
  return undefined
}

/**
 * Continues the chat like a client that has shown all messages and run all actions, until an output is
 * wanted.
 */
export async function goOn(
  running: Conversation,
  isWanted: (heard: Heard) => boolean | Promise<boolean> = () => false,
): Promise<void> {
  for (let reports = 0; reports < maxReports; reports++) {
    const { turn, heard } = running
    if (!turn || !awaitsClient(turn) || nextSpoken(running)) return
    if ((await indexOfWanted(heard, isWanted)) >= 0) return
    pass(running)
    take(running, await running.play.reply(turn.session, undefined), false)
  }
}

/** The index of the first wanted output; -1: none. */
export async function indexOfWanted(
  heard: readonly Heard[],
  isWanted: (heard: Heard) => boolean | Promise<boolean>,
): Promise<number> {
  for (const [index, each] of heard.entries()) if (await isWanted(each)) return index
  return -1
}

/** Adds the first outputs, or all, to the transcript. */
export function pass(running: Conversation, count = running.heard.length): void {
  for (const each of running.heard.splice(0, count)) note(running, describeHeard(each), each)
}

/** The next message that a step must mention. */
export function nextSpoken({ heard, isStrict }: Conversation): Heard | undefined {
  return isStrict ? heard.find(({ kind }) => kind === "bot") : undefined
}

/** Adds a line to the transcript. */
function note(running: Conversation, text: string, heard?: Heard): void {
  const { transcript, step } = running
  running.length += text.length
  if (running.length > maxTranscript) throw new Endless("The conversation is too long to show")
  transcript.push({ from: heard?.kind ?? "user", text, step, ...(heard && { at: heard.at }) })
}

function take(running: Conversation, turn: Turn, isReply = true): void {
  running.noticed.take(turn, isReply)
  const { answers, logs } = running
  running.turn = turn
  running.heard = heardIn(turn, running.play.bots)
  running.onTurn?.(turn)
  answers.push(...answersIn(turn).slice(0, maxNoted - answers.length))
  const written = turn.logs.slice(0, maxNoted - logs.length)
  logs.push(...written.map(({ description }) => description))
}

/** Creates a countdown; it throws when no milliseconds are left. */
function createClock(ms: number): () => number {
  const end = performance.now() + ms
  return () => {
    const left = end - performance.now()
    if (left > 0) return left
    throw new Endless(`The conversation takes longer than ${Math.round(ms / 1_000)} seconds`)
  }
}

function wordsOf({ silence, webhook, user, client = "" }: TestStep): string {
  if (silence !== undefined) return `(${silence} seconds of silence)`
  if (webhook !== undefined) return `(webhook ${cut(JSON.stringify(webhook))})`
  if (typeof user !== "object") return user ?? client
  const { text, files = [], audio, command } = user
  if (command !== undefined) return `(command ${command})`
  return audio ?? [...files, text].filter(Boolean).join(" ")
}

/** The failure of a test whose bot made a call without a stub. */
export function unexpectedCall(running: Conversation): TestFailure {
  return {
    message: "No stub answers a call of the bot",
    actual: running.outside.unexpected[0],
    at: lastPlace(running),
  }
}

/** The current place of the chat. */
export function lastPlace({ turn, play }: Conversation): Place | undefined {
  const blockId = turn?.trail?.at(-1)?.blockId
  return blockId === undefined ? undefined : placeOf(blockId, play.bots)
}
