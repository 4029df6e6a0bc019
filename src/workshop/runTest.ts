/** Runs one conversation against a bot, and says where it goes another way than expected. */
import type { Flow } from "../engine/bot.ts"
import { openFuel } from "../engine/budget/fuel.ts"
import { cut } from "../engine/cut.ts"
import { findsMatch } from "../engine/regex/findsMatch.ts"
import { readRegex } from "../engine/regex/readRegex.ts"
import type { Message } from "../engine/schema/message.ts"
import type { Turn } from "../engine/turn/run.ts"
import { isOver } from "../engine/turn/settle.ts"
import { AppError } from "../errors.ts"
import { answersIn, missedExpectation } from "./expectations.ts"
import { type Noticed, openNoticed } from "./explore/noticed.ts"
import type { ConversationTest, TestStep } from "./files/schema.ts"
import { fits } from "./play/fits.ts"
import { type Heard, heardIn, type Place, placeOf } from "./play/heard.ts"
import { messageOf } from "./play/message.ts"
import { awaitsClient, mostReports, openPlay, type Play, type RunScripts } from "./play/play.ts"
import { type Outside, openOutside } from "./play/stubs.ts"
import type { TestFailure, TestOutcome, TranscriptLine } from "./testOutcome.ts"

/** What a conversation is played with. */
export type TestParts = {
  flow: Flow
  linked?: Readonly<Record<string, Flow>> | undefined
  runScripts: RunScripts
  /** Sees every turn, for coverage. */
  onTurn?: ((turn: Turn) => void) | undefined
  /** Milliseconds that a conversation may take. */
  maxMs?: number | undefined
  /** Awaited before every step of the engine, where others wait for their turns. */
  pause?: (() => Promise<void>) | undefined
}

/** The clock of a test that names none: 2026-01-05T09:00:00Z, a Monday. */
export const usualClock = Date.UTC(2026, 0, 5, 9)

/** How long a conversation may take that is told nothing else. */
const usualMs = 60_000

/** How long the scripts of one call may take, as in the service. */
const scriptMs = 10_000

/** Longest transcript, in characters, and most answers and logs that are kept: one more than a test can name. */
const maxTranscript = 5_000_000
const maxNoted = 1_001

/** Runs a test. Never rejects. */
export async function runTest(test: ConversationTest, parts: TestParts): Promise<TestOutcome> {
  const outside = openOutside(test)
  const noticed = openNoticed(test, parts.flow, outside)
  let drawn = 0
  const left = openClock(parts.maxMs ?? usualMs)
  const play = openPlay({
    ...parts,
    clock: test.clock === undefined ? usualClock : Date.parse(test.clock),
    seed: test.seed ?? 0,
    runScripts: noticed.watched((scripts, how) =>
      parts.runScripts(scripts, { ...how, runMs: Math.min(left(), scriptMs) }),
    ),
    outside: (call) => {
      left()
      return outside.answer(call)
    },
    fetch: outside.fetch,
    draw: () => test.dice?.[drawn++],
  })
  const running = openRunning({ test, play, ...{ outside, noticed, left }, onTurn: parts.onTurn })
  const { transcript } = running
  let failure: TestFailure | undefined
  try {
    failure = await converse(running)
  } catch (error) {
    failure = { message: sentenceFor(error), step: running.step, at: lastPlace(running) }
  }
  const { refusal } = running.turn ?? {}
  if (refusal) failure ??= { message: `The service would refuse: ${refusal.message}` }
  failure ??= outside.unexpected[0] === undefined ? undefined : unexpectedCall(outside, running)
  failure ??= running.turn && missedExpectation(test, { ...running, turn: running.turn })
  return {
    name: test.name,
    ...(failure && { failure }),
    transcript,
    steps: test.steps.length,
  }
}

/** A conversation that is too long in one way or another. */
class Endless extends Error {}

/** Milliseconds that are left of so many; throws when none are. */
function openClock(ms: number): () => number {
  const end = performance.now() + ms
  return () => {
    const left = end - performance.now()
    if (left > 0) return left
    throw new Endless(`The conversation takes longer than ${Math.round(ms / 1_000)} seconds`)
  }
}

function sentenceFor(error: unknown): string {
  if (error instanceof AppError) return `The service would refuse: ${error.message}`
  if (error instanceof Endless) return error.message
  return `The bot cannot be played: ${error instanceof Error ? error.message : String(error)}`
}

type Running = {
  test: ConversationTest
  play: Play
  outside: Outside
  left: () => number
  onTurn: TestParts["onTurn"]
  noticed: Noticed
  transcript: TranscriptLine[]
  /** How many characters it has. */
  length: number
  /** The answers and the texts of logs that were recorded, in order. */
  answers: string[]
  logs: string[]
  turn: Turn | undefined
  /** What the present turn still has to say. */
  heard: Heard[]
  step: number
}

