/** The visible part of an error: status, code, message and issues, never more. */
import { TRPCError } from "@trpc/server"
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc"
import { z } from "zod"
import { flattenIssues } from "../authoring/lint/issues.ts"
import { pointerOf } from "../authoring/lint/location.ts"
import { isPredicate, requiredMessage } from "../authoring/lint/sentences.ts"
import { failureOf, refusalFor } from "../db/connection/databaseFailures.ts"
import { maxIssues } from "../engine/schema/lists.ts"
import {
  AppError,
  type ErrorCode,
  errorCodeOf,
  errorReasons,
  type Issue,
  type ParleyErrorCode,
} from "../lib/errors.ts"
import { type ProblemData, problemData } from "../lib/problemData.ts"
import { whyUnusable } from "./transformer.ts"

/** A reason with its data, which programs can act on. */
type Reasoned =
  | {
      [Reason in keyof ProblemData]: { reason: Reason; data: ProblemData[Reason] }
    }[keyof ProblemData]
  | { reason: Exclude<ParleyErrorCode, keyof ProblemData>; data?: undefined }

/** An error as callers see it. */
export type Refusal = Reasoned & {
  status: number
  code: ErrorCode
  message: string
  issues?: Issue[]
}

/** The request that was refused, for a message about what is wrong with it. */
type RefusedRequest = {
  /** The input of the procedure, as it was sent. */
  input?: unknown
  /** The part of the request that has a member, such as `query`. Absent: messages leave it out. */
  placeOf?: ((member: string) => string) | undefined
  /** Translates a path in the input to that in the request. Absent: the same path. */
  sentAt?: ((path: Issue["path"]) => Issue["path"]) | undefined
}

/**
 * Describes anything thrown. A refusal keeps its message, failed validation becomes issues, a failing
 * database becomes a 503, everything else is a bug with a fixed message.
 */
export function describeRefusal(error: unknown, request: RefusedRequest = {}): Refusal {
  const refusal = refusalIn(error, request)
  const { reason, message, issues, data } = refusal
  return {
    status: errorReasons[reason].status,
    code: errorCodeOf(reason),
    // What refusals are made of: a reason of the table has its data, and no other.
    ...({ reason, ...(data !== undefined && { data }) } as Reasoned),
    message,
    ...(issues !== undefined && { issues: asSent(issues.slice(0, maxIssues), request) }),
  }
}

function refusalIn(error: unknown, request: RefusedRequest): AppError {
  // tRPC wraps errors of procedures in its own.
  const cause = whyUnusable(request.input) ?? (error instanceof TRPCError ? error.cause : error)
  if (cause instanceof AppError) return cause
  const failure = failureOf(cause)
  if (failure !== undefined) return refusalFor(failure)
  if (codeOf(cause) === foreignKeyViolation) {
    return new AppError("NOT_FOUND", "What this belongs to was deleted at the same time")
  }
  if (!(error instanceof TRPCError) || !isRefusal(error.code)) {
    return new AppError("INTERNAL_SERVER_ERROR", "Internal server error")
  }
  const { code, message } = error
  const isInput = code === "BAD_REQUEST" && cause instanceof z.core.$ZodError
  const issues = isInput ? flattenIssues(cause.issues, request.input) : undefined
  const words = issues === undefined ? message : headlineOf(issues, request)
  return new AppError(code, words, issues && { issues })
}

/** The JSON-RPC code of a refusal. Returns undefined for other errors. */
export function rpcCodeOf({ cause }: TRPCError) {
  return cause instanceof AppError ? TRPC_ERROR_CODES_BY_KEY[cause.code] : undefined
}

/** Whether tRPC itself refuses with this code. */
function isRefusal(code: string): code is Exclude<ParleyErrorCode, keyof ProblemData> {
  return (
    code !== "INTERNAL_SERVER_ERROR" &&
    Object.hasOwn(errorReasons, code) &&
    !Object.hasOwn(problemData, code)
  )
}

function asSent(issues: readonly Issue[], { sentAt }: RefusedRequest): Issue[] {
  return issues.map((issue) => {
    const path = sentAt?.(issue.path) ?? issue.path
    return { ...issue, path, pointer: pointerOf(path) }
  })
}

/** The first problem as a sentence: "`workspaceId` is missing (query)". */
function headlineOf([first, ...others]: readonly Issue[], { placeOf, sentAt }: RefusedRequest) {
  if (first === undefined) return "The input is not valid"
  const { path, message, place } = first
  const name = path.length === 0 ? "The input" : `\`${nameOf(sentAt?.(path) ?? path)}\``
  const separator = isPredicate(message) ? " " : ": "
  const problem = message === requiredMessage ? " is missing" : `${separator}${message}`
  const where = placeOf && path.length > 0 ? ` (${placeOf(String(path[0]))})` : ""
  const inFlow = place === undefined ? "" : `, in ${place}`
  const isCut = others.length + 1 >= maxIssues
  const count = isCut ? `${others.length} more, and perhaps others,` : `${others.length} more`
  const more = others.length === 0 ? "" : `; ${count} in \`issues\``
  return `${name}${problem}${where}${inFlow}${more}`
}

/** `bot.groups[0].title` */
function nameOf([first, ...rest]: Issue["path"]): string {
  const keys = rest.map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
  return `${first}${keys.join("")}`.slice(0, 300)
}

/** SQLSTATE of a race: another request has deleted a row that was found a moment ago. */
const foreignKeyViolation = "23503"

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined
}
