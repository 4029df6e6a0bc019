/** Answers whether the service is alive, and whether it is ready. */
import { AppError, unavailable } from "../../errors.ts"
import { sendProblem, sendText } from "../answer.ts"
import type { Exchange } from "../exchange.ts"

/** What readiness depends on. */
type Readiness = {
  /** Rejects while the database does not answer or accepts no writes. */
  checkDatabase(): Promise<void>
  /** True from the moment the process was asked to stop. */
  isStopping(): boolean
}

const checkTimeoutMs = 2_000

/** Answers `{"status":"ok"}` as long as the process can answer at all. */
export function answerHealth(exchange: Exchange): void {
  sendText(exchange, 200, '{"status":"ok"}')
}

/** Makes the readiness page: 200, or 503 while stopping or without a working database. */
export function createReady(readiness: Readiness): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    try {
      if (readiness.isStopping()) throw unavailable("The service is stopping", 5)
      await within(checkTimeoutMs, readiness.checkDatabase())
      sendText(exchange, 200, '{"status":"ok"}')
    } catch (error) {
      const lost = unavailable("The database does not answer", 2, error)
      sendProblem(exchange, error instanceof AppError ? error : lost)
    }
  }
}

/** Leaves no timer behind: anybody may ask as often as they like. */
function within(timeoutMs: number, answer: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("No answer in time")), timeoutMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
