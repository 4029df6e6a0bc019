/** Runs the tests in files: each file and each bot is read once. */
import { basename } from "node:path"
import type { Flow } from "../engine/bot.ts"
import { type Coverage, createReached, type Reached } from "./coverage.ts"
import { hasMistakes, type Mistake, type Position, readTestFile } from "./files/readTestFile.ts"
import { type ConversationTest, type TestFile, testsIn } from "./files/testFileSchema.ts"
import { type RunScripts, rootVersion } from "./play/play.ts"
import { runTest } from "./runTest.ts"
import type { TestParts } from "./testConversation.ts"
import type { TestOutcome } from "./testOutcome.ts"
import { type FileParts, type FileUpdate, updateFile } from "./update/updateFile.ts"

export type SuiteParts = {
  /** The text of a test file. Rejects with a sentence when missing. */
  readText(path: string): Promise<string>
  /** The path of a bot that a test file names. */
  resolve(testFile: string, bot: string): string
  /** A bot by that path: its flow, or the mistakes of its file. Rejects with a sentence. */
  readBot(path: string): Promise<Flow | Mistake[]>
  /** Bots to play instead of those that files name. */
  instead?: Pick<TestFile, "bot" | "linked"> | undefined
  runScripts: RunScripts
  /** Variables of the workspace that files do not set; absent: none. */
  workspace?: TestParts["workspace"]
  /** Milliseconds that a conversation may take. */
  maxMs?: number | undefined
}

/** A test with its position in the file: at the failed step, or at its beginning. */
export type TestReport = TestOutcome & Position & { ms: number }

/** A mistake in a file, which may be that of a bot. */
export type FileMistake = Mistake & { path: string }

export type FileReport = {
  path: string
  tests: TestReport[]
  /** Why it did not run. Mistakes of a bot are reported with the first file that names it. */
  mistakes: FileMistake[]
  /** Paths of the bots that it names. */
  bots: string[]
  /** True: it did not run because of a bot whose mistakes were reported before. */
  isSkipped: boolean
}

/** Coverage of a bot by the tests of all files. */
export type BotCoverage = Coverage & { bot: string }

/** A bot, or its mistakes; `isReported`: reported already. */
type Known = { flow: Flow; reached: Reached } | { mistakes: FileMistake[]; isReported: boolean }

type OpenFile = FileParts & { bots: string[] }

/** Creates a run over files. */
export function createSuite(parts: SuiteParts) {
  const bots = new Map<string, Known>()
  const open = (path: string) => readSuiteFile(path, parts, bots)
  return {
    async run(path: string): Promise<FileReport> {
      const file = await open(path)
      if ("mistakes" in file) return { path, tests: [], ...file }
      const tests: TestReport[] = []
      for (const test of file.tests) {
        const began = performance.now()
        const outcome = await runTest(test, file.played)
        const ms = Math.round(performance.now() - began)
        tests.push({ ...outcome, ...file.read.positionOf(placeOf(test, outcome)), ms })
      }
      return { path, tests, mistakes: [], bots: file.bots, isSkipped: false }
    },
    /** The update of a file for its tests to pass; undefined: it cannot run. */
    async update(path: string): Promise<FileUpdate | undefined> {
      const file = await open(path)
      return "mistakes" in file ? undefined : await updateFile(file)
    },
    coverage(): BotCoverage[] {
      return [...bots].flatMap(([bot, known]) =>
        "flow" in known ? [{ bot, ...known.reached.coverage() }] : [],
      )
    },
  }
}

type Refused = Pick<FileReport, "mistakes" | "bots" | "isSkipped">

async function readSuiteFile(
  path: string,
  parts: SuiteParts,
  bots: Map<string, Known>,
): Promise<OpenFile | Refused> {
  const text = await parts.readText(path).catch((error: unknown) => new Error(sentenceOf(error)))
  const read =
    text instanceof Error ? [{ line: 1, column: 1, message: text.message }] : readTestFile(text)
  if (hasMistakes(read)) {
    return { mistakes: read.map((mistake) => ({ path, ...mistake })), bots: [], isSkipped: false }
  }
  const { file, positionOf } = read
  const paths: string[] = []
  const botOf = async (named: string, keys: string[]): Promise<Known> => {
    const found = parts.resolve(path, named)
    paths.push(found)
    const known = bots.get(found) ?? (await readKnown(parts, found, { path, ...positionOf(keys) }))
    bots.set(found, known)
    return known
  }
  const named = parts.instead ?? file
  const root = await botOf(named.bot, ["bot"])
  const linked = new Map<string, Known>()
  for (const [id, other] of Object.entries(named.linked ?? {})) {
    linked.set(id, await botOf(other, ["linked", id]))
  }
  const wrong = [root, ...linked.values()].flatMap((known) => ("mistakes" in known ? known : []))
  if ("mistakes" in root || wrong.length > 0) {
    const mistakes = wrong.flatMap((each) => (each.isReported ? [] : each.mistakes))
    for (const each of wrong) each.isReported = true
    return { mistakes, bots: paths, isSkipped: mistakes.length === 0 }
  }
  const { runScripts, maxMs, workspace } = parts
  const others = [...linked].flatMap(([id, known]) => ("flow" in known ? [{ id, ...known }] : []))
  const played: TestParts = {
    flow: root.flow,
    linked: Object.fromEntries(others.map(({ id, flow }) => [id, flow])),
    runScripts,
    maxMs,
    workspace,
    onTurn({ trail = [] }) {
      root.reached.note(trail, rootVersion)
      for (const { id, reached } of others) reached.note(trail, id)
    },
  }
  return { path, bots: paths, read, tests: testsIn(file, basename(path)), played }
}

async function readKnown(
  { readBot }: SuiteParts,
  path: string,
  named: Omit<FileMistake, "message">,
): Promise<Known> {
  const read = await readBot(path).catch((error: unknown): FileMistake[] => [
    { ...named, message: sentenceOf(error) },
  ])
  if (Array.isArray(read)) {
    return { mistakes: read.map((mistake) => ({ path, ...mistake })), isReported: false }
  }
  return { flow: read, reached: createReached(read) }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Keys to the part that a reader needs first. */
function placeOf(test: ConversationTest, { failure }: TestOutcome): (string | number)[] {
  const { path, expectPath, steps } = test
  if (failure?.expectation) return [...expectPath, ...failure.expectation]
  if (failure?.step === undefined) return path
  return [...path, Math.min(failure.step, Math.max(0, steps.length - 1))]
}
