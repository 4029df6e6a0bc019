/** Tells of a request that got no answer, without a word of what was sent. */
import type { Failure } from "../engine/calls.ts"

/** `who` starts the sentence: "Stripe". What cannot come from the network is thrown on. */
export function networkFailure(error: unknown, who: string): Failure {
  if (bugs.some((kind) => error instanceof kind)) throw error
  const { name, code } = describe(error)
  if (name === "BlockedError") {
    return {
      failed: true,
      description: `${who} is at an address that must not be called`,
      reason: "blocked",
    }
  }
  if (name === "TimeoutError" || name === "AbortError" || code?.includes("TIMEOUT")) {
    return { failed: true, description: `${who} did not answer in time`, reason: "timeout" }
  }
  const details = code === undefined ? {} : { details: code }
  return { failed: true, description: `${who} could not be reached`, ...details }
}

// fetch throws TypeErrors for the network too, and for keys that no header can hold.
const bugs = [ReferenceError, RangeError, SyntaxError]

/** Name and code of an error, or of what caused it: fetch hides what happened in the cause. */
function describe(error: unknown): { name?: string; code?: string } {
  if (!(error instanceof Error)) return {}
  const inner = error.cause instanceof Error ? describe(error.cause) : {}
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined
  return { name: error.name, ...(code === undefined ? {} : { code }), ...inner }
}
