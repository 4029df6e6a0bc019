/** What checks find in a bot, and what a rule is. */
import type { Issue } from "../../lib/errors.ts"
import type { BlockEntry } from "./blockEntries.ts"
import type { LintContext } from "./lintContext.ts"
import type { Path } from "./location.ts"

/** With an error the bot, or a part that chats come to, cannot work at all; a warning is about what may go wrong. */
type Severity = "error" | "warning"

/** One thing that is wrong with a bot. */
export type Finding = {
  /** Id of the rule that was broken; ids never change their meaning. */
  rule: string
  severity: Severity
  /** JSON Pointer (RFC 6901) from the bot to what is wrong; "" is the bot itself. */
  pointer: string
  /** Where a person finds it: `Group "Contact" › block 5 "email input"`. */
  place: string
  /** What is wrong, as a sentence. */
  message: string
  /** What to do about it, as a sentence. */
  remedy: string
}

/** A place that breaks a rule, before it becomes a finding. */
export type Violation = {
  /** Keys from the flow to what is wrong. */
  path: Path
  message: string
  /** Where a person finds it, if that is elsewhere. */
  seenAt?: Path
}

/** A rule, and how to find what breaks it. */
export type Rule = {
  id: string
  severity: Severity
  /** What the rule asks for, in one sentence. */
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

/** A rule without which a bot, or a part of it, cannot work; see `rulesToRun` of rules.ts for what is not published. */
export const error = (rule: Unrated): Rule => ({ ...rule, severity: "error" })

/** A rule about a part, which else runs badly or not at all. */
export const warning = (rule: Unrated): Rule => ({ ...rule, severity: "warning" })
