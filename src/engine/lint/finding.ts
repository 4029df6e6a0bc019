/** What checks find in a bot, and what a rule is. */
import type { Issue } from "../../shared/errors.ts"
import type { Path } from "./location.ts"
import type { Site } from "./sites.ts"
import type { Subject } from "./subject.ts"

/** An error keeps a bot from running at all; a warning tells of something that runs badly or not. */
export type Severity = "error" | "warning"

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

/** A finding of a rule, before it is put into words for the caller. */
export type Found = {
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
  /** Looks at a flow whose shape is right: what breaks the rule. */
  check?(subject: Subject): Found[]
  /** The same for each of its blocks. */
  checkBlock?(site: Site, subject: Subject): Found[]
  /** Looks at a shape that is wrong: what is said of an issue that this rule takes; else undefined. */
  judge?(issue: Issue, raw: unknown): string | undefined
}
