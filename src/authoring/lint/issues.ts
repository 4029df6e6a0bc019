/** Turns the issue tree of Zod 4.6 into a short list of sentences that a caller can act on. */
import type { z } from "zod"
import { pick } from "../../engine/foreignJson.ts"
import type { Issue } from "../../errors.ts"
import { type Key, placeInFlow, pointerOf } from "./location.ts"

type ZodIssue = z.core.$ZodIssue
type Union = Extract<ZodIssue, { code: "invalid_union" }>
type FlatIssue = Pick<Issue, "message" | "path" | "code">

const maxIssues = 50

/** The message for a value that is missing. */
export const requiredMessage = "is required"

/**
 * At most 50 issues, in the order found. Of a union only the branch that the input most likely meant is
 * reported. `input` is what was refused; it provides the names of the groups and blocks in places.
 */
export function flattenIssues(issues: readonly ZodIssue[], input: unknown): Issue[] {
  return issues
    .flatMap((issue) => flatten(issue, []))
    .slice(0, maxIssues)
    .map((found) => {
      const place = placeInFlow(found.path, input)
      const pointer = pointerOf(found.path)
      const message = isMissing(found, input) ? requiredMessage : found.message
      return { ...found, message, pointer, ...(place === undefined ? {} : { place }) }
    })
}

function flatten(issue: ZodIssue, above: readonly Key[]): FlatIssue[] {
  const path = [...above, ...issue.path.map((key) => (typeof key === "symbol" ? String(key) : key))]
  if (issue.code === "invalid_union") return flattenUnion(issue, path)
  if (issue.code === "invalid_element" || issue.code === "invalid_key") {
    return issue.issues.flatMap((inner) => flatten(inner, path))
  }
  return [{ message: issue.message, path, code: issue.code }]
}

/** Zod lists what a missing value could have been, and says only of some that they are missing. */
function isMissing({ path, code, message }: FlatIssue, input: unknown): boolean {
  if (code !== "invalid_type" && code !== "invalid_value") return false
  if (message.endsWith("received undefined")) return true
  return input !== undefined && path.length > 0 && pick(input, ...path) === undefined
}

function flattenUnion(issue: Union, path: Key[]): FlatIssue[] {
  const best = [...issue.errors].sort(
    (a, b) => closeness(b) - closeness(a) || a.length - b.length,
  )[0]
  if (best === undefined) return [{ message: withoutBranch(issue), path, code: issue.code }]
  const bestCloseness = closeness(best)
  if (bestCloseness === otherKind) {
    return [{ message: expected(issue, isAtRoot), path, code: "invalid_type" }]
  }
  if (bestCloseness === otherType) {
    return [{ message: expected(issue, isAtType), path: [...path, "type"], code: "invalid_value" }]
  }
  return best.flatMap((inner) => flatten(inner, path))
}

function withoutBranch(issue: Union): string {
  const discriminator = "discriminator" in issue ? issue.discriminator : undefined
  return discriminator === undefined ? issue.message : `Invalid input: unknown "${discriminator}"`
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

function expected(issue: Union, isMismatch: (inner: ZodIssue) => boolean): string {
  const names = issue.errors.flat().filter(isMismatch).flatMap(wanted)
  return `Invalid input: expected ${alternatives(names)}`
}

function wanted(issue: ZodIssue): string[] {
  if (issue.code === "invalid_type") return [issue.expected]
  if (issue.code === "invalid_value") return issue.values.map((value) => JSON.stringify(value))
  return []
}

function alternatives(names: readonly string[]): string {
  const unique = [...new Set(names)]
  const last = unique.at(-1) ?? "something else"
  return unique.length < 2 ? last : `${unique.slice(0, -1).join(", ")} or ${last}`
}
