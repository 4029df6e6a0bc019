/** Runs the tests in files and reports them. */
import { dirname, join } from "node:path"
import { openSandbox } from "../../effects/sandbox/sandbox.ts"
import { githubLines } from "../../workshop/report/github.ts"
import { jsonOf } from "../../workshop/report/json.ts"
import { junitOf } from "../../workshop/report/junit.ts"
import { countTests, type SuiteReport } from "../../workshop/report/suiteReport.ts"
import { tapOf } from "../../workshop/report/tap.ts"
import { type BotCoverage, openSuite } from "../../workshop/suite.ts"
import { print, printJson } from "../command.ts"
import { type Line, writeLine } from "../output.ts"
import { coverageLines, fileLines, summaryLine, updateLines } from "./prettyTests.ts"
import { findTestFiles, readBotToTest, readTextFile, replaceFile } from "./testFiles.ts"

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
}

export const reporters = ["pretty", "junit", "tap", "json", "github"] as const

export type Reporter = (typeof reporters)[number]

/** Code of the process: some test failed; a file is wrong, or too little is reached. */
const failedCode = 1
const troubleCode = 2

/** Runs them all. Returns the code with which the process ends. */
export async function runTests(options: TestOptions): Promise<number> {
  const { hasCoverage, updates, least, reporter, hasColours } = options
  const paths = await findTestFiles(options.files)
  if (paths.length === 0) throw new Error("There are no files named like *.test.yaml here.")
  const sandbox = openSandbox()
  try {
    const suite = openSuite({
      readText: readTextFile,
      readBot: readBotToTest,
      resolve: (testFile, bot) => join(dirname(testFile), bot),
      runScripts: (scripts, how) => sandbox.run(scripts, how),
    })
    const files = []
    for (const path of paths) {
      const update = updates ? await suite.update(path) : undefined
      if (update?.text !== undefined) await replaceFile(path, update.text)
      if (update) updateLines(update, hasColours).forEach(reportTo(reporter))
      const file = await suite.run(path)
      if (showsProse(reporter)) fileLines(file, hasColours).forEach(print)
      files.push(file)
    }
    const coverage = hasCoverage ? suite.coverage() : undefined
    const report = { files, coverage }
    show(report, options)
    const { failed, wrong } = countTests(files)
    if (wrong > 0) return troubleCode
    if (failed > 0) return failedCode
    return least !== undefined && isBelow(coverage ?? [], least) ? troubleCode : 0
  } finally {
    sandbox.close()
  }
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
