/** parley lint */
import manifest from "../../package.json" with { type: "json" }
import { lintBot } from "../authoring/lint/lint.ts"
import type { Surroundings } from "../authoring/lint/lintContext.ts"
import type { Flow } from "../engine/bot.ts"
import { readBotFile } from "./botFile.ts"
import { command, flag, jsonArg, option, print, printJson, tell, word } from "./command.ts"
import { linkedArg, linkedFiles, readLinked } from "./linkedBots.ts"
import { createIgnores, settingsName } from "./lintIgnores.ts"
import {
  countFindings,
  type FileReport,
  prettyLines,
  printRules,
  reportRules,
  unreadableFile,
} from "./lintReport.ts"
import { hasStyles } from "./output.ts"
import { NoJson } from "./parseJson.ts"
import { withPositions } from "./position.ts"
import { sarifOf } from "./sarif.ts"

export const lintCommand = command({
  name: "lint",
  description:
    "Check bots in files; exits with code 1 if one of them cannot work. `parley.json` beside them may " +
    "name rules to ignore",
  args: {
    files: { ...word("Files with one bot each, or - for standard input"), required: false },
    strict: flag("Exit with code 1 for warnings, too"),
    "max-warnings": option("Exit with code 1 if there are more warnings"),
    linked: linkedArg,
    json: jsonArg,
    sarif: flag("Print SARIF 2.1.0"),
    rules: flag("List the rules"),
  },
  takesMoreWords: true,
  run: async ({ _: files, json, sarif, rules, linked, strict, ...args }, environment) => {
    if (rules) return printRules(reportRules, json)
    if (files.length === 0) throw new Error("Name the files to check: see `parley lint --help`.")
    const maxWarnings = strict ? 0 : mostIn(args["max-warnings"])
    const given = linkedFiles(linked)
    const surroundings = linked === undefined ? undefined : linkedBots(await readLinked(given))
    const ignores = createIgnores(reportRules.map(({ id }) => id))
    const reports: FileReport[] = []
    let ignoredCount = 0
    for (const file of files) {
      const report = await reportOn(file, surroundings)
      const findings = await ignores.apply(file, report.findings)
      ignoredCount += report.findings.length - findings.length
      reports.push({ file, findings })
    }
    const counts = countFindings(reports)
    const isTooMuch = counts.warningCount > maxWarnings
    if (sarif) printJson(sarifOf(reports, reportRules, manifest.version))
    else if (json) printJson({ files: reports, ...counts, ignoredCount })
    else {
      prettyLines(reports, hasStyles(environment)).forEach(print)
      if (ignoredCount > 0) print(`${ignoredCount} ignored by ${settingsName}.`)
    }
    for (const sentence of await ignores.unused()) tell(sentence)
    if (isTooMuch && !strict) tell(`There are more than ${maxWarnings} warnings.`)
    if (counts.errorCount > 0 || isTooMuch) process.exitCode = 1
  },
})

function mostIn(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Error(`--max-warnings must be a whole number, not "${text}".`)
}

/** What is known of other bots: only those that are given. */
function linkedBots(linked: Record<string, Flow>): Surroundings {
  return { botIds: new Set(Object.keys(linked)), linked: new Map(Object.entries(linked)) }
}

async function reportOn(file: string, surroundings: Surroundings | undefined): Promise<FileReport> {
  const read = await readBotFile(file).catch((error: Error) => error)
  if (read instanceof Error) {
    const { id: rule, severity, remedy } = unreadableFile
    const message = read.message.replace(/\.$/, "")
    const position = read instanceof NoJson ? read.position : { line: 1, column: 1 }
    const start = { pointer: "", place: "File", ...position }
    return { file, findings: [{ rule, severity, message, remedy, ...start }] }
  }
  return { file, findings: withPositions(lintBot(read.raw, surroundings), read.text) }
}
