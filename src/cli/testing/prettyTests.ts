/** Prints test results for people. */
import type { Position } from "../../workshop/files/readTestFile.ts"
import { failureLines, inOneLine, placeText } from "../../workshop/report/failureLines.ts"
import { countTests, skipReason } from "../../workshop/report/suiteReport.ts"
import type { BotCoverage, FileReport, TestReport } from "../../workshop/suite.ts"
import type { FileUpdate } from "../../workshop/update/updateFile.ts"
import { type Line, type Paint, painter } from "../output.ts"

/** Max untested places listed per bot. */
const maxMissed = 30

export function fileLines(file: FileReport, hasColours: boolean): Line[] {
  const paint = painter(hasColours)
  const { tests, mistakes, isSkipped } = file
  const path = inOneLine(file.path)
  if (isSkipped) return [[paint("yellow", "skipped"), ` ${path}: ${skipReason}`]]
  return [
    ...mistakes.map((mistake): Line => {
      const where = paint("bold", `${inOneLine(mistake.path)}:${mistake.line}:${mistake.column}`)
      return [paint("red", "mistake"), " ", where, ` ${inOneLine(mistake.message)}`]
    }),
    ...tests.flatMap((test) => testLines(path, test, paint)),
  ]
}

function testLines(path: string, test: TestReport, paint: Paint): Line[] {
  const { name, failure, line, column } = test
  const title = `${path} › ${inOneLine(name)}`
  if (!failure) return [[paint("green", "passed"), ` ${title}`]]
  const place = failure.at && ` (${placeText(failure.at)})`
  return [
    [paint("red", "failed"), ` ${title}`],
    ["  ", paint("bold", `${path}:${line}:${column}`)],
    ["  ", inOneLine(failure.message), paint("dim", place ?? "")],
    ...failureLines(test).map(({ sign, text, place: at }): Line => {
      const shown = `${sign} ${text}`
      const line = sign === " " ? shown : paint(sign === "+" ? "red" : "green", shown)
      return ["    ", line, paint("dim", at ? `   ${at}` : "")]
    }),
  ]
}

/** How a file was made to say what its bot says. */
export function updateLines({ path, changes, problems }: FileUpdate, hasColours: boolean): Line[] {
  const paint = painter(hasColours)
  const where = ({ line, column }: Position) =>
    paint("bold", `${inOneLine(path)}:${line}:${column}`)
  return [
    ...changes.flatMap(({ before, after, ...at }): Line[] => [
      [paint("yellow", "updated"), " ", where(at)],
      ...textLines("-", before).map((text) => ["    ", paint("red", text)]),
      ...textLines("+", after).map((text) => ["    ", paint("green", text)]),
    ]),
    ...problems.map(({ message, ...at }): Line => {
      return [paint("red", "not updated"), " ", where(at), ` ${inOneLine(message)}`]
    }),
  ]
}

function textLines(sign: string, text: string | undefined): string[] {
  return text === undefined ? [] : text.split(/\r\n?|\n/).map((line) => `${sign} | ${line}`)
}

/** The last line. */
export function summaryLine(files: readonly FileReport[]): string {
  const { passed, failed, wrong, skipped } = countTests(files)
  const tests = files.flatMap((file) => file.tests)
  const steps = tests.reduce((sum, each) => sum + each.steps, 0)
  const ms = tests.reduce((sum, each) => sum + each.ms, 0)
  const trouble = [
    wrong > 0 && `${wrong} with mistakes`,
    skipped > 0 && `${skipped} skipped`,
  ].filter(Boolean)
  const more = trouble.length > 0 ? `, ${trouble.join(", ")}` : ""
  const noun = files.length === 1 ? "file" : "files"
  return `${passed} passed, ${failed} failed in ${files.length} ${noun}${more} (${steps} steps, ${(ms / 1_000).toFixed(1)} s).`
}

/** What the tests reach of a bot, and what not. */
export function coverageLines(coverage: BotCoverage, hasColours: boolean): Line[] {
  const paint = painter(hasColours)
  const { bot, missed, ...shares } = coverage
  const counts = Object.entries(shares).map(([name, { reached, total }]) => {
    const percent = total === 0 ? "" : ` (${Math.floor((100 * reached) / total)} %)`
    return `  ${name.padEnd(11)}${reached} of ${total}${percent}`
  })
  const more = missed.length - maxMissed
  return [
    ["coverage of ", paint("bold", bot)],
    ...counts,
    ...missed.slice(0, maxMissed).map((place): Line => ["  not reached: ", inOneLine(place)]),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
