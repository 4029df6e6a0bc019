/** A run in the Test Anything Protocol, version 14. */
import { failureText, inOneLine } from "./failureLines.ts"
import { type SuiteReport, skipReason } from "./suiteReport.ts"

/** A line of the plan: a test, or a file that could not be read. */
type Point = { isOk: boolean; name: string; directive?: string; diagnostic?: object }

/** The document. */
export function tapOf({ files }: SuiteReport): string {
  const points = files.flatMap(({ path, tests, mistakes, isSkipped }): Point[] => [
    ...tests.map((test): Point => {
      const { name, failure, line, column } = test
      const title = `${path} > ${name}`
      if (!failure) return { isOk: true, name: title }
      const at = { file: path, line, column }
      return {
        isOk: false,
        name: title,
        diagnostic: { message: failure.message, at, conversation: failureText(test) },
      }
    }),
    ...mistakes.map(({ message, line, column, ...mistake }): Point => {
      const at = { file: mistake.path, line, column }
      return { isOk: false, name: `${path} can be read`, diagnostic: { message, at } }
    }),
    ...(isSkipped
      ? [{ isOk: true, name: `${path} can be read`, directive: `SKIP ${skipReason}` }]
      : []),
  ])
  return [
    "TAP version 14",
    `1..${points.length}`,
    ...points.flatMap((point, index) => linesOf(point, index + 1)),
  ].join("\n")
}

function linesOf({ isOk, name, directive, diagnostic }: Point, number: number): string[] {
  const end = directive === undefined ? "" : ` # ${directive}`
  const line = `${isOk ? "ok" : "not ok"} ${number} - ${escaped(name)}${end}`
  if (!diagnostic) return [line]
  // JSON is YAML, and keeps every value on one line.
  const members = Object.entries(diagnostic).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`,
  )
  return [line, ...["---", ...members, "..."].map((each) => `  ${each}`)]
}

function escaped(text: string): string {
  return inOneLine(text).replaceAll(/[\\#]/g, "\\$&")
}
