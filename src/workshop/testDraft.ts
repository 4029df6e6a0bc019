/** Plays the conversations of a sent file, and reports their results. */
import { setImmediate as nextRound } from "node:timers/promises"
import type { Sandbox } from "../effects/sandbox/sandbox.ts"
import type { KnownVariables } from "../effects/variables/turnVariables.ts"
import type { Flow } from "../engine/bot.ts"
import { cut } from "../lib/cut.ts"
import { badRequest, type Issue } from "../lib/errors.ts"
import type { Party } from "../lib/party.ts"
import { hasMistakes, type ReadTestFile, readTestFile } from "./files/readTestFile.ts"
import { type ConversationTest, testsIn } from "./files/testFileSchema.ts"
import { placeText } from "./report/failureLines.ts"
import { runTest } from "./runTest.ts"
import { createTestBudget } from "./testBudget.ts"
import type { TestOutcome } from "./testOutcome.ts"

export type TestedConversation = {
  name: string
  hasPassed: boolean
  /** A sentence without a full stop; absent: it has passed. */
  message?: string
  /** Line of the file; absent: no step of its own failed. */
  line?: number
  expected?: string
  actual?: string
  place?: string
  /** The last lines of the actual conversation. */
  transcript: string[]
}

export type TestRequest = {
  party: Party
  flow: Flow
  file: string
  /** The variables of its workspace, no secret among them; absent: none. */
  workspace?: KnownVariables
}

/** Max conversations and steps of a file, for which an author waits. */
const [maxTests, maxSteps] = [50, 1_000]

/** Max lines and characters shown of a conversation. */
const [maxLines, maxCharacters] = [40, 300]

/** Plays a file. Throws a 400 that describes its defect. */
export async function testDraft(
  { party, flow, file, workspace }: TestRequest,
  { sandbox, maxMs }: { sandbox: Pick<Sandbox, "run">; maxMs: number },
): Promise<TestedConversation[]> {
  const read = readFile(file)
  const tests = testsIn(read.file, "conversation")
  requireFew(tests)
  const endsAt = performance.now() + maxMs
  // Yields to chats.
  const budget = createTestBudget(nextRound)
  const tested: TestedConversation[] = []
  for (const test of tests) {
    const outcome = await runTest(test, {
      flow,
      workspace,
      runScripts: (scripts, how) => sandbox.run(scripts, { ...how, party }),
      pause: nextRound,
      budget,
      maxMs: Math.max(1, endsAt - performance.now()),
    })
    tested.push(present(outcome, { test, read }))
  }
  return tested
}

function readFile(text: string): ReadTestFile {
  // Aliases could make a short file expensive.
  const read = readTestFile(text, 0)
  if (!hasMistakes(read)) return read
  const issues = read.map(({ line, column, message }): Issue => {
    const path = ["file"]
    return { path, code: "custom", message: `line ${line}, column ${column}: ${message}` }
  })
  throw badRequest(`The file cannot be used: ${issues[0]?.message}`, issues)
}

function requireFew(tests: readonly ConversationTest[]): void {
  const steps = tests.reduce((sum, test) => sum + test.steps.length, 0)
  if (tests.length <= maxTests && steps <= maxSteps) return
  throw badRequest(
    `The file has ${tests.length} conversations and ${steps} steps; allowed are at most ${maxTests} and at most ${maxSteps}`,
  )
}

function present(
  { name, failure, transcript }: TestOutcome,
  { test, read }: { test: ConversationTest; read: ReadTestFile },
): TestedConversation {
  const lines = transcript.slice(-maxLines).map(({ from, text }) => `${from}: ${shown(text)}`)
  if (!failure) return { name, hasPassed: true, transcript: lines }
  const { message, step, expected, actual, at } = failure
  return {
    name,
    hasPassed: false,
    message: shown(message),
    ...(step !== undefined && { line: read.positionOf([...test.path, step]).line }),
    ...(expected !== undefined && { expected: shown(expected) }),
    ...(actual !== undefined && { actual: shown(actual) }),
    ...(at && { place: placeText(at) }),
    transcript: lines,
  }
}

const shown = (text: string) => cut(text, maxCharacters)
