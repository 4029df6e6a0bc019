/** The one error class that callers may see: a refusal with a tRPC code and a safe message. */
import { TRPCError } from "@trpc/server"

/** One reason why a request was refused, addressed by its place in the input. */
export type Issue = {
  message: string
  /** Keys from the root of the input to the offending value. */
  path: (string | number)[]
  /** The same as a JSON Pointer (RFC 6901). */
  pointer?: string
  /** Machine-readable reason, for example `invalid_type`. */
  code: string
  /** Where a person finds it: `Group "Contact" › block 5 "Email"`. */
  place?: string
}

type Code = TRPCError["code"]

/** Kinds of refusals that have a code of their own, finer than that of their status. */
export type Reason = "FLOW_TOO_EXPENSIVE"

type Details = {
  cause?: unknown
  /** What callers see as `code`; absent: the tRPC code. */
  reason?: Reason
  issues?: Issue[]
  retryAfterSeconds?: number
}

/** A refusal. Its message reaches the caller word for word; everything else that is thrown is a bug. */
export class AppError extends TRPCError {
  readonly reason: Reason | undefined
  readonly issues: Issue[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: Code, message: string, details: Details = {}) {
    super({ code, message, cause: details.cause })
    this.name = "AppError"
    this.reason = details.reason
    this.issues = details.issues
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** 400: the request breaks a rule; `issues` say where. */
export function badRequest(message: string, issues?: Issue[]): AppError {
  return new AppError("BAD_REQUEST", message, issues ? { issues } : {})
}

/** 401: no token, or one that is not valid. */
export function unauthorized(message = "A valid API token is required"): AppError {
  return new AppError("UNAUTHORIZED", message)
}

/** 403: a known caller, an action that is not allowed. */
export function forbidden(message: string): AppError {
  return new AppError("FORBIDDEN", message)
}

/** 404: there is no such thing, or the caller may not see it. `what` starts the sentence: "Bot". */
export function notFound(what: string): AppError {
  return new AppError("NOT_FOUND", `${what} not found`)
}

/** 408: the flow ran longer than it may. */
export function timedOut(message: string): AppError {
  return new AppError("TIMEOUT", message)
}

/** 409: somebody else changed it first. */
export function conflict(message: string): AppError {
  return new AppError("CONFLICT", message)
}

/** 422: the flow wants more of one call than it may have; the message says where. */
export function tooExpensive(message: string): AppError {
  return new AppError("UNPROCESSABLE_CONTENT", message, { reason: "FLOW_TOO_EXPENSIVE" })
}

/** 413: larger than the limit, which the message names. */
export function tooLarge(message: string): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", message)
}

/** 429: too many requests; try again after so many seconds. */
export function tooManyRequests(retryAfterSeconds: number): AppError {
  return new AppError("TOO_MANY_REQUESTS", "Too many requests", { retryAfterSeconds })
}

/** 499: nobody waits for the answer any more. */
export function callerLeft(cause?: unknown): AppError {
  return new AppError("CLIENT_CLOSED_REQUEST", "The caller left before its answer", { cause })
}

/** 503: the service cannot answer now; try again after so many seconds. */
export function unavailable(message: string, retryAfterSeconds: number, cause?: unknown): AppError {
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds, cause })
}