function openRunning(
  parts: Pick<Running, "test" | "play" | "outside" | "noticed" | "left" | "onTurn">,
): Running {
  const empty = { transcript: [], length: 0, answers: [], logs: [], heard: [] }
  return { ...parts, ...empty, turn: undefined, step: 0 }
}

async function converse(running: Running): Promise<TestFailure | undefined> {
  const { test, play, outside } = running
  const { variables, message, group, event } = test.start ?? {}
  const from =
    group !== undefined
      ? ({ type: "group", groupId: group } as const)
      : event !== undefined
        ? ({ type: "event", eventId: event } as const)
        : undefined
  const opening = message === undefined ? undefined : ({ type: "text", text: message } as const)
  take(running, await play.start({ variables, from, opening }), false)
  for (const [index, step] of test.steps.entries()) {
    running.step = index
    const failure = await takeStep(running, step)
    if (failure) return { step: index, ...failure }
    if (outside.unexpected[0] !== undefined)
      return { ...unexpectedCall(outside, running), step: index }
  }
  running.step = test.steps.length
  await reportWhileSilent(running)
  const left = nextSpoken(running)
  const { step } = running
  return left && { message: "The bot says more", step, actual: describeHeard(left), at: left.at }
}

function take(running: Running, turn: Turn, isReply = true): void {
  running.noticed.take(turn, isReply)
  const { answers, logs } = running
  running.turn = turn
  running.heard = heardIn(turn, running.play.bots)
  running.onTurn?.(turn)
  answers.push(...answersIn(turn).slice(0, maxNoted - answers.length))
  const written = turn.logs.slice(0, maxNoted - logs.length)
  logs.push(...written.map(({ description }) => description))
}

/** One step of the test. Returns why it fails. */
async function takeStep(running: Running, step: TestStep): Promise<TestFailure | undefined> {
  running.left()
  if (step.bot !== undefined) return await hearBot(running, step.bot)
  if (step.input !== undefined) return await hearInput(running, step.input)
  if (step.action !== undefined) return await hearAction(running, step.action)
  const { play } = running
  if (step.user !== undefined || step.silence !== undefined) await reportWhileSilent(running)
  const unheard = nextSpoken(running)
  if (unheard) {
    return {
      message: "The bot says more before that",
      actual: describeHeard(unheard),
      at: unheard.at,
    }
  }
  pass(running)
  const { turn } = running
  if (!turn) return undefined
  if (step.silence !== undefined) {
    note(running, `(${step.silence} seconds of silence)`)
    take(running, await play.fallSilent(turn.session, step.silence))
    return undefined
  }
  if (step.webhook !== undefined) {
    const body = JSON.stringify(step.webhook)
    note(running, `(webhook ${cut(body)})`)
    if (!turn.isWaiting) return { message: "The bot does not wait for a webhook call" }
    take(running, await play.receive(turn.session, body))
    return undefined
  }
  const message: Message =
    step.user === undefined ? { type: "text", text: step.client ?? "" } : messageOf(step.user)
  note(running, textOfSent(message))
  if (isOver(turn) && message.type !== "command") {
    return { message: "The chat is over: nobody reads this", at: lastPlace(running) }
  }
  take(running, await play.reply(turn.session, message))
  return undefined
}

/** Lets the chat go on as a client does that has shown everything and done what it was told. */
async function reportWhileSilent(running: Running, isWanted = isNothing): Promise<void> {
  for (let reports = 0; reports < mostReports; reports++) {
    const { turn, heard } = running
    if (!turn || !awaitsClient(turn) || nextSpoken(running) || heard.some(isWanted)) return
    pass(running)
    take(running, await running.play.reply(turn.session, undefined), false)
  }
}

const isNothing = (_: Heard) => false

/** Goes on to what a step is about: over actions, and over what a test that is not strict leaves out. */
async function goOnTo(running: Running, isWanted: (heard: Heard) => boolean): Promise<void> {
  await reportWhileSilent(running, isWanted)
  const at = running.test.strict === false ? running.heard.findIndex(isWanted) : -1
  for (const each of running.heard.splice(0, at)) note(running, describeHeard(each), each)
  passActions(running)
}

async function hearBot(
  running: Running,
  expected: NonNullable<TestStep["bot"]>,
): Promise<TestFailure | undefined> {
  await goOnTo(running, (each) => each.kind === "bot" && saysAsExpected(expected, each))
  const [next] = running.heard
  const said = next?.kind === "bot" ? next : undefined
  if (said && saysAsExpected(expected, said)) {
    running.heard.shift()
    note(running, said.text, said)
    return undefined
  }
  const message = said ? "The bot says something else" : "The bot does not say this"
  return {
    message,
    expected: describeRule(expected),
    actual: next && describeHeard(next),
    at: next?.at,
  }
}

