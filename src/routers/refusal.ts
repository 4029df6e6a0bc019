/** What a caller may learn of an error: status, code, message and issues, and never more. */
import { TRPCError } from "@trpc/server"
import { getHTTPStatusCodeFromError } from "@trpc/server/http"
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc"
import { z } from "zod"
import { failureOf, refusalFor } from "../db/connection/failures.ts"
import { flattenIssues } from "../engine/lint/issues.ts"
import { AppError, type Issue, type Reason, statusByCode } from "../shared/errors.ts"

/** An error as callers see it. */
export type Refusal = {
  status: number
  code: TRPCError["code"] | Reason
  message: string
  issues?: Issue[]
  /** When it is worth trying again; absent when it is not known. */
  retryAfterSeconds?: number
}

const bug: Refusal = {
  status: 500,
  code: "INTERNAL_SERVER_ERROR",
  message: "Internal server error",
}

/**
 * Describes anything thrown. A refusal keeps its words, failed validation becomes issues, a failing
 * database becomes a 503, everything else is a bug with a fixed message. `input` is what the
 * procedure was given.
 */
export function describeRefusal(error: unknown, input?: unknown): Refusal {
  // What procedures throw comes out of tRPC as the cause of an error of its own.
  const cause = error instanceof TRPCError ? error.cause : error
  if (cause instanceof AppError) return describeAppError(cause)
  const failure = failureOf(cause)
  if (failure !== undefined) return describeAppError(refusalFor(failure))
  const race = races[codeOf(cause) ?? ""]
  if (race !== undefined) return race
  if (!(error instanceof TRPCError) || error.code === "INTERNAL_SERVER_ERROR") return bug
  const status = getHTTPStatusCodeFromError(error)
  if (error.code === "BAD_REQUEST" && cause instanceof z.core.$ZodError) {
    const issues = flattenIssues(cause.issues, input)
    return { status, code: error.code, message: "Input validation failed", issues }
  }
  return { status, code: error.code, message: error.message }
}

/** The number by which JSON-RPC knows the kind of an error; undefined: it is none of ours. */
export function rpcCodeOf({ cause }: TRPCError) {
  return cause instanceof AppError ? TRPC_ERROR_CODES_BY_KEY[cause.code] : undefined
}

function describeAppError(error: AppError): Refusal {
  const { code, reason, message, issues, retryAfterSeconds } = error
  return {
    status: statusByCode[code],
    code: reason ?? code,
    message,
    ...(issues !== undefined && { issues: issues.slice(0, 50) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** Two requests at the same moment, by the SQLSTATE of the one that came too late. */
const races: Readonly<Record<string, Refusal>> = {
  // A foreign key: what was looked up a moment ago is gone.
  "23503": {
    status: 404,
    code: "NOT_FOUND",
    message: "What this belongs to was deleted at the same moment",
  },
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return typeof code === "string" ? code : undefined
}
