/** Writes reports in the Static Analysis Results Interchange Format (SARIF 2.1.0, OASIS 2020). */
import { isAbsolute, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { ReportRule } from "../workshop/explore/exploreRules.ts"
import type { FileFinding, FileReport } from "./lintReport.ts"

/** The log of one run, to be printed as JSON. */
export function sarifOf(
  reports: readonly FileReport[],
  rules: readonly ReportRule[],
  version: string,
  ended?: { exitCode: number; sentences: readonly string[] },
): object {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "parley", version, informationUri, rules: rules.map(descriptorOf) },
        },
        columnKind: "utf16CodeUnits",
        ...(ended && { invocations: [invocationOf(ended)] }),
        results: reports.flatMap(({ file, findings }) =>
          findings.map((finding) => resultOf(finding, file, rules)),
        ),
      },
    ],
  }
}

/** Names the rules: there is no site that describes them, `--rules` does. */
const informationUri = "urn:parley:rules"

/** How the run ended, and what it could not do. */
function invocationOf({ exitCode, sentences }: { exitCode: number; sentences: readonly string[] }) {
  return {
    executionSuccessful: true,
    exitCode,
    toolExecutionNotifications: sentences.map((text) => ({ level: "note", message: { text } })),
  }
}

function descriptorOf({ id, severity, description, remedy }: ReportRule) {
  return {
    id,
    shortDescription: { text: description },
    fullDescription: { text: `${description} ${remedy}` },
    help: { text: remedy },
    defaultConfiguration: { level: severity },
  }
}

function resultOf(finding: FileFinding, file: string, rules: readonly ReportRule[]) {
  const { rule, severity, place, message, remedy, pointer, line, column, steps = [] } = finding
  return {
    ruleId: rule,
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level: severity,
    message: { text: [`${place}: ${message}. ${remedy}`, ...steps].join("\n") },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, startColumn: column },
        },
        logicalLocations: [{ name: place, fullyQualifiedName: pointer }],
      },
    ],
    partialFingerprints: { "rule/pointer/v1": `${rule}:${pointer}` },
  }
}

/** Relative to the current folder, so that other machines find the file too. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href
  return file.split(sep).map(encodeURIComponent).join("/")
}
