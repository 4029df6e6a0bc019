/** Refusals: the only errors that callers see, each with a code and a safe message. */
import type { ProblemData } from "./problemData.ts"

/** The kind of refusals with a status: what tRPC calls it, and what clients of tRPC look for. */
export const kindByStatus = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  499: "CLIENT_CLOSED_REQUEST",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
} as const

/** The kind of a refusal, which its status decides, except that bodies have one of their own. */
export type ErrorKind = (typeof kindByStatus)[keyof typeof kindByStatus] | "PARSE_ERROR"

/** The status of a reason, and a sentence that says when it is given. */
type Facts = { status: keyof typeof kindByStatus; when: string }

/** Every reason of a refusal. The OpenAPI document, the client and the pages of problems list these. */
export const errorReasons = {
  BAD_REQUEST: { status: 400, when: "The request breaks a rule; `issues` say which, and where" },
  PARSE_ERROR: { status: 400, when: "The body is not JSON, or not the form that it claims to be" },
  BATCH_TOO_LARGE: { status: 400, when: "A batch of tRPC has more calls than one request may" },
  BOT_CLOSED: { status: 400, when: "The bot is closed; the message is for visitors" },
  BOT_INVALID: {
    status: 400,
    when: "The bot has errors that keep it from being published or converted",
  },
  CHAT_NOT_WAITING: { status: 400, when: "The chat does not wait for a file or a streamed answer" },
  COLLABORATOR_EXISTS: { status: 400, when: "The bot is shared with this person already" },
  COLLABORATOR_LIMIT_REACHED: { status: 400, when: "The bot is shared with as many as it can be" },
  COMMAND_UNKNOWN: { status: 400, when: "The bot has no event for this command" },
  CREDENTIAL_LIMIT_REACHED: { status: 400, when: "The owner has all the credentials they may" },
  CREDENTIALS_UNKNOWN: { status: 400, when: "The workspace has no such credentials" },
  ENDPOINT_DISABLED: { status: 400, when: "The webhook endpoint has to be enabled first" },
  ENDPOINT_LIMIT_REACHED: { status: 400, when: "The workspace has all its webhook endpoints" },
  ENDPOINT_SECRET_LOST: { status: 400, when: "The secret of the endpoint has to be rotated first" },
  FILE_TOO_LARGE: { status: 400, when: "The announced file is larger than it may be" },
  FILE_TYPE_REFUSED: { status: 400, when: "Files of this type are not taken" },
  FILES_NOT_IN_PLAN: { status: 400, when: "The plan does not include questions for files" },
  FOLDER_LIMIT_REACHED: { status: 400, when: "The workspace has all its folders" },
  FOLDER_UNKNOWN: { status: 400, when: "The workspace has no such folder" },
  LAST_ADMIN: { status: 400, when: "The workspace would be left without an ADMIN" },
  LOG_FULL: { status: 400, when: "The log of the result takes no more lines from its client" },
  MEMBER_LIMIT_REACHED: { status: 400, when: "The workspace has all its members and guests" },
  MEMBER_EXISTS: { status: 400, when: "This person is a member of the workspace already" },
  INVITATION_EXISTS: { status: 400, when: "This person has an invitation already" },
  PLACE_UNKNOWN: { status: 400, when: "The bot has no such group, block or event to go on at" },
  SEAT_LIMIT_REACHED: { status: 400, when: "The plan of the workspace has no seat left" },
  TEMPLATE_UNKNOWN: { status: 404, when: "There is no starter bot of this id" },
  THEME_TEMPLATE_UNKNOWN: { status: 404, when: "The workspace has no such theme template" },
  TOKEN_LIMIT_REACHED: { status: 400, when: "The account has all its API tokens" },
  VARIABLE_LIMIT_REACHED: { status: 400, when: "The workspace has all its variables" },
  VARIABLE_UNKNOWN: { status: 400, when: "The bots of the chat have no variable of this name" },
  VERSION_NEVER_LIVE: { status: 400, when: "Only versions that were live can be rolled back to" },
  WORKSPACE_LIMIT_REACHED: { status: 400, when: "The account is in all the workspaces it may be" },
  UNAUTHORIZED: { status: 401, when: "There is no valid API token" },
  FORBIDDEN: { status: 403, when: "The caller is known, but may not do this" },
  ROLE_MISSING: { status: 403, when: "The caller lacks the role in the workspace that this takes" },
  SCOPE_MISSING: { status: 403, when: "The API token lacks the scope that this takes" },
  ORIGIN_REFUSED: { status: 403, when: "Only pages of the service may do this with its cookie" },
  TOKEN_TOO_NARROW: { status: 403, when: "The API token is for less than this needs" },
  BOT_SUSPENDED: { status: 403, when: "The workspace of the bot is closed to visitors" },
  BOT_UNREVIEWED: { status: 403, when: "The bot must be reviewed before it can be published" },
  CHATS_LIMIT_REACHED: { status: 403, when: "The workspace has had all the chats of its month" },
  DOMAIN_NOT_IN_PLAN: { status: 403, when: "The plan does not include custom domains" },
  ORIGIN_NOT_ALLOWED: { status: 403, when: "The author has not listed the page that calls" },
  UPLOAD_EXPIRED: { status: 403, when: "The upload address is not valid, or no longer" },
  NOT_FOUND: { status: 404, when: "There is no such thing, or not for this caller" },
  CHAT_ENDED: { status: 404, when: "The chat has come to its end, or was ended" },
  CHAT_EXPIRED: { status: 404, when: "The chat was silent for too long" },
  RESULT_DELETED: { status: 404, when: "The result of the chat was deleted while it went on" },
  METHOD_NOT_SUPPORTED: {
    status: 405,
    when: "The path takes other methods, which the header `Allow` lists",
  },
  TIMEOUT: { status: 408, when: "The flow ran longer than it may, or the request came too slowly" },
  CHAT_BUSY: { status: 409, when: "Other messages of the same chat took too long to be answered" },
  CHAT_PAUSED: { status: 409, when: "A person has taken over; the chat has to be resumed first" },
  CHAT_NOT_PAUSED: { status: 409, when: "The team may answer only in chats that are paused" },
  DOMAIN_TAKEN: { status: 409, when: "Another bot of the workspace has this custom domain" },
  FILE_EXISTS: { status: 409, when: "A file was sent to this upload address before" },
  FILES_FULL: { status: 409, when: "The files of the workspace leave no room for another" },
  MESSAGE_INTERRUPTED: { status: 409, when: "The chat went on with another message meanwhile" },
  NAME_TAKEN: { status: 409, when: "The caller has another workspace of this name" },
  NOTHING_TO_UNDO: {
    status: 409,
    when: "The preview or the draft has nothing that the caller can take back",
  },
  PREVIEW_ID_TAKEN: { status: 409, when: "The session id belongs to a preview of another user" },
  PUBLIC_ID_TAKEN: { status: 409, when: "Another bot has this public id" },
  STRIPE_ID_TAKEN: { status: 409, when: "Another workspace has this id at the payment processor" },
  STALE_DRAFT: { status: 409, when: "Another change of the draft came first" },
  STALE_SECRET: {
    status: 409,
    when: "The secret was rotated by another request at the same moment",
  },
  THEME_TEMPLATES_FULL: { status: 409, when: "The workspace has no room for the theme template" },
  VARIABLE_EXISTS: { status: 409, when: "The workspace has a variable of this name already" },
  VERSIONS_FULL: { status: 409, when: "The versions of the workspace leave no room for another" },
  PAYLOAD_TOO_LARGE: { status: 413, when: "The body exceeds a limit, which the message names" },
  CHAT_TOO_LARGE: { status: 413, when: "The chat would hold more than it may" },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, when: "The body is of another type than JSON" },
  FLOW_TOO_EXPENSIVE: {
    status: 422,
    when: "The flow needs more work than one call may take; the message says where",
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    when: "The idempotency key was used before with another body",
  },
  TRANSCRIPT_TOO_LONG: { status: 422, when: "The conversation is too long for one answer" },
  TOO_MANY_REQUESTS: {
    status: 429,
    when: "A limit was reached, which `data.limit` names; try again after `Retry-After` seconds",
  },
  CLIENT_CLOSED_REQUEST: { status: 499, when: "The caller left before the answer; it is for logs" },
  INTERNAL_SERVER_ERROR: { status: 500, when: "The service failed unexpectedly" },
  SERVICE_UNAVAILABLE: {
    status: 503,
    when: "The service cannot answer now; try again after `Retry-After` seconds",
  },
} as const satisfies Record<string, Facts>

