/** Runs the tests in files: each file and each bot is read once. */
import { basename } from "node:path"
import { type Bot, type Flow, prepareBot } from "../engine/bot.ts"
import { type Coverage, openReached, type Reached } from "./coverage.ts"
import { hasMistakes, type Mistake, type Position, readTestFile } from "./files/readTestFile.ts"
import { type ConversationTest, testsIn } from "./files/schema.ts"
import { type RunScripts, rootVersion } from "./play/play.ts"
import { runTest } from "./runTest.ts"
import type { TestOutcome } from "./testOutcome.ts"

/** Where the files are. */
export type SuiteParts = {
  /** The text of a test file. Rejects with a sentence when there is none. */
  readText(path: string): Promise<string>
  /** The path of a bot that a test file names. */
  resolve(testFile: string, bot: string): string
  /** A bot by that path: its flow, or what is wrong with its file. Rejects with a sentence. */
  readBot(path: string): Promise<Flow | Mistake[]>
  runScripts: RunScripts
  /** Milliseconds that a conversation may take. */
  maxMs?: number | undefined
}

/** A test, and where it is in its file: at the step that fails, or at its beginning. */
export type TestReport = TestOutcome & Position & { ms: number }

/** Something wrong with a file, which may be that of a bot. */
export type FileMistake = Mistake & { path: string }

/** What came of a file. */
export type FileReport = {
  path: string
  tests: TestReport[]
  /** Why it did not run. A mistake of a bot is told with the first file that names it. */
  mistakes: FileMistake[]
  /** True: it did not run because of a bot whose mistakes were told before. */
  isSkipped: boolean
}

/** What the tests of all files reach of a bot. */
export type BotCoverage = Coverage & { bot: string }

export type Suite = {
  run(path: string): Promise<FileReport>
  coverage(): BotCoverage[]
}

/** A bot, or what is wrong with it; `isTold`: somebody has heard of that. */
type Known = { flow: Flow; reached: Reached } | { mistakes: FileMistake[]; isTold: boolean }

/** Opens a run over files. */
export function openSuite(parts: SuiteParts): Suite {
  const bots = new Map<string, Known>()
  const botAt = async (path: string, named: FileMistake): Promise<Known> => {
    const known = bots.get(path) ?? (await readKnown(parts, path, named))
    bots.set(path, known)
    return known
  }
  return {
    async run(path) {
      const report: FileReport = { path, tests: [], mistakes: [], isSkipped: false }
      const text = await parts.readText(path).catch(sentenceOf)
      const read = typeof text === "string" ? readTestFile(text) : [{ ...start, ...text }]
      if (hasMistakes(read)) {
        return { ...report, mistakes: read.map((mistake) => ({ path, ...mistake })) }
      }
      const { file, positionOf } = read
      const find = async (named: string, keys: string[]) => {
        const found = parts.resolve(path, named)
        return {
          path: found,
          known: await botAt(found, { path, message: "", ...positionOf(keys) }),
        }
      }
      const root = await find(file.bot, ["bot"])
      const linked = new Map<string, Awaited<ReturnType<typeof find>>>()
      for (const [id, named] of Object.entries(file.linked ?? {})) {
        linked.set(id, await find(named, ["linked", id]))
      }
      const wrong = [root, ...linked.values()].flatMap(({ known }) =>
        "mistakes" in known ? known : [],
      )
      if (wrong.length > 0 || !("flow" in root.known)) {
        const mistakes = wrong.flatMap((each) => (each.isTold ? [] : each.mistakes))
        for (const each of wrong) each.isTold = true
        return { ...report, mistakes, isSkipped: mistakes.length === 0 }
      }
      const { flow, reached } = root.known
      const others = [...linked].flatMap(([id, { known }]) =>
        "flow" in known ? [{ id, ...known }] : [],
      )
      const played = {
        flow,
        linked: Object.fromEntries(others.map((each) => [each.id, each.flow])),
        runScripts: parts.runScripts,
        maxMs: parts.maxMs,
        onTurn: ({ trail = [] }: { trail?: Parameters<Reached["note"]>[0] | undefined }) => {
          reached.note(trail, rootVersion)
          for (const each of others) each.reached.note(trail, each.id)
        },
      }
      for (const test of testsIn(file, basename(path))) {
        const began = performance.now()
        const outcome = await runTest(test, played)
        const ms = Math.round(performance.now() - began)
        report.tests.push({ ...outcome, ...positionOf(placeOf(test, outcome)), ms })
      }
      return report
    },
    coverage: () =>
      [...bots].flatMap(([bot, known]) =>
        "flow" in known ? [{ bot, ...known.reached.coverage() }] : [],
      ),
  }
}

const start: Position = { line: 1, column: 1 }

async function readKnown(
  { readBot }: SuiteParts,
  path: string,
  named: FileMistake,
): Promise<Known> {
  const read = await readBot(path).catch(sentenceOf)
  if ("message" in read) return { mistakes: [{ ...named, ...read }], isTold: false }
  if (Array.isArray(read)) {
    return { mistakes: read.map((mistake) => ({ path, ...mistake })), isTold: false }
  }
  return { flow: read, reached: openReached(botOf(read)) }
}

function botOf(flow: Flow): Bot {
  return prepareBot(flow, rootVersion, rootVersion)
}

function sentenceOf(error: unknown): { message: string } {
  return { message: error instanceof Error ? error.message : String(error) }
}

/** Keys that lead to what a person wants to see first. */
function placeOf(test: ConversationTest, { failure }: TestOutcome): (string | number)[] {
  const { path, expectPath, steps } = test
  if (failure?.expectation) return [...expectPath, ...failure.expectation]
  if (failure?.step === undefined) return path
  return [...path, Math.min(failure.step, Math.max(0, steps.length - 1))]
}
