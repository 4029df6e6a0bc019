/** What checks find in a bot, and what a rule is. */
import type { Issue } from "../../errors.ts"
import type { BlockEntry } from "./blockEntries.ts"
import type { LintContext } from "./lintContext.ts"
import type { Path } from "./location.ts"

/** An error keeps a bot from running at all; a warning says that something runs badly or not at all. */
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

/** What breaks a rule, before it is put into words for the caller. */
export type Violation = {
  /** Keys from the flow to what is wrong. */
  path: Path
  message: string
  /** Where a person finds it, when that is elsewhere. */
  seenAt?: Path
}

/** A rule: its texts, and how to find what breaks it. */
export type Rule = {
  id: string
  severity: Severity
  /** What the rule asks for, in one sentence. */
  description: string
  remedy: string
  /** Looks at a flow whose shape is right. */
  check?(context: LintContext): Violation[]
  /** Looks at each block of such a flow. */
  checkBlock?(entry: BlockEntry, context: LintContext): Violation[]
  /** Looks at an issue of a shape that is wrong: the message; undefined when another rule reports it. */
  judge?(issue: Issue, raw: unknown): string | undefined
}
