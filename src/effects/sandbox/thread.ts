/** One worker thread of the sandbox, watched from outside: what hangs is ended. */
import { Worker } from "node:worker_threads"
import type { Log } from "../../log.ts"
import type { Ask, Order, Report, SentOutcome, Trip } from "./messages.ts"

/** Why a trip has no outcomes. */
export type Lost = { lost: "timeout" | "crash" }

/** Answers a `fetch` of a script. */
export type Answerer = (request: string) => Promise<{ text: string; isRefused: boolean }>

/** A thread, which runs one trip at a time. */
export type Thread = {
  /** A trip that is lost takes the thread with it. */
  run(trip: Trip, answer: Answerer, signal?: AbortSignal): Promise<SentOutcome[] | Lost>
  isLost(): boolean
  stop(): void
}

/** What the machine may take to notice by itself that its time is over. */
const graceMs = 1000
const startMs = 30_000

/** A trip under way. */
type Run = { trip: Trip; answer: Answerer; end: (end: End) => void; openOrders: number }

type End = SentOutcome[] | Lost

type State = {
  worker: Worker
  log: Log
  isReady: boolean
  isLost: boolean
  run?: Run | undefined
  watchdog?: NodeJS.Timeout | undefined
}

/** Starts a thread. While it has nothing to do it does not keep the process alive. */
export function startThread(log: Log): Thread {
  const thread: State = { worker: startWorker(), log, isReady: false, isLost: false }
  thread.worker.on("message", (report: Report) => hear(thread, report))
  thread.worker.on("error", (error) => {
    log.warn({ error }, "A thread of the sandbox died")
    lose(thread, "crash")
  })
  thread.worker.on("exit", () => lose(thread, "crash"))
  return {
    isLost: () => thread.isLost,
    stop: () => lose(thread, "crash"),
    run: (trip, answer, signal) =>
      new Promise((resolve) => {
        if (thread.isLost || signal?.aborted) {
          return resolve({ lost: thread.isLost ? "crash" : "timeout" })
        }
        const abort = () => lose(thread, "timeout")
        const end = (ended: End) => {
          clearTimeout(thread.watchdog)
          signal?.removeEventListener("abort", abort)
          thread.run = undefined
          thread.worker.unref()
          resolve(ended)
        }
        signal?.addEventListener("abort", abort)
        thread.run = { trip, answer, end, openOrders: 0 }
        thread.worker.ref()
        order(thread, { kind: "run", trip })
      }),
  }
}

function hear(thread: State, report: Report): void {
  if (report.kind === "ready") thread.isReady = true
  else if (thread.run) thread.run.openOrders--
  watch(thread)
  if (report.kind === "waiting") for (const ask of report.asks) void serve(thread, ask)
  if (report.kind === "done") thread.run?.end(report.outcomes)
}

function order(thread: State, message: Order): void {
  if (!thread.run) return
  thread.run.openOrders++
  thread.worker.postMessage(message)
  watch(thread)
}

/** Gives the thread until then to report; nothing is expected of it while it waits for answers. */
function watch(thread: State): void {
  clearTimeout(thread.watchdog)
  const { run, isReady } = thread
  if (!run || run.openOrders === 0) return
  const limitMs = isReady ? run.trip.runMs + graceMs : startMs
  thread.watchdog = setTimeout(() => lose(thread, "timeout"), limitMs)
}

async function serve(thread: State, { id, request }: Ask): Promise<void> {
  const { run, log } = thread
  if (!run) return
  const answer = await run.answer(request).catch((error: unknown) => {
    log.error({ error }, "A request of a script failed")
    return { text: "The request failed", isRefused: true }
  })
  if (thread.run === run) order(thread, { kind: "answer", answer: { id, ...answer } })
}

function lose(thread: State, lost: Lost["lost"]): void {
  thread.isLost = true
  clearTimeout(thread.watchdog)
  void thread.worker.terminate()
  thread.run?.end({ lost })
}

function startWorker(): Worker {
  const isSource = import.meta.url.endsWith(".ts")
  const entry = isSource ? fromSource() : new URL("./sandboxWorker.js", import.meta.url)
  const worker = new Worker(entry, {
    // No variables of the environment, and nothing of what the process was started with.
    env: {},
    execArgv: [],
    eval: isSource,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  worker.unref()
  return worker
}

/** Code that starts the worker from its TypeScript: Node 20 takes no loader for a thread. */
function fromSource(): string {
  const loader = JSON.stringify(import.meta.resolve("tsx/esm/api"))
  const entry = JSON.stringify(new URL("./worker.ts", import.meta.url).href)
  return `import(${loader}).then(({ register }) => { register(); return import(${entry}) })`
}
