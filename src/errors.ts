/** Refusals: the only errors that callers see, each with a code and a safe message. */

/** The codes of refusals, and the HTTP status of each. */
export const statusByCode = {
  BAD_REQUEST: 400,
  PARSE_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  TOO_MANY_REQUESTS: 429,
  CLIENT_CLOSED_REQUEST: 499,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const

/** The kind of a refusal. */
export type ErrorCode = keyof typeof statusByCode

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

/** Codes of refusals that are finer than those of their status. */
export type Reason =
  | "FLOW_TOO_EXPENSIVE"
  | "BOT_CLOSED"
  | "ORIGIN_NOT_ALLOWED"
  | "CHATS_LIMIT_REACHED"
  | "CHAT_PAUSED"
  | "CHAT_ENDED"
  | "CHAT_EXPIRED"

type Details = {
  cause?: unknown
  /** What callers see as `code`; absent: the code of the status. */
  reason?: Reason
  issues?: Issue[]
  retryAfterSeconds?: number
  /** The limit that was reached; only of a 429. */
  limit?: string
}

/** A refusal. Its message reaches the caller word for word; everything else that is thrown is a bug. */
export class AppError extends Error {
  override readonly name = "AppError"
  readonly code: ErrorCode
  readonly reason: Reason | undefined
  readonly issues: Issue[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly limit: string | undefined

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause })
    this.code = code
    this.reason = details.reason
    this.issues = details.issues
    this.retryAfterSeconds = details.retryAfterSeconds
    this.limit = details.limit
  }
}

/** 400: the request breaks a rule; `issues` say where. */
export function badRequest(message: string, issues?: Issue[]): AppError {
  return new AppError("BAD_REQUEST", message, issues ? { issues } : {})
}

/** 401: no token, or an invalid one. */
export function unauthorized(message = "This needs a valid API token"): AppError {
  return new AppError("UNAUTHORIZED", message)
}

/** 403: the caller is known, but may not do this. */
export function forbidden(message: string): AppError {
  return new AppError("FORBIDDEN", message)
}

/** 400 or 403: the bot is closed; the message is for its visitors. */
export function botClosed(code: "BAD_REQUEST" | "FORBIDDEN", message: string): AppError {
  return new AppError(code, message, { reason: "BOT_CLOSED" })
}

/** 403: the author of the bot has not allowed the page that calls. */
export function originNotAllowed(): AppError {
  return new AppError("FORBIDDEN", "Origin not allowed", { reason: "ORIGIN_NOT_ALLOWED" })
}

/** 403: the workspace has used all its chats of this month. */
export function chatsLimitReached(): AppError {
  return new AppError("FORBIDDEN", "This bot has reached its limit of chats for this month", {
    reason: "CHATS_LIMIT_REACHED",
  })
}

/** 404: it does not exist, or the caller must not know that it does. `what` is a noun, such as "Bot". */
export function notFound(what: string): AppError {
  return new AppError("NOT_FOUND", `${what} not found`)
}

/** 404: the session is over or never existed. Gateways look for the first three words. */
export function sessionNotFound(reason?: "CHAT_ENDED" | "CHAT_EXPIRED"): AppError {
  const message = "Session not found: start a new chat"
  return new AppError("NOT_FOUND", message, reason === undefined ? {} : { reason })
}

/** 409: a person has taken over the chat. */
export function chatPaused(): AppError {
  return new AppError("CONFLICT", "This chat is paused: a person has taken over", {
    reason: "CHAT_PAUSED",
  })
}

/** 408: the flow ran longer than allowed. */
export function timedOut(message: string): AppError {
  return new AppError("TIMEOUT", message)
}

/** 409: somebody else changed it in the meantime. */
export function conflict(message: string): AppError {
  return new AppError("CONFLICT", message)
}

/** 422: the flow needs more work than one call may do; the message says where. */
export function tooExpensive(message: string): AppError {
  return new AppError("UNPROCESSABLE_CONTENT", message, { reason: "FLOW_TOO_EXPENSIVE" })
}

/** 413: it exceeds a limit, which the message names. */
export function tooLarge(message: string): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", message)
}

/**
 * 429: a limit was reached, and the caller may retry after this many seconds. `limit` is its name, and
 * `reason` a sentence without its full stop: what there was too much of, and what else helps.
 */
export function tooManyRequests(
  limit: string,
  reason: string,
  retryAfterSeconds: number,
): AppError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds))
  const message = `${reason} (limit \`${limit}\`): try again in ${seconds} s`
  return new AppError("TOO_MANY_REQUESTS", message, { retryAfterSeconds: seconds, limit })
}

/** 499: the caller left before the answer. */
export function callerLeft(cause?: unknown): AppError {
  return new AppError("CLIENT_CLOSED_REQUEST", "The caller left before its answer", { cause })
}

/** 503: the service cannot answer now; the caller may retry after this many seconds. */
export function unavailable(message: string, retryAfterSeconds: number, cause?: unknown): AppError {
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds, cause })
}
