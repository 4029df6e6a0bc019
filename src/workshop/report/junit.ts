/** A run as JUnit XML, in the form that CI systems share. */
import type { FileReport, TestReport } from "../suite.ts"
import { failureText, inOneLine } from "./failureLines.ts"
import { countTests, type SuiteReport, skipReason } from "./suiteReport.ts"

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
  const { path, tests, mistakes, isSkipped } = file
  const cases = [
    ...tests.flatMap((test) => caseLines(path, test)),
    ...mistakes.flatMap((mistake) => {
      const { line, column, message } = mistake
      const where = attributes({ name: "can be read", classname: path, file: mistake.path, line })
      const told = attributes({ message, type: "mistake" })
      return [
        `<testcase${where}>`,
        `  <error${told}>${escaped(`at ${inOneLine(mistake.path)}:${line}:${column}`)}</error>`,
        "</testcase>",
      ]
    }),
    ...(isSkipped
      ? [
          `<testcase${attributes({ name: "can be read", classname: path })}>`,
          `  <skipped${attributes({ message: skipReason })}/>`,
          "</testcase>",
        ]
      : []),
  ]
  return [
    `<testsuite${attributes({ name: path })}${counts([file])}>`,
    ...cases.map((line) => `  ${line}`),
    "</testsuite>",
  ]
}

function caseLines(path: string, test: TestReport): string[] {
  const { name, line, column, ms, failure } = test
  const where = attributes({ name, classname: path, file: path, line, time: seconds(ms) })
  if (!failure) return [`<testcase${where}/>`]
  const text = escaped(`at ${inOneLine(path)}:${line}:${column}\n${failureText(test)}`)
  return [
    `<testcase${where}>`,
    `  <failure${attributes({ message: failure.message, type: "failure" })}>${text}</failure>`,
    "</testcase>",
  ]
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
