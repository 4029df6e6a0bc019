/** Turns the issue tree of Zod 4.6 into a short list of sentences for callers. */
import { z } from "zod"
import { maxIssues } from "../../engine/schema/lists.ts"
import type { Issue } from "../../lib/errors.ts"
import { pick } from "../../lib/foreignJson.ts"
import { type Key, placeInFlow, pointerOf } from "./location.ts"
import { kindName, mustBeEither, mustBeOneOf, requiredMessage, sentenceOf } from "./sentences.ts"

type ZodIssue = z.core.$ZodIssue
type Union = Extract<ZodIssue, { code: "invalid_union" }>
type FlatIssue = Pick<Issue, "message" | "path" | "code">

// For every schema in the process, because many places parse.
z.config({ customError: sentenceOf })

/**
 * Up to 50 issues, in the order found. Of a union only the most likely branch is reported. `input`: the
 * refused value, for names of groups and blocks in places.
 */
export function flattenIssues(issues: readonly ZodIssue[], input: unknown): Issue[] {
  return issues
    .flatMap((issue) => flatten(issue, []))
    .slice(0, maxIssues)
    .map((found) => {
      const place = placeInFlow(found.path, input)
      const path = found.path.map(shortened)
      const message = isMissing(found, input) ? requiredMessage : found.message
      const pointer = pointerOf(path)
      return { ...found, path, message, pointer, ...(place === undefined ? {} : { place }) }
    })
}

/** Longer than any member's name; keys of maps come from callers. */
const maxKeyLength = 255

function shortened(key: Key): Key {
  return typeof key === "string" && key.length > maxKeyLength
    ? `${key.slice(0, maxKeyLength)}…`
    : key
}

function flatten(issue: ZodIssue, above: readonly Key[]): FlatIssue[] {
  const path = [...above, ...issue.path.map((key) => (typeof key === "symbol" ? String(key) : key))]
  if (issue.code === "invalid_union") return flattenUnion(issue, path)
  if (issue.code === "invalid_element" || issue.code === "invalid_key") {
    return issue.issues.flatMap((inner) => flatten(inner, path))
  }
  return [{ message: issue.message, path, code: issue.code }]
}

/** Zod lists possible values of a missing one, and reports only some as missing. */
function isMissing({ path, code, message }: FlatIssue, input: unknown): boolean {
  if (code !== "invalid_type" && code !== "invalid_value") return false
  if (message === requiredMessage) return true
  return input !== undefined && path.length > 0 && pick(input, ...path) === undefined
}

function flattenUnion(issue: Union, path: Key[]): FlatIssue[] {
  const best = [...issue.errors].sort(
    (a, b) => closeness(b) - closeness(a) || a.length - b.length,
  )[0]
  if (best === undefined) {
    const options = "options" in issue ? (issue.options ?? []) : []
    return [{ message: mustBeOneOf(options), path, code: "invalid_value" }]
  }
  const bestCloseness = closeness(best)
  if (bestCloseness === otherKind) {
    return [
      { message: mustBeEither(issue.errors.flat().flatMap(wanted)), path, code: "invalid_type" },
    ]
  }
  if (bestCloseness === otherType) {
    const types = issue.errors.flat().flatMap(typesOf)
    return [{ message: mustBeOneOf(types), path: [...path, "type"], code: "invalid_value" }]
  }
  return best.flatMap((inner) => flatten(inner, path))
}

const otherKind = 0
const otherType = 1

/** How well a branch fits: another kind of value, another `type`, or else the depth reached. */
function closeness(branch: readonly ZodIssue[]): number {
  if (branch.some(isAtRoot)) return otherKind
  if (branch.some(isAtType)) return otherType
  return 2 + Math.max(0, ...branch.map((issue) => issue.path.length))
}

function isAtRoot(issue: ZodIssue): boolean {
  const isMismatch = issue.code === "invalid_type" || issue.code === "invalid_value"
  return issue.path.length === 0 && isMismatch
}

function isAtType(issue: ZodIssue): boolean {
  return issue.code === "invalid_value" && issue.path.length === 1 && issue.path[0] === "type"
}

/** The kinds that the branches of a union accept, if the value has none of them. */
function wanted(issue: ZodIssue): string[] {
  if (issue.path.length > 0) return []
  if (issue.code === "invalid_union") return issue.errors.flat().flatMap(wanted)
  if (issue.code === "invalid_type") return [kindName(issue.expected)]
  return issue.code === "invalid_value" ? issue.values.map((value) => JSON.stringify(value)) : []
}

function typesOf(issue: ZodIssue): unknown[] {
  return issue.code === "invalid_value" && isAtType(issue) ? issue.values : []
}
