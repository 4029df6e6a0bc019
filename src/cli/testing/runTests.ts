/** Runs the tests in files and reports them. */
import { dirname, join, normalize } from "node:path"
import { openSandbox, type Sandbox } from "../../effects/sandbox/sandbox.ts"
import { githubLines } from "../../workshop/report/github.ts"
import { jsonOf } from "../../workshop/report/json.ts"
import { junitOf } from "../../workshop/report/junit.ts"
import { countTests, type SuiteReport } from "../../workshop/report/suiteReport.ts"
import { tapOf } from "../../workshop/report/tap.ts"
import { type BotCoverage, type FileReport, openSuite } from "../../workshop/suite.ts"
import { print, printJson } from "../command.ts"
import { type Line, writeLine } from "../output.ts"
import type { FetchedBots } from "./botOnService.ts"
import { coverageLines, fileLines, summaryLine, updateLines } from "./prettyTests.ts"
import { findTestFiles, readBotToTest, readTextFile, replaceFile } from "./testFiles.ts"
import { watchFiles } from "./watchFiles.ts"

/** How the tests run and what is shown of them. */
export type TestOptions = {
  files: readonly string[]
  reporter: Reporter
  hasCoverage: boolean
  /** Whether files are made to say what the bots say. */
  updates: boolean
  /** Share of each measure, in percent, that every bot must reach; absent: any will do. */
  least: number | undefined
  hasColours: boolean
  /** Bots of a service, which are played in place of those that files name. */
  against?: FetchedBots | undefined
  /** Absent: the tests run once; else again with every change, until this signal. */
  until?: AbortSignal | undefined
}

export const reporters = ["pretty", "junit", "tap", "json", "github"] as const

export type Reporter = (typeof reporters)[number]

/** Code of the process: some test failed; a file is wrong, or too little is reached. */
const failedCode = 1
const troubleCode = 2

/** Runs them all. Returns the code with which the process ends. */
export async function runTests(options: TestOptions): Promise<number> {
  const paths = await findTestFiles(options.files)
  if (paths.length === 0) throw new Error("There are no files named like *.test.yaml here.")
  const sandbox = openSandbox()
  const run = (some: readonly string[]) => runOnce(some, sandbox, options)
  try {
    const { files, code } = await run(paths)
    if (!options.until) return code
    return await runAgain(files, code, { options, run, until: options.until })
  } finally {
    sandbox.close()
  }
}

type Ran = { files: readonly FileReport[]; code: number }

/** Runs whatever a change concerns, until somebody ends it. */
async function runAgain(
  first: readonly FileReport[],
  code: number,
  parts: { options: TestOptions; run(paths: readonly string[]): Promise<Ran>; until: AbortSignal },
): Promise<number> {
  const known = new Map(first.map((file) => [file.path, file]))
  const watched = () => [...known.values()].flatMap(({ path, bots }) => [path, ...bots])
  let last = code
  await watchFiles(
    watched(),
    async (changed) => {
      const present = await findTestFiles(parts.options.files).catch(() => [])
      const concerned = present.filter((path) => {
        const before = known.get(path)
        return !before || [path, ...before.bots].some((each) => changed.has(normalize(each)))
      })
      if (concerned.length === 0) return watched()
      const ran = await parts.run(concerned)
      for (const file of ran.files) known.set(file.path, file)
      last = ran.code
      return watched()
    },
    parts.until,
  )
  return last
}

async function runOnce(
  paths: readonly string[],
  sandbox: Sandbox,
  options: TestOptions,
): Promise<Ran> {
  const { hasCoverage, updates, least, reporter, hasColours, against } = options
  const suite = openSuite({
    readText: readTextFile,
    readBot: async (path) => against?.flows.get(path) ?? (await readBotToTest(path)),
    instead: against && {
      bot: against.id,
      linked: Object.fromEntries([...against.flows.keys()].map((id) => [id, id])),
    },
    resolve: (testFile, bot) => (against ? bot : join(dirname(testFile), bot)),
    runScripts: (scripts, how) => sandbox.run(scripts, how),
  })
  const files: FileReport[] = []
  for (const path of paths) {
    const update = updates ? await suite.update(path) : undefined
    if (update?.text !== undefined) await replaceFile(path, update.text)
    if (update) updateLines(update, hasColours).forEach(reportTo(reporter))
    const file = await suite.run(path)
    if (showsProse(reporter)) fileLines(file, hasColours).forEach(print)
    files.push(file)
  }
  const coverage = hasCoverage ? suite.coverage() : undefined
  show({ files, coverage }, options)
  const { failed, wrong } = countTests(files)
  if (wrong > 0) return { files, code: troubleCode }
  if (failed > 0) return { files, code: failedCode }
  const isTooLittle = least !== undefined && isBelow(coverage ?? [], least)
  return { files, code: isTooLittle ? troubleCode : 0 }
}

/** What is not part of a report for programs is a remark. */
function reportTo(reporter: Reporter): (line: Line) => void {
  return showsProse(reporter) ? print : (line) => writeLine("stderr", line)
}

/** Annotations stand beside what people read in the log. */
function showsProse(reporter: Reporter): boolean {
  return reporter === "pretty" || reporter === "github"
}

function show(report: SuiteReport, { reporter, hasColours, least }: TestOptions): void {
  if (reporter === "junit") print(junitOf(report))
  if (reporter === "tap") print(tapOf(report))
  if (reporter === "json") printJson(jsonOf(report))
  if (reporter === "github") githubLines(report).forEach(print)
  if (!showsProse(reporter)) return
  for (const each of report.coverage ?? []) coverageLines(each, hasColours).forEach(print)
  print(summaryLine(report.files))
  if (least !== undefined && isBelow(report.coverage ?? [], least)) {
    print(`Some bot is reached by less than ${least} %.`)
  }
}

function isBelow(coverage: readonly BotCoverage[], least: number): boolean {
  return coverage.some(({ groups, blocks, edges, conditions }) =>
    [groups, blocks, edges, conditions].some(({ total, reached }) => 100 * reached < least * total),
  )
}
