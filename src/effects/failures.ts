/** Describes failures in words, those of the network included. */
import type { Failure } from "../engine/calls.ts"
import { type NetworkFailure, networkFailureOfCode } from "../lib/networkErrors.ts"
import { defined } from "../lib/presentMembers.ts"

/** Makes a failure; members that are undefined are left out. */
export function failed(
  description: string,
  more: Omit<Failure, "failed" | "description"> = {},
): Failure {
  return { failed: true, description, ...defined(more) }
}

/**
 * Describes an error of a request, without any part of what was sent. `who` starts the sentence:
 * "Stripe". Errors that cannot come from the network are rethrown.
 */
export function networkFailure(error: unknown, who: string): Failure {
  if (bugs.some((kind) => error instanceof kind)) throw error
  const { name, code, message } = describe(error)
  if (name === "BlockedError") {
    const description = `${who} is at an address that must not be called`
    return failed(description, { details: message, reason: "blocked" })
  }
  if (name === "TooLargeError") return failed(`${who} answers too much`)
  const isLate = networkFailureOfCode(code ?? "") === "late" || /TIMEDOUT|TIMEOUT/.test(code ?? "")
  if (name === "TimeoutError" || name === "AbortError" || isLate) {
    return failed(`${who} did not answer in time`, { reason: "timeout" })
  }
  return failed(`${who} could not be reached`, {
    details: code === undefined ? undefined : inWords(code),
  })
}

/** The same for a request that a flow makes itself, to any server. */
export function serverFailure(error: unknown): Failure {
  const isTooLarge = describe(error).name === "TooLargeError"
  return isTooLarge ? failed("The response is too large") : networkFailure(error, "The server")
}

const words: Readonly<Record<NetworkFailure, string>> = {
  name: "Its host cannot be found",
  refused: "Its host refuses connections",
  unreachable: "There is no way to its host",
  closed: "It closed the connection",
  late: "It did not answer in time",
  untrusted: "Its certificate is not valid",
  tls: "It does not speak TLS as it should",
  exhausted: "This server has no room for another connection",
}

function inWords(code: string): string {
  const failure = networkFailureOfCode(code)
  return failure === undefined ? code : `${words[failure]} (${code})`
}

// TypeErrors are not among them: fetch throws them for network errors too, and for invalid headers.
const bugs = [ReferenceError, RangeError, SyntaxError]

type Described = { name: string; code?: string | undefined; message: string }

/** Describes an error by its cause, if it has one: fetch puts the real error there. */
function describe(error: unknown): Described {
  if (!(error instanceof Error)) return { name: "", message: "" }
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined
  const inner = error.cause instanceof Error ? describe(error.cause) : undefined
  const { name, message } = inner ?? error
  return { name, message, code: inner?.code ?? code }
}
