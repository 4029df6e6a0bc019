/** Supervises one worker thread of the sandbox, and terminates it if it hangs. */
import type { Worker } from "node:worker_threads"
import type { Log } from "../../telemetry/log.ts"
import type { Answer, Ask, Job, Order, Ready, Report, SentOutcome } from "./sandboxMessages.ts"
import { startWorker } from "./startWorker.ts"

/** Why a job has no outcomes; `busy`: it could not continue because too many others were computing. */
export type JobFailure = { lost: "timeout" | "crash" | "memory" | "busy" }

export type JobOptions = {
  /** Answers a `fetch` of a script. */
  answer(request: string): Promise<{ text: string; isRefused: boolean }>
  /** Runs work that makes the thread compute, once that is allowed; resolves to undefined if it never is. */
  compute(work: () => Promise<Report | undefined>): Promise<Report | undefined>
  /** Whether the scripts may hold this many bytes while they wait for an answer. */
  mayHold(bytes: number): boolean
  signal?: AbortSignal | undefined
  /** How long the machine may take to notice that its time is over; absent: a second. */
  graceMs?: number
}

/** A thread, which runs one job at a time, so that a script can only harm its own job. */
export type Thread = {
  /** Runs a job. If it hangs, is aborted or holds too much memory, the thread is lost with it. */
  run(job: Job, options: JobOptions): Promise<SentOutcome[] | JobFailure>
  isLost(): boolean
  stop(): void
}

const usualGraceMs = 1_000
const startMs = 30_000

type State = {
  log: Log
  worker?: Worker
  isReady: boolean
  onReady: () => void
  lost?: JobFailure
  /** Called with each report of the worker, or without one if the thread is lost. */
  onReport: (report?: Report) => void
  /** Called if the thread is lost. */
  onLost: () => void
  watchdog?: NodeJS.Timeout
}

/** Starts a thread, which keeps the process alive only during jobs. */
export function openThread(log: Log, givesWay = false): Thread {
  const thread: State = {
    ...{ log, isReady: false },
    ...{ onReady: () => {}, onReport: () => {}, onLost: () => {} },
  }
  try {
    thread.worker = openWorker(thread, givesWay)
  } catch (error) {
    log.error({ err: error }, "A thread of the sandbox could not start")
    terminate(thread, "crash")
  }
  return {
    isLost: () => thread.lost !== undefined,
    stop: () => void terminate(thread, "crash"),
    async run(job, options) {
      const { signal } = options
      if (signal?.aborted) return { lost: "timeout" }
      const abort = () => void terminate(thread, "timeout")
      signal?.addEventListener("abort", abort)
      thread.worker?.ref()
      try {
        return await runJob(thread, job, options)
      } finally {
        signal?.removeEventListener("abort", abort)
        thread.worker?.unref()
      }
    },
  }
}

async function runJob(
  thread: State,
  job: Job,
  { answer, compute, mayHold, graceMs = usualGraceMs }: JobOptions,
): Promise<SentOutcome[] | JobFailure> {
  const ended = new Promise<undefined>((resolve) => {
    thread.onLost = () => resolve(undefined)
  })
  const pending = new Map<number, Promise<Answer>>()
  let order: Order = { kind: "run", job }
  for (;;) {
    const next = order
    const report = await compute(() => sendOrder(thread, next, job.runMs + graceMs))
    if (!report) return terminate(thread, "busy")
    if (report.kind === "done") {
      // Only the end of the thread frees the memory of its machine: an idle thread collects no garbage.
      if (report.isWorn) terminate(thread, "crash")
      return report.outcomes
    }
    if (!mayHold(report.takenBytes)) return terminate(thread, "memory")
    for (const ask of report.asks) pending.set(ask.id, answerTo(ask, answer, thread.log))
    const answered = await Promise.race([ended, ...pending.values()])
    if (!answered) return terminate(thread, "crash")
    pending.delete(answered.id)
    order = { kind: "answer", answer: answered }
  }
}

async function answerTo({ id, request }: Ask, answer: JobOptions["answer"], log: Log) {
  try {
    return { id, ...(await answer(request)) }
  } catch (error) {
    log.error({ err: error }, "A request of a script failed")
    return { id, text: "The request failed", isRefused: true }
  }
}

/** Sends the worker an order and waits for its report. Resolves to undefined if the thread is lost. */
function sendOrder(thread: State, order: Order, limitMs: number): Promise<Report | undefined> {
  return new Promise((resolve) => {
    if (thread.lost) return resolve(undefined)
    const watch = (ms: number) => {
      clearTimeout(thread.watchdog)
      thread.watchdog = setTimeout(() => terminate(thread, "timeout"), ms)
    }
    thread.onReady = () => watch(limitMs)
    thread.onReport = resolve
    watch(thread.isReady ? limitMs : startMs)
    thread.worker?.postMessage(order)
  })
}

function openWorker(thread: State, givesWay: boolean): Worker {
  const worker = startWorker(givesWay)
  worker.on("message", (message: Ready | Report) => {
    if (message.kind === "ready") {
      thread.isReady = true
      return thread.onReady()
    }
    clearTimeout(thread.watchdog)
    thread.onReport(message)
  })
  worker.on("error", (error) => {
    thread.log.warn({ err: error }, "A thread of the sandbox died")
    terminate(thread, "crash")
  })
  worker.on("exit", () => terminate(thread, "crash"))
  worker.unref()
  return worker
}

/** Terminates the thread; only the first reason counts. */
function terminate(thread: State, lost: JobFailure["lost"]): JobFailure {
  if (thread.lost) return thread.lost
  thread.lost = { lost }
  clearTimeout(thread.watchdog)
  void thread.worker?.terminate()
  thread.onReport()
  thread.onLost()
  return thread.lost
}
