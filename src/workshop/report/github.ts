/** A run as annotations of a GitHub workflow. */
import { pointsOf, type SuiteReport } from "./suiteReport.ts"

/** A workflow command for each failure and each mistake. */
export function githubLines({ files }: SuiteReport): string[] {
  return files.flatMap(pointsOf).flatMap(({ name = "Mistake in a test file", at, problem }) => {
    if (!problem || !at) return []
    const { message, conversation } = problem
    const where = { file: at.file, line: at.line, col: at.column, title: name }
    return errorLine(where, conversation === undefined ? message : `${message}\n${conversation}`)
  })
}

function errorLine(properties: Record<string, string | number>, message: string): string {
  const named = Object.entries(properties).map(
    ([name, value]) =>
      `${name}=${escaped(String(value)).replaceAll(":", "%3A").replaceAll(",", "%2C")}`,
  )
  return `::error ${named.join(",")}::${escaped(message)}`
}

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
}
