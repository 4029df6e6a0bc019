/** One thread for heavy work, as seen by the process that starts it. */
import { Worker } from "node:worker_threads"
import { threadEntry } from "../../effects/sandbox/threadEntry.ts"
import {
  AppError,
  type ReportedRefusal,
  refusalFrom,
  tooExpensive,
  unavailable,
} from "../../lib/errors.ts"
import type { JobName } from "./heavyJobs.ts"

export type Order = { name: JobName; input: unknown }

/** The answer: a value, a refusal for the caller, or a failure. */
export type Answer =
  | { value: unknown }
  | {
      refusal: ReportedRefusal
    }
  | { failure: string }

/** A thread that does one job at a time. */
export type Thread = {
  do(order: Order): Promise<unknown>
  isLost(): boolean
  stop(): void
}

/** Limits of a job. The largest accepted flows take a tenth of them. */
export type ThreadLimits = { maxMegabytes: number; maxMs: number }

/** Starts a thread. A job beyond its limits ends only the thread. */
export function startThread({ maxMegabytes, maxMs }: ThreadLimits): Thread {
  const worker = new Worker(threadEntry("../../bots/heavy/heavyWorker.ts", "heavyWorker"), {
    env: {},
    execArgv: [],
    // With the usual 48 MB for young objects the process keeps 16 MB more, and no job is faster.
    resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb: 8 },
  })
  worker.unref()
  let isLost = false
  let settle: { resolve(answer: Answer): void; reject(error: unknown): void } | undefined
  worker.on("message", (answer: Answer) => settle?.resolve(answer))
  worker.on("error", (error: Error & { code?: string }) => {
    isLost = true
    settle?.reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? tooMuch("memory") : error)
  })
  worker.on("exit", () => {
    isLost = true
    settle?.reject(unavailable("The service stops", 1))
  })
  const stop = () => {
    isLost = true
    void worker.terminate()
  }
  return {
    isLost: () => isLost,
    stop,
    async do(order) {
      const answered = new Promise<Answer>((resolve, reject) => {
        settle = { resolve, reject }
      })
      // The process must not end before the job has.
      worker.ref()
      const late = setTimeout(() => {
        settle?.reject(tooMuch("time"))
        stop()
      }, maxMs)
      try {
        worker.postMessage(order)
        return resultOf(await answered)
      } finally {
        clearTimeout(late)
        settle = undefined
        worker.unref()
      }
    },
  }
}

function resultOf(answer: Answer): unknown {
  if ("value" in answer) return answer.value
  if ("failure" in answer) throw new Error(answer.failure)
  throw refusalFrom(answer.refusal)
}

/** Whether a job was ended because it took longer than its thread allows. */
export function hadTooLittleTime(error: unknown): boolean {
  return error instanceof AppError && error.message === messageOf("time")
}

function tooMuch(what: "memory" | "time"): AppError {
  return tooExpensive(messageOf(what))
}

function messageOf(what: "memory" | "time"): string {
  return `This work on the bot takes more ${what} than one request may: make the bot smaller`
}
