/** Findings of checks, and rules. */
import type { Issue } from "../../lib/errors.ts"
import type { BlockEntry } from "./blockEntries.ts"
import type { LintContext } from "./lintContext.ts"
import type { Path } from "./location.ts"

/** An error: the bot, or a part that chats reach, cannot work at all. A warning: it may go wrong. */
type Severity = "error" | "warning"

/** One defect of a bot. */
export type Finding = {
  /** Id of the rule that was broken; ids never change their meaning. */
  rule: string
  severity: Severity
  /** JSON Pointer (RFC 6901) from the bot to the defect; "" is the bot itself. */
  pointer: string
  /** Place for people: `Group "Contact" › block 5 "email input"`. */
  place: string
  /** The defect, as a sentence. */
  message: string
  /** The remedy, as a sentence. */
  remedy: string
}

/** A violation of a rule, before it becomes a finding. */
export type Violation = {
  /** Keys from the flow to the defect. */
  path: Path
  message: string
  /** Place for people, if that is elsewhere. */
  seenAt?: Path
}

export type Rule = {
  id: string
  severity: Severity
  /** The requirement, in one sentence. */
  description: string
  remedy: string
  /** Checks a flow whose shape is valid. */
  check?(context: LintContext): Violation[]
  /** Checks each block of such a flow. */
  checkBlock?(entry: BlockEntry, context: LintContext): Violation[]
  /** The message for an issue of an invalid shape; undefined when another rule reports it. */
  judge?(issue: Issue, raw: unknown): string | undefined
}

type Unrated = Omit<Rule, "severity">

/**
 * A rule that a bot, or a part of it, must keep to work; see `rulesToRun` of rules.ts for those that block
 * publishing.
 */
export const error = (rule: Unrated): Rule => ({ ...rule, severity: "error" })

/** A rule whose violation makes a part run badly or not at all. */
export const warning = (rule: Unrated): Rule => ({ ...rule, severity: "warning" })
