/** A run as JUnit XML, in the form that CI systems share. */
import type { FileReport } from "../suite.ts"
import { inOneLine } from "./failureLines.ts"
import { countTests, type Point, pointsOf, type SuiteReport, skipReason } from "./suiteReport.ts"

/** The document. */
export function junitOf({ files }: SuiteReport): string {
  const inner = files.flatMap(suiteLines).map((line) => `  ${line}`)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="parley test"${counts(files)}>`,
    ...inner,
    "</testsuites>",
  ].join("\n")
}

function suiteLines(file: FileReport): string[] {
  const cases = pointsOf(file).flatMap((point) => caseLines(file.path, point))
  return [
    `<testsuite${attributes({ name: file.path })}${counts([file])}>`,
    ...cases.map((line) => `  ${line}`),
    "</testsuite>",
  ]
}

function caseLines(path: string, point: Point): string[] {
  const { name = "can be read", at, ms } = point
  const place = at && { file: at.file, line: at.line }
  const time = ms === undefined ? undefined : { time: seconds(ms) }
  const where = attributes({ name, classname: path, ...place, ...time })
  const outcome = outcomeOf(point)
  return outcome === undefined
    ? [`<testcase${where}/>`]
    : [`<testcase${where}>`, `  ${outcome}`, "</testcase>"]
}

/** The content of the element of a failed or skipped test. */
function outcomeOf({ name, at, problem, isSkipped }: Point): string | undefined {
  if (isSkipped) return `<skipped${attributes({ message: skipReason })}/>`
  if (!problem) return undefined
  const { message, conversation } = problem
  const [element, type] = name === undefined ? ["error", "mistake"] : ["failure", "failure"]
  const place = at && `at ${inOneLine(at.file)}:${at.line}:${at.column}`
  const text = escaped([place, conversation].filter((each) => each !== undefined).join("\n"))
  return `<${element}${attributes({ message, type })}>${text}</${element}>`
}

function counts(files: readonly FileReport[]): string {
  const { passed, failed, skipped } = countTests(files)
  const errors = files.flatMap(({ mistakes }) => mistakes).length
  const time = files.flatMap(({ tests }) => tests).reduce((sum, { ms }) => sum + ms, 0)
  const tests = passed + failed + skipped + errors
  return attributes({ tests, failures: failed, errors, skipped, time: seconds(time) })
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3)
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`)
    .join("")
}

/** XML 1.0 has no control characters, not even as references. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}
