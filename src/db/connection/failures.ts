/** Tells apart why a database does not do its work now, and what callers are told of it. */
import { type AppError, unavailable } from "../../shared/errors.ts"

/**
 * - `lost`: it cannot be reached, has no means left, or is on its way down or up;
 * - `readOnly`: it takes no writes: a standby after a failover, or storage that its keeper locked;
 * - `full`: its disk is full;
 * - `slow`: it ended a statement that took too long;
 * - `contended`: it gave one of two transactions up, which may be tried again.
 */
export type DatabaseFailure = "lost" | "readOnly" | "full" | "slow" | "contended"

// Appendix A of the PostgreSQL manual: 08 connection, 53 out of resources, 57 cancelled or shut down.
const states: readonly [RegExp, DatabaseFailure][] = [
  [/^25006$/, "readOnly"],
  [/^53100$/, "full"],
  [/^57014$/, "slow"],
  [/^(08...|53...|57P0[1-5])$/, "lost"],
  [/^(40001|40P01)$/, "contended"],
]
const lossCodes = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"])
// Words of pg and pg-pool 8, which give these errors no code.
const lossMessage =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout)/

/** What is wrong with the database; undefined: the error says nothing of the kind. */
export function failureOf(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  if (lossMessage.test(error.message)) return "lost"
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code !== "string") return undefined
  const isSocketCall = syscall === "connect" || syscall === "read" || syscall === "write"
  if (isSocketCall && lossCodes.has(code)) return "lost"
  return states.find(([pattern]) => pattern.test(code))?.[1]
}

const told: Readonly<Record<DatabaseFailure, [message: string, retryAfterSeconds: number]>> = {
  lost: ["The database cannot be reached now", 2],
  readOnly: ["The database takes no writes now", 5],
  full: ["The disk of the database is full: nothing can be stored until there is room", 30],
  slow: ["The database took too long", 2],
  contended: ["Another request changes the same thing now", 1],
}

/** The refusal of whoever needs the database meanwhile. */
export function refusalFor(failure: DatabaseFailure, cause?: unknown): AppError {
  const [message, retryAfterSeconds] = told[failure]
  return unavailable(message, retryAfterSeconds, cause)
}