/** Why a request was refused: finer than its status. */
export type ParleyErrorCode = keyof typeof errorReasons

export function kindOf(reason: ParleyErrorCode): ErrorKind {
  return reason === "PARSE_ERROR" ? reason : kindByStatus[errorReasons[reason].status]
}

/** Reasons that programs look for in `code`, because they stood there before there was `reason`. */
const reasonsInCode = {
  BOT_CLOSED: "BOT_CLOSED",
  BOT_SUSPENDED: "BOT_CLOSED",
  CHAT_ENDED: "CHAT_ENDED",
  CHAT_EXPIRED: "CHAT_EXPIRED",
  CHAT_PAUSED: "CHAT_PAUSED",
  CHATS_LIMIT_REACHED: "CHATS_LIMIT_REACHED",
  FLOW_TOO_EXPENSIVE: "FLOW_TOO_EXPENSIVE",
  ORIGIN_NOT_ALLOWED: "ORIGIN_NOT_ALLOWED",
} as const satisfies Partial<Record<ParleyErrorCode, ParleyErrorCode>>

/** What callers see as `code`. */
export type ErrorCode = ErrorKind | (typeof reasonsInCode)[keyof typeof reasonsInCode]

/** The `code` of a reason: its kind, but for reasons that stood there always. */
export function errorCodeOf(reason: ParleyErrorCode): ErrorCode {
  const codes: Partial<Record<ParleyErrorCode, ErrorCode>> = reasonsInCode
  return codes[reason] ?? kindOf(reason)
}

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

