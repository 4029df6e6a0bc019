/** What `parley lint` found in files, for people and for programs. */
import type { Finding } from "../authoring/lint/finding.ts"
import { rules } from "../authoring/lint/rules.ts"
import type { ReportRule } from "../workshop/explore/exploreRules.ts"
import type { Position } from "../workshop/files/readTestFile.ts"
import { printJson } from "./command.ts"
import { type Line, painter } from "./output.ts"
import { printTable } from "./printTable.ts"

/** A finding, its position in the file, and how to come there, if that is known. */
export type FileFinding = Finding & Position & { steps?: readonly string[] }

export type FileReport = { file: string; findings: FileFinding[] }

/** The one rule that is about files rather than bots. */
export const unreadableFile = {
  id: "unreadable-file",
  severity: "error",
  description: "The file exists and holds JSON.",
  remedy: "Check the name of the file, or export the bot once more.",
} as const

/** Every rule that a report may name: its id, its severity, what it asks for and what to do. */
export const reportRules: readonly ReportRule[] = [unreadableFile, ...rules].map((rule) => {
  const { id, severity, description, remedy } = rule
  return { id, severity, description, remedy }
})

export function printRules(listed: readonly ReportRule[], isJson: boolean): void {
  if (isJson) printJson(listed)
  else printTable(listed.map(({ id, severity, description }) => [id, severity, description]))
}

export function countFindings(reports: readonly FileReport[]) {
  const findings = reports.flatMap((report) => report.findings)
  const errorCount = findings.filter(({ severity }) => severity === "error").length
  return { errorCount, warningCount: findings.length - errorCount }
}

export function prettyLines(reports: readonly FileReport[], hasColours: boolean): Line[] {
  const painted = painter(hasColours)
  const lines: Line[] = reports.flatMap(({ file, findings }) =>
    findings.flatMap(
      ({ severity, place, message, rule, remedy, line, column, pointer, steps = [] }) => [
        [
          painted("bold", `${file}:${line}:${column}`),
          ...(pointer === "" ? [] : [" ", painted("dim", pointer)]),
        ],
        [
          "  ",
          painted(severity === "error" ? "red" : "yellow", severity),
          ` ${place}: ${message}. `,
          painted("dim", `(${rule})`),
        ],
        ["  ", painted("dim", remedy)],
        ...steps.map((step) => `  ${step}`),
        "",
      ],
    ),
  )
  return [...lines, summary(reports)]
}

function summary(reports: readonly FileReport[]): string {
  const { errorCount, warningCount } = countFindings(reports)
  const counts = [counted(errorCount, "error"), counted(warningCount, "warning")].join(" and ")
  return `${counts} in ${counted(reports.length, "file")}.`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`
}
