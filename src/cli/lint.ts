/** parley lint */
import manifest from "../../package.json" with { type: "json" }
import { lintBot } from "../authoring/lint/lint.ts"
import { readBotFile } from "./botFile.ts"
import { command, flag, jsonArg, print, printJson, word } from "./command.ts"
import {
  countFindings,
  type FileReport,
  prettyLines,
  printRules,
  reportRules,
  unreadableFile,
} from "./lintReport.ts"
import { hasStyles } from "./output.ts"
import { withPositions } from "./position.ts"
import { sarifOf } from "./sarif.ts"

/** Checks bots in files, without a server or a database. */
export const lintCommand = command({
  name: "lint",
  description: "Check bots in files; exits with code 1 if one of them cannot run",
  args: {
    files: { ...word("Files with one bot each, or - for standard input"), required: false },
    json: jsonArg,
    sarif: flag("Print SARIF 2.1.0"),
    rules: flag("List the rules"),
  },
  takesMoreWords: true,
  run: async ({ _: files, json, sarif, rules }, environment) => {
    if (rules) return printRules(reportRules, json)
    if (files.length === 0) throw new Error("Name the files to check: see `parley lint --help`.")
    const reports: FileReport[] = []
    for (const file of files) reports.push(await reportOn(file))
    const counts = countFindings(reports)
    if (sarif) printJson(sarifOf(reports, reportRules, manifest.version))
    else if (json) printJson({ files: reports, ...counts })
    else prettyLines(reports, hasStyles(environment)).forEach(print)
    if (counts.errorCount > 0) process.exitCode = 1
  },
})

async function reportOn(file: string): Promise<FileReport> {
  const read = await readBotFile(file).catch((error: Error) => error)
  if (read instanceof Error) {
    const { id: rule, severity, remedy } = unreadableFile
    const message = read.message.replace(/\.$/, "")
    const start = { pointer: "", place: "File", line: 1, column: 1 }
    return { file, findings: [{ rule, severity, message, remedy, ...start }] }
  }
  return { file, findings: withPositions(lintBot(read.raw), read.text) }
}
