/** A run in the Test Anything Protocol, version 14. */
import { inOneLine } from "./failureLines.ts"
import { type Point, pointsOf, type SuiteReport, skipReason } from "./suiteReport.ts"

/** The document. */
export function tapOf({ files }: SuiteReport): string {
  const points = files.flatMap((file) =>
    pointsOf(file).map((point) => ({ path: file.path, ...point })),
  )
  return [
    "TAP version 14",
    `1..${points.length}`,
    ...points.flatMap((point, index) => linesOf(point, index + 1)),
  ].join("\n")
}

function linesOf({ path, name, at, problem, isSkipped }: Point & { path: string }, number: number) {
  const title = name === undefined ? `${path} can be read` : `${path} > ${name}`
  const end = isSkipped ? ` # SKIP ${skipReason}` : ""
  const line = `${problem ? "not ok" : "ok"} ${number} - ${escaped(title)}${end}`
  if (!problem) return [line]
  const { message, ...conversation } = problem
  // JSON is YAML, and keeps every value on one line.
  const members = Object.entries({ message, at, ...conversation }).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`,
  )
  return [line, ...["---", ...members, "..."].map((each) => `  ${each}`)]
}

function escaped(text: string): string {
  return inOneLine(text).replaceAll(/[\\#]/g, "\\$&")
}
