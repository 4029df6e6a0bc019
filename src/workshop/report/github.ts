/** A run as annotations of a GitHub workflow. */
import { failureText } from "./failureLines.ts"
import type { SuiteReport } from "./suiteReport.ts"

/** A workflow command for each failure and each mistake. */
export function githubLines({ files }: SuiteReport): string[] {
  return files.flatMap(({ path, tests, mistakes }) => [
    ...mistakes.map(({ message, line, column, path: file }) =>
      errorLine({ file, line, col: column, title: "Mistake in a test file" }, message),
    ),
    ...tests.flatMap((test) => {
      const { failure, line, column, name } = test
      if (!failure) return []
      const where = { file: path, line, col: column, title: name }
      return errorLine(where, `${failure.message}\n${failureText(test)}`)
    }),
  ])
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