async function hearInput(
  running: Running,
  expected: NonNullable<TestStep["input"]>,
): Promise<TestFailure | undefined> {
  await goOnTo(running, ({ kind }) => kind === "input")
  const [next] = running.heard
  const { type = undefined, choices = undefined } =
    typeof expected === "string" ? { type: expected } : expected
  const isAsked =
    next?.kind === "input" &&
    (type === undefined || type === next.type) &&
    (choices === undefined || fits(choices, next.choices ?? []))
  if (isAsked) {
    running.heard.shift()
    note(running, describeHeard(next), next)
    return undefined
  }
  return {
    message: next?.kind === "input" ? "The bot asks something else" : "The bot does not ask this",
    expected: [type, choices && `[${choices.join(", ")}]`].filter(Boolean).join(" "),
    actual: next && describeHeard(next),
    at: next?.at,
  }
}

async function hearAction(
  running: Running,
  expected: NonNullable<TestStep["action"]>,
): Promise<TestFailure | undefined> {
  const isExpected = (each: Heard) => each.kind === "action" && fits(expected, each.action)
  await reportWhileSilent(running, isExpected)
  while (running.heard[0]?.kind === "action") {
    const [action] = running.heard.splice(0, 1)
    if (!action) break
    note(running, describeHeard(action), action)
    if (isExpected(action)) return undefined
  }
  const [next] = running.heard
  return {
    message: "The client is not told to do this",
    expected: JSON.stringify(expected),
    actual: next && describeHeard(next),
    at: next?.at,
  }
}

/** Notes what nobody has to mention: actions, and a question that is answered next. */
function pass(running: Running): void {
  for (const each of running.heard.splice(0)) note(running, describeHeard(each), each)
}

function passActions(running: Running): void {
  while (running.heard[0]?.kind === "action") {
    const [action] = running.heard.splice(0, 1)
    if (action) note(running, describeHeard(action), action)
  }
}

/** What the bot says that a step must mention. */
function nextSpoken({ heard, test }: Running): Heard | undefined {
  if (test.strict === false) return undefined
  return heard.find(({ kind }) => kind === "bot")
}

function note(running: Running, text: string, heard?: Heard): void {
  const { transcript, step } = running
  running.length += text.length
  if (running.length > maxTranscript) throw new Endless("The conversation is too long to be shown")
  transcript.push({ from: heard?.kind ?? "user", text, step, ...(heard && { at: heard.at }) })
}

function textOfSent(message: Message): string {
  if (message.type === "command") return `(command ${message.command})`
  if (message.type === "audio") return message.url
  return [...(message.attachedFileUrls ?? []), message.text].filter(Boolean).join(" ")
}

function saysAsExpected(
  expected: NonNullable<TestStep["bot"]>,
  { type, text }: Extract<Heard, { kind: "bot" }>,
): boolean {
  if (typeof expected === "string") return type === "text" && expected.trim() === text.trim()
  const { contains, matches, ...shown } = expected
  if (contains !== undefined) return text.includes(contains)
  if (matches !== undefined) return isMatch(matches, text)
  const [[kind, url] = []] = Object.entries(shown)
  return kind !== undefined && type.endsWith(kind) && fits(url, text)
}

/** Runs in linear time, as the expressions of flows do. */
function isMatch(pattern: string, text: string): boolean {
  const fuel = openFuel(5_000_000)
  const regex = readRegex(pattern, fuel)
  return regex !== undefined && findsMatch(regex, text, fuel)
}

/** What a bot says, asks or has done, in a line. */
export function describeHeard(heard: Heard): string {
  if (heard.kind === "action") return `${heard.type}`
  if (heard.kind === "bot")
    return heard.type === "text" ? heard.text : `(${heard.type}) ${heard.text}`
  return heard.choices ? `${heard.type} [${heard.choices.join(", ")}]` : heard.type
}

function describeRule(rule: NonNullable<TestStep["bot"]>): string {
  if (typeof rule === "string") return rule
  return Object.entries(rule)
    .map(([key, value]) => `${key}: ${value}`)
    .join(", ")
}

function unexpectedCall({ unexpected }: Outside, running: Running): TestFailure {
  return {
    message: "The bot calls something that no stub answers",
    actual: unexpected[0],
    at: lastPlace(running),
  }
}

function lastPlace({ turn, play }: Running): Place | undefined {
  const blockId = turn?.trail?.at(-1)?.blockId
  return blockId === undefined ? undefined : placeOf(blockId, play.bots)
}
