/** Answers whether the service is alive, and whether it is ready. */
import { AppError, unavailable } from "../../lib/errors.ts"
import { sendProblem, sendText } from "../answer.ts"
import type { Exchange } from "../exchange.ts"

type Readiness = {
  /** Rejects while the database does not answer or accepts no writes. */
  checkDatabase(): Promise<void>
  /** Whether the first start has created its user, without whom the service is of no use. */
  hasUsers(): Promise<boolean>
  /** True once the process is stopping. */
  isStopping(): boolean
  /** Whether the disk of the data folder is full, on which an embedded database stops for good. */
  isDiskFull(): Promise<boolean>
  /** Failing dependencies without which most of the service works. */
  unavailable(): readonly string[]
}

const checkTimeoutMs = 2_000

/** Answers `{"status":"ok"}` as long as the process can answer at all. */
export function answerHealth(exchange: Exchange): void {
  sendText(exchange, 200, '{"status":"ok"}')
}

/**
 * Creates the readiness page: 200, with the names of failing dependencies, or 503 while stopping, without a
 * working database, or before there is a user.
 */
export function createReady(readiness: Readiness): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    try {
      if (readiness.isStopping()) throw unavailable("The service is stopping", 5)
      await within(checkTimeoutMs, readiness.checkDatabase())
      if (!(await within(checkTimeoutMs, readiness.hasUsers())))
        throw unavailable("The first user is being created", 1)
      const missing = readiness.unavailable()
      // Still 200: a 503 would take down what works, too.
      const status =
        missing.length === 0 ? { status: "ok" } : { status: "degraded", unavailable: missing }
      sendText(exchange, 200, JSON.stringify(status))
    } catch (error) {
      sendProblem(exchange, error instanceof AppError ? error : await lossOf(readiness, error))
    }
  }
}

/** Why the database does not answer, as far as this machine knows. */
async function lossOf({ isDiskFull }: Readiness, error: unknown): Promise<AppError> {
  const isFull = await isDiskFull().catch(() => false)
  return isFull
    ? unavailable("The disk of the data folder is full: make room on it", 30, error)
    : unavailable("The database does not answer", 2, error)
}

/** Leaves no timer behind: the page is public and unlimited. */
function within<Answer>(timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("No answer in time")), timeoutMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
