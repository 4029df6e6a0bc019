/** Work on whole flows that would block the event loop: pure functions by name. */
import { isDeepStrictEqual } from "node:util"
import { diffFlows } from "../../authoring/diff/diffFlows.ts"
import { diffMarkdown } from "../../authoring/diff/diffMarkdown.ts"
import type { FlowChange } from "../../authoring/diff/diffSchemas.ts"
import type { Finding } from "../../authoring/lint/finding.ts"
import { flattenIssues } from "../../authoring/lint/issues.ts"
import { lintBot, lintFlow, readBot } from "../../authoring/lint/lint.ts"
import type { Surroundings } from "../../authoring/lint/lintContext.ts"
import { rulesToRun } from "../../authoring/lint/rules.ts"
import { type RiskRating, rateFlow } from "../../authoring/risk/rateFlow.ts"
import type { RiskWords } from "../../authoring/risk/riskWords.ts"
import { flowOfImport, readImport } from "../../authoring/upgrade/importedBot.ts"
import { normalizeFlow } from "../../authoring/upgrade/normalize.ts"
import { shortenBot } from "../../authoring/upgrade/shortenBot.ts"
import { validateFlow } from "../../authoring/upgrade/validateFlow.ts"
import type { VersionContent } from "../../db/bots/versions.ts"
import { type Flow, flowSchema } from "../../engine/bot.ts"
import type { Issue } from "../../lib/errors.ts"
import { newId } from "../../lib/ids.ts"
import { contentOf } from "../contentOf.ts"
import { countByRule, type FlowReferences, hasPaidBlock, referencesOf } from "../flowReferences.ts"

/** Max characters of a diff as JSON: four times the largest flow. */
const maxCharacters = 16_000_000

/** Max findings reported per bot. */
const maxFindings = 500

/** A report of the linter: the first findings, and their counts. */
export type LintReport = { findings: Finding[]; errorCount: number; warningCount: number }

/** The published form of a draft, or the findings that prevent it. */
export type Publishable =
  | { content: VersionContent; references: FlowReferences; hasPaidBlock: boolean }
  | { issues: Issue[] }

/** Every job takes and returns one value that can be sent to a thread. */
export const jobs = {
  /** Compares two flows; 422 when they differ by more than an answer may hold. */
  diff({ before, after }: { before: Flow; after: Flow }): FlowChange[] {
    return diffFlows(before, after, maxCharacters)
  },

  /** The same as a report. */
  diffReport({ before, after }: { before: Flow; after: Flow }): string {
    return diffMarkdown(diffFlows(before, after, maxCharacters))
  },

  /** The references of a bot in a request; undefined: it does not parse. */
  references(raw: unknown): FlowReferences | undefined {
    const flow = readBot(raw)
    return flow && referencesOf(flow)
  },

  /** Reads a bot in a request as an import stores it; throws a 400 when it has no start. */
  readSent(raw: unknown): { flow: Flow } | { issues: Issue[] } {
    const read = readImport(raw)
    if (!read.success) return { issues: flattenIssues(read.error.issues, raw) }
    return { flow: flowOfImport(shortenBot(read.data), newId, ["bot"]) }
  },

  /** Checks a bot in a request. */
  lint({ bot, around }: { bot: unknown; around?: Surroundings }): LintReport {
    const findings = lintBot(bot, around)
    const errorCount = findings.filter(({ severity }) => severity === "error").length
    const warningCount = findings.length - errorCount
    return { findings: findings.slice(0, maxFindings), errorCount, warningCount }
  },

  /** Checks a stored draft that can be published: why it cannot run, and the first finding of every rule with their number. */
  lintDraft({ stored, around }: { stored: unknown; around: Surroundings }) {
    const read = validateFlow(flowSchema, normalizeFlow(stored))
    const findings = read.success ? lintFlow(read.data, around) : []
    const errors = findings.filter(({ rule }) => rulesToRun.has(rule))
    return { errors: errors.slice(0, maxFindings), warnings: countByRule(findings) }
  },

  /** Rates the risk of a flow by the words that the operator lists. */
  rate(rated: { flow: unknown; words: RiskWords; isNewWorkspace: boolean }): RiskRating {
    return rateFlow(rated.flow, rated.words, rated.isNewWorkspace)
  },

  /** Reads a stored draft as publishing does. */
  readDraft(stored: unknown): Publishable {
    const read = validateFlow(flowSchema, normalizeFlow(stored))
    if (!read.success) return { issues: flattenIssues(read.error.issues, stored) }
    const { data: flow } = read
    return {
      content: contentOf(flow),
      references: referencesOf(flow),
      hasPaidBlock: hasPaidBlock(flow),
    }
  },

  /**
   * The draft as publishing would store it, so that equal flows make one version; a draft that could not be
   * published, or would lose parts, stays unchanged.
   */
  contentOfDraft(stored: Flow): VersionContent {
    const read = validateFlow(flowSchema, stored)
    return contentOf(read.success && isDeepStrictEqual(read.data, stored) ? read.data : stored)
  },
}

export type Jobs = typeof jobs

export type JobName = keyof Jobs
