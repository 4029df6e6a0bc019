/** Runs one conversation against a bot, and locates the first deviation. */
import type { Fuel } from "../engine/budget/fuel.ts"
import { AppError } from "../lib/errors.ts"
import { missedExpectation } from "./expectations.ts"
import type { ConversationTest, TestStep } from "./files/testFileSchema.ts"
import { describeHeard, type Heard } from "./play/heard.ts"
import { describeStep, satisfies } from "./satisfies.ts"
import { Endless, turnUnits } from "./testBudget.ts"
import {
  act,
  begin,
  type Conversation,
  goOn,
  indexOfWanted,
  lastPlace,
  nextSpoken,
  openConversation,
  pass,
  type TestParts,
  unexpectedCall,
} from "./testConversation.ts"
import type { TestFailure, TestOutcome } from "./testOutcome.ts"

/** Runs a test. Never rejects because of the bot or the test. */
export async function runTest(test: ConversationTest, parts: TestParts): Promise<TestOutcome> {
  const running = openConversation(test, parts)
  const failure = await converse(test, running).catch(
    (error: unknown): TestFailure => ({
      message: sentenceFor(error),
      step: running.step,
      at: lastPlace(running),
    }),
  )
  return {
    name: test.name,
    ...(failure && { failure }),
    transcript: running.transcript,
    steps: test.steps.length,
  }
}

/** The message of an error that ends a conversation. */
export function sentenceFor(error: unknown): string {
  if (error instanceof AppError) return `The service would refuse: ${error.message}`
  if (error instanceof Endless) return error.message
  return `The bot cannot be played: ${error instanceof Error ? error.message : String(error)}`
}

async function converse(test: ConversationTest, running: Conversation) {
  const { outside } = running
  await begin(running, test)
  for (const [index, step] of test.steps.entries()) {
    running.step = index
    running.left()
    const failure = isAbout(step) ? await hear(running, step) : await say(running, step)
    if (failure) return { step: index, ...failure }
    if (outside.unexpected.length > 0) return { ...unexpectedCall(running), step: index }
  }
  running.step = test.steps.length
  await goOn(running)
  const more = nextSpoken(running)
  const { step, turn } = running
  if (more) return { message: "The bot says more", step, actual: describeHeard(more), at: more.at }
  if (outside.unexpected.length > 0) return unexpectedCall(running)
  if (!turn) return undefined
  const missed = (fuel: Fuel) => missedExpectation(test, { ...running, turn }, fuel)
  return await running.budget.judge(missed, turnUnits)
}

/** Whether a step is about the bot's outputs. */
export function isAbout({ bot, input, action }: TestStep): boolean {
  return bot !== undefined || input !== undefined || action !== undefined
}

async function say(running: Conversation, step: TestStep): Promise<TestFailure | undefined> {
  if (step.user !== undefined || step.silence !== undefined) await goOn(running)
  const more = nextSpoken(running)
  if (!more) return await act(running, step)
  const actual = describeHeard(more)
  return { message: "The bot says more before that", actual, at: more.at }
}

async function hear(running: Conversation, step: TestStep): Promise<TestFailure | undefined> {
  const isAction = step.action !== undefined
  const judged = new Map<Heard, boolean>()
  const isSatisfied = async (each: Heard) => {
    const isExpected =
      judged.get(each) ?? (await running.budget.judge((fuel) => satisfies(step, each, fuel)))
    judged.set(each, isExpected)
    return isExpected
  }
  const isWanted = (each: Heard) =>
    step.input === undefined ? isSatisfied(each) : each.kind === "input"
  await goOn(running, isWanted)
  const at = running.isStrict ? 0 : await indexOfWanted(running.heard, isWanted)
  pass(running, Math.max(0, at))
  while (!isAction && running.heard[0]?.kind === "action") pass(running, 1)
  for (let [next] = running.heard; next; [next] = running.heard) {
    const isExpected = await isSatisfied(next)
    if (!isExpected && !(isAction && next.kind === "action")) break
    pass(running, 1)
    if (isExpected) return undefined
  }
  const [next] = running.heard
  return {
    message: complaint(step, next),
    expected: describeStep(step),
    actual: next && describeHeard(next),
    at: next?.at,
  }
}

function complaint({ bot, input }: TestStep, next: Heard | undefined): string {
  if (bot !== undefined) {
    return next?.kind === "bot" ? "The bot says something else" : "The bot does not say this"
  }
  if (input === undefined) return "The client does not get this action"
  return next?.kind === "input" ? "The bot asks something else" : "The bot does not ask this"
}
