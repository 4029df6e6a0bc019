/** Runs the tests in files and reports them. */
import { dirname, join, normalize } from "node:path"
import { openSandbox, type Sandbox } from "../../effects/sandbox/sandbox.ts"
import { inOneLine } from "../../workshop/report/failureLines.ts"
import { githubLines } from "../../workshop/report/github.ts"
import { jsonOf } from "../../workshop/report/jsonReport.ts"
import { junitOf } from "../../workshop/report/junit.ts"
import { countTests, type SuiteReport } from "../../workshop/report/suiteReport.ts"
import { tapOf } from "../../workshop/report/tap.ts"
import { type BotCoverage, createSuite, type FileReport } from "../../workshop/suite.ts"
import { print, printJson, tell } from "../command.ts"
import { replaceFile } from "../writeWhole.ts"
import type { FetchedBots } from "./botOnService.ts"
import { coverageLines, fileLines, summaryLine, updateLines } from "./prettyTests.ts"
import { findTestFiles, readBotToTest, readTextFile } from "./testFiles.ts"
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
  const known = new Map<string, FileReport>()
  let code = 0
  const run = async (some: readonly string[]) => {
    const ran = await runOnce(some, sandbox, options)
    for (const file of ran.files) known.set(file.path, file)
    code = ran.code
  }
  const watched = () => [...known.values()].flatMap(({ path, bots }) => [path, ...bots])
  /** Runs the tests that a change affects. */
  const runAgain = async (changed: ReadonlySet<string>) => {
    const present = await findTestFiles(options.files).catch(() => [])
    const concerned = present.filter((path) => {
      const before = known.get(path)
      return !before || [path, ...before.bots].some((each) => changed.has(normalize(each)))
    })
    if (concerned.length === 0) return watched()
    if (showsProse(options.reporter)) separate(changed)
    await run(concerned)
    return watched()
  }
  try {
    await run(paths)
    if (options.until) await watchFiles(watched(), runAgain, options.until)
    return code
  } finally {
    sandbox.close()
  }
}

/** A line between two runs, with the time and the files that have changed. */
function separate(changed: ReadonlySet<string>): void {
  const time = new Date().toTimeString().slice(0, 8)
  print("")
  print(`── ${time}: ${[...changed].toSorted().map(inOneLine).join(", ")} ──`)
}

async function runOnce(paths: readonly string[], sandbox: Sandbox, options: TestOptions) {
  const { hasCoverage, updates, least, reporter, hasColours, against } = options
  const suite = createSuite({
    readText: readTextFile,
    readBot: async (path) => against?.flows.get(path) ?? (await readBotToTest(path)),
    instead: against && {
      bot: against.id,
      linked: Object.fromEntries([...against.flows.keys()].map((id) => [id, id])),
    },
    resolve: (testFile, bot) => (against ? bot : join(dirname(testFile), bot)),
    runScripts: sandbox.run,
    workspace: against?.workspace,
  })
  const files: FileReport[] = []
  for (const path of paths) {
    const update = updates ? await suite.update(path) : undefined
    if (update?.text !== undefined) await replaceFile(path, update.text)
    // What is not part of a report for programs is a remark.
    if (update) updateLines(update, hasColours).forEach(showsProse(reporter) ? print : tell)
    const file = await suite.run(path)
    if (showsProse(reporter)) fileLines(file, hasColours).forEach(print)
    files.push(file)
  }
  const coverage = hasCoverage ? suite.coverage() : undefined
  show({ files, coverage }, options)
  const isTooLittle = least !== undefined && isBelow(coverage ?? [], least)
  // Reports for programs have no place for it.
  if (isTooLittle)
    (showsProse(reporter) ? print : tell)(`Some bot is reached by less than ${least} %.`)
  const { failed, wrong } = countTests(files)
  if (wrong > 0) return { files, code: troubleCode }
  if (failed > 0) return { files, code: failedCode }
  return { files, code: isTooLittle ? troubleCode : 0 }
}

/** Annotations stand beside what people read in the log. */
function showsProse(reporter: Reporter): boolean {
  return reporter === "pretty" || reporter === "github"
}

function show(report: SuiteReport, { reporter, hasColours }: TestOptions): void {
  if (reporter === "junit") print(junitOf(report))
  if (reporter === "tap") print(tapOf(report))
  if (reporter === "json") printJson(jsonOf(report))
  if (reporter === "github") githubLines(report).forEach(print)
  if (!showsProse(reporter)) return
  for (const each of report.coverage ?? []) coverageLines(each, hasColours).forEach(print)
  print(summaryLine(report.files))
}

function isBelow(coverage: readonly BotCoverage[], least: number): boolean {
  return coverage.some(({ groups, blocks, edges, conditions }) =>
    [groups, blocks, edges, conditions].some(({ total, reached }) => 100 * reached < least * total),
  )
}
