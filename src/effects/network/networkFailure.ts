/** The failure of a request without an answer, without any part of what was sent. */
import type { Failure } from "../../engine/calls.ts"

/** `who` starts the sentence: "Stripe". Errors that cannot come from the network are rethrown. */
export function networkFailure(error: unknown, who: string): Failure {
  if (bugs.some((kind) => error instanceof kind)) throw error
  const { name, code, message } = describe(error)
  if (name === "BlockedError") {
    const description = `${who} is at an address that must not be called`
    return { failed: true, description, details: message, reason: "blocked" }
  }
  if (name === "TooLargeError") return { failed: true, description: `${who} answers too much` }
  if (name === "TimeoutError" || name === "AbortError" || /TIMEDOUT|TIMEOUT/.test(code ?? "")) {
    return { failed: true, description: `${who} did not answer in time`, reason: "timeout" }
  }
  const details = code === undefined ? {} : { details: code }
  return { failed: true, description: `${who} could not be reached`, ...details }
}

// Not TypeErrors: fetch throws them for the network too, and for keys that no header can hold.
const bugs = [ReferenceError, RangeError, SyntaxError]

type Described = { name: string; code?: string | undefined; message: string }

/** An error, or its cause, where fetch puts what happened. */
function describe(error: unknown): Described {
  if (!(error instanceof Error)) return { name: "", message: "" }
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined
  const inner = error.cause instanceof Error ? describe(error.cause) : undefined
  const { name, message } = inner ?? error
  return { name, message, code: inner?.code ?? code }
}
