/** The thread on which heavy work runs: one job at a time. */
import { parentPort } from "node:worker_threads"
import { AppError } from "../../lib/errors.ts"
import { giveWay } from "../../lib/giveWay.ts"
import { type JobName, jobs } from "./heavyJobs.ts"
import type { Answer, Order } from "./heavyThread.ts"

const port = parentPort
if (!port) throw new Error("This file only runs as a worker thread")

giveWay()

port.on("message", ({ name, input }: Order) => port.postMessage(answerOf(name, input)))

function answerOf(name: JobName, input: unknown): Answer {
  try {
    return { value: jobs[name](input as never) }
  } catch (error) {
    if (!(error instanceof AppError)) return { failure: String((error as Error)?.stack ?? error) }
    const { reason, message, issues, data } = error
    return { refusal: { reason, message, issues, data } }
  }
}