type Details = { cause?: unknown; issues?: Issue[] | undefined }

/** The data of refusals of any reason. */
export type AnyProblemData = ProblemData[keyof ProblemData]

/** What belongs to refusals of a reason beside their message: its data, where the table has some. */
type DetailsOf<Reason extends ParleyErrorCode> = [Extract<Reason, keyof ProblemData>] extends [
  never,
]
  ? [details?: Details]
  : [details: Details & { data: ProblemData[Extract<Reason, keyof ProblemData>] }]

/** A refusal. Its message reaches the caller word for word; everything else that is thrown is a bug. */
export class AppError<Reason extends ParleyErrorCode = ParleyErrorCode> extends Error {
  override readonly name = "AppError"
  readonly reason: ParleyErrorCode
  readonly code: ErrorKind
  readonly issues: Issue[] | undefined
  readonly data: AnyProblemData | undefined

  constructor(reason: Reason, message: string, ...more: DetailsOf<Reason>) {
    const [{ cause, issues, data } = {}] = more as [(Details & { data?: AnyProblemData })?]
    super(message, cause === undefined ? {} : { cause })
    this.reason = reason
    this.code = kindOf(reason)
    this.issues = issues
    this.data = data
  }
}

/** A refusal as data, for another thread. */
export type ReportedRefusal = Pick<AppError, "reason" | "message" | "issues" | "data">

/** The refusal that another thread has thrown. */
export function refusalFrom({ reason, message, issues, data }: ReportedRefusal): AppError {
  return new AppError(reason, message, { issues, data: data as AnyProblemData })
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

/** The 409 of a draft that was replaced since the caller read it, now of this revision. */
export function staleDraft({
  revision,
  updatedAt,
}: {
  revision: number
  updatedAt: Date
}): AppError {
  const data = { elements: [], by: null, at: updatedAt.toISOString(), revision }
  const words = "The bot has changed since you read it; read it again"
  return new AppError("STALE_DRAFT", words, { data })
}

/** 404: it does not exist, or the caller must not know that it does. `what` is a noun, such as "Bot". */
export function notFound(what: string): AppError {
  return new AppError("NOT_FOUND", `${what} not found`)
}

/** What was looked for; throws a 404 when there is none. */
export function orNotFound<Value>(found: Value | undefined, what: string): Value {
  if (found === undefined) throw notFound(what)
  return found
}

/** 404: the session is over or never existed. Gateways look for the first three words. */
export function sessionNotFound(
  reason: "NOT_FOUND" | "CHAT_ENDED" | "CHAT_EXPIRED" = "NOT_FOUND",
): AppError {
  return new AppError(reason, "Session not found: start a new chat")
}

/** 409: a person has taken over the chat. */
export function chatPaused(): AppError {
  return new AppError("CHAT_PAUSED", "This chat is paused: a person has taken over")
}

/** 422: the flow needs more work than one call may do; the message says where. */
export function tooExpensive(message: string, blockId?: string): AppError {
  return new AppError("FLOW_TOO_EXPENSIVE", message, { data: { blockId } })
}

/** 413: it exceeds a limit, which the message names. */
export function tooLarge(
  message: string,
  limit: number,
  unit: ProblemData["PAYLOAD_TOO_LARGE"]["unit"] = "bytes",
): AppError {
  return new AppError("PAYLOAD_TOO_LARGE", message, { data: { limit, unit } })
}

/** 400: the announced file is larger than some megabytes. */
export function fileTooLarge(maxMegabytes: number): AppError {
  const limit = Math.floor(maxMegabytes * 1024 * 1024)
  const words = `The file may have at most ${maxMegabytes} MB`
  return new AppError("FILE_TOO_LARGE", words, { data: { limit, unit: "bytes" } })
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
  return new AppError("TOO_MANY_REQUESTS", message, { data: { limit, retryAfter: seconds } })
}

/** 499: the caller left before the answer. */
export function callerLeft(cause?: unknown): AppError {
  return new AppError("CLIENT_CLOSED_REQUEST", "The caller left before its answer", { cause })
}

/** 503: the service cannot answer now; the caller may retry after this many seconds. */
export function unavailable(message: string, retryAfterSeconds: number, cause?: unknown): AppError {
  const data = { retryAfter: Math.max(1, Math.ceil(retryAfterSeconds)) }
  return new AppError("SERVICE_UNAVAILABLE", message, { data, cause })
}

/** Seconds after which a retry makes sense, if that is known. */
export function retryAfterOf({ data }: { data?: AnyProblemData | undefined }): number | undefined {
  return data && "retryAfter" in data ? data.retryAfter : undefined
}

/** The block that a flow was stopped at, if it was stopped at one. */
export function blockIdOf({ data }: AppError): string | undefined {
  return data && "blockId" in data ? data.blockId : undefined
}
