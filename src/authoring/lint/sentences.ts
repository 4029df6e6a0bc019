/** Describes required values instead of Zod 4.6, whose own phrases are for developers. */
import type { z } from "zod"

/** The message for a missing value. */
export const requiredMessage = "is required"

const maxChoices = 12
const maxKeys = 5
const maxKeyLength = 50

/**
 * The message of an issue, as the predicate of a sentence about the value: "must be a string, not a number".
 * Not called for schemas with their own messages.
 */
export function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? requiredMessage
        : `must be ${kindName(issue.expected)}${issue.expected === "boolean" ? "" : notA(issue.input)}`
    case "invalid_value":
      return issue.input === undefined ? requiredMessage : mustBeOneOf(issue.values)
    case "too_small":
      return bound(issue, issue.minimum, issue.inclusive === false ? "more than" : "at least")
    case "too_big":
      return bound(issue, issue.maximum, issue.inclusive === false ? "less than" : "at most")
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`
    case "invalid_format":
      return formOf(issue)
    case "unrecognized_keys":
      return `must not have ${issue.keys.length === 1 ? "the member" : "the members"} ${listOf(issue.keys)}`
    default:
      return "is not valid"
  }
}

/** "must be one of "a", "b"", shortened when there are many. */
export function mustBeOneOf(values: readonly unknown[]): string {
  const names = [...new Set(values)].map((value) => JSON.stringify(value))
  if (names.length === 1) return `must be ${names[0]}`
  const left = names.length - maxChoices
  const more = left > 0 ? ` and ${left} more` : ""
  return `must be one of ${names.slice(0, maxChoices).join(", ")}${more}`
}

/** "must be a string or an object" */
export function mustBeEither(names: readonly string[]): string {
  const unique = [...new Set(names)].slice(0, maxChoices)
  const last = unique.pop() ?? "something else"
  return `must be ${unique.length === 0 ? last : `${unique.join(", ")} or ${last}`}`
}

/** Whether a message is a predicate that follows the name of a value, not a whole sentence. */
export function isPredicate(message: string): boolean {
  return /^(?:must|is|may|has) /.test(message)
}

/** A kind of value with its article. */
export function kindName(expected: string): string {
  return kindNames[expected] ?? expected
}

/** JSON's names for Zod's kinds. */
const kindNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  null: "null",
}

/** ", not a number"; empty where that would not help. */
function notA(value: unknown): string {
  if (value === null) return ", not null"
  if (Array.isArray(value)) return ", not a list"
  const name = { string: "a string", boolean: "a boolean", object: "an object" }[
    typeof value as string
  ]
  return typeof value === "number" && Number.isInteger(value)
    ? ", not a number"
    : name
      ? `, not ${name}`
      : ""
}

type Bound = { origin: string; exact?: boolean | undefined }

const units: Readonly<Record<string, string>> = {
  string: "character",
  array: "item",
  set: "item",
  object: "member",
  record: "member",
  map: "member",
}

/** "must have at least 2 characters", "must be at most 100" */
function bound({ origin, exact }: Bound, limit: number | bigint, relation: string): string {
  const unit = units[origin]
  if (unit === undefined) return `must be ${relation} ${limit}`
  if (relation === "at least" && limit === 1 && !exact) return "must not be empty"
  const count = `${limit} ${unit}${limit === 1 ? "" : "s"}`
  return `must have ${exact ? "exactly" : relation} ${count}`
}

/** Names of formats; others are named as Zod names them. */
const formNames: Readonly<Record<string, string>> = {
  email: "an e-mail address",
  url: "an address such as https://example.com",
  uuid: "a UUID",
  datetime: "a time in ISO 8601, such as 2026-01-31T12:00:00Z",
  date: "a date in ISO 8601, such as 2026-01-31",
}

function formOf({ format, pattern }: { format: string; pattern?: string | undefined }): string {
  if (format === "regex") return `must match ${pattern}`
  return `must be ${formNames[format] ?? `of the form ${format}`}`
}

function listOf(keys: readonly string[]): string {
  const names = keys.slice(0, maxKeys).map((key) => `\`${key.slice(0, maxKeyLength)}\``)
  const left = keys.length - names.length
  return names.join(", ") + (left > 0 ? ` and ${left} more` : "")
}
