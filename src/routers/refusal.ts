/** What a caller may learn of an error: status, code, message and issues, and never more. */
import { TRPCError } from "@trpc/server"
import { getHTTPStatusCodeFromError } from "@trpc/server/http"
import { z } from "zod"
import { flattenIssues } from "../engine/lint/issues.ts"
import { AppError, type Issue, type Reason } from "../errors.ts"

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
 * Describes anything thrown. A refusal keeps its words, failed validation becomes issues, a lost
 * database becomes a 503, everything else is a bug with a fixed message. `input` is what the
 * procedure was given.
 */
export function describeRefusal(error: unknown, input?: unknown): Refusal {
  if (error instanceof AppError) return describeAppError(error)
  const cause = error instanceof TRPCError ? error.cause : error
  if (isDatabaseLoss(cause)) return databaseLoss
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

function describeAppError(error: AppError): Refusal {
  const { code, reason, message, issues, retryAfterSeconds } = error
  return {
    status: getHTTPStatusCodeFromError(error),
    code: reason ?? code,
    message,
    ...(issues !== undefined && { issues: issues.slice(0, 50) }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

const databaseLoss: Refusal = {
  status: 503,
  code: "SERVICE_UNAVAILABLE",
  message: "The database cannot be reached now",
  retryAfterSeconds: 2,
}

/** Two requests at the same moment, by the SQLSTATE of the one that came too late. */
const races: Readonly<Record<string, Refusal>> = {
  // A foreign key: what was looked up a moment ago is gone.
  "23503": {
    status: 404,
    code: "NOT_FOUND",
    message: "What this belongs to was deleted at the same moment",
  },
  // A deadlock, which the database ends by giving one of both up.
  "40P01": {
    status: 503,
    code: "SERVICE_UNAVAILABLE",
    message: "Another request changes the same thing now",
    retryAfterSeconds: 1,
  },
}

// Appendix A of the PostgreSQL manual: 08 connection, 53 out of resources, 57 cancelled or shut down.
const lossState = /^(08...|53...|57014|57P0[1-5])$/
const lossCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"])
// Words of pg and pg-pool 8, which give these errors no code.
const lossMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/

function isDatabaseLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (lossMessage.test(error.message)) return true
  const code = codeOf(error)
  if (code === undefined) return false
  const call = "syscall" in error ? error.syscall : undefined
  const isSocketCall = call === "connect" || call === "read" || call === "write"
  return lossState.test(code) || (isSocketCall && lossCodes.has(code))
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return typeof code === "string" ? code : undefined
}
