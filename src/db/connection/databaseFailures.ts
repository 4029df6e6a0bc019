/** Reads the errors of the database: why it does not work, and which constraint a write violated. */
import pg from "pg"
import { type AppError, unavailable } from "../../lib/errors.ts"
import { networkFailureOf } from "../../lib/networkErrors.ts"

/**
 * Kinds of failure of the database:
 * - `partial`: a node of a cluster cannot be reached, and the statement needs it;
 * - `lost`: it cannot be reached, is out of resources, or is shutting down or starting up;
 * - `readOnly`: it takes no writes, as a standby after a failover, or storage that its provider locked;
 * - `full`: its disk is full;
 * - `slow`: it ended a statement that took too long;
 * - `contended`: it aborted one of two conflicting transactions, which may be retried.
 */
type DatabaseFailure = "partial" | "lost" | "readOnly" | "full" | "slow" | "contended"

// PostgreSQL manual, appendix A: 08 connection, 53 out of resources, 57 cancelled or shut down.
const states: readonly [RegExp, DatabaseFailure][] = [
  [/^25006$/, "readOnly"],
  [/^53100$/, "full"],
  [/^57014$/, "slow"],
  [/^(08...|53...|57P0[1-5])$/, "lost"],
  [/^(40001|40P01)$/, "contended"],
]
// The messages of pg and pg-pool 8, which give these errors no code.
const lossMessage =
  /^(Connection terminated|Client .+ not queryable|timeout exceeded when|Query read timeout)/

/** Messages of the extension that spreads tables; its code for a lost node is that of a lost server. */
const nodeLoss = /^(?:connection to the remote node|failed to connect to|connection not open)/

/** Classifies an error of the database; undefined: unknown. */
export function failureOf(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  if (nodeLoss.test(error.message) && "code" in error && /^(?:08|57P0)/.test(String(error.code)))
    return "partial"
  if (lossMessage.test(error.message)) return "lost"
  if (networkFailureOf(error) !== undefined) return "lost"
  const { code } = error as { code?: unknown }
  if (typeof code !== "string") return undefined
  return states.find(([pattern]) => pattern.test(code))?.[1]
}

/** Whether the server did not answer at all, as a vanished one. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Query read timeout")
}

const messages: Readonly<Record<DatabaseFailure, [message: string, retryAfterSeconds: number]>> = {
  partial: ["A part of the database cannot be reached now", 5],
  lost: ["The database cannot be reached now", 2],
  readOnly: ["The database takes no writes now", 5],
  full: ["The disk of the database is full: nothing can be stored until there is room", 30],
  slow: ["The database took too long", 2],
  contended: ["Another request changes the same thing now", 1],
}

/** The 503 for callers who need the database meanwhile. */
export function refusalFor(failure: DatabaseFailure, cause?: unknown): AppError {
  const [message, retryAfterSeconds] = messages[failure]
  return unavailable(message, retryAfterSeconds, cause)
}

/**
 * Returns the unique, foreign-key or check constraint that a statement violated, such as
 * `bots_public_id_key`, or undefined for every other error.
 */
export function violatedConstraint(error: unknown): string | undefined {
  // Class 23: integrity constraint violation.
  if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith("23")) return undefined
  // A cluster passes on only the message of the node that holds the row.
  const name = error.constraint ?? /constraint "(\w+)"/.exec(error.message)?.[1]
  // On a cluster, the name of a constraint ends with the number of its shard.
  return name?.replace(/_\d{6,}$/, "")
}
