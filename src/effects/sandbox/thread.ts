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

/** Starts a thread. While it has nothing to do it does not keep the process alive. */
export function startThread(log: Log): Thread {
  const worker = startWorker()
  let isReady = false
  let isLost = false
  let current: { trip: Trip; orders: number; answer: Answerer; end: (end: End) => void } | undefined
  let watchdog: NodeJS.Timeout | undefined

  const lose = (lost: Lost["lost"]) => {
    isLost = true
    clearTimeout(watchdog)
    void worker.terminate()
    current?.end({ lost })
  }
  const watch = () => {
    clearTimeout(watchdog)
    if (!current || current.orders === 0) return
    const limitMs = isReady ? current.trip.runMs + graceMs : startMs
    watchdog = setTimeout(() => lose("timeout"), limitMs)
  }
  const order = (message: Order) => {
    if (!current) return
    current.orders++
    worker.postMessage(message)
    watch()
  }
  const serve = async ({ id, request }: Ask) => {
    const trip = current
    if (!trip) return
    const answer = await trip.answer(request).catch((error: unknown) => {
      log.error({ error }, "A request of a script failed")
      return { text: "The request failed", isRefused: true }
    })
    if (current === trip) order({ kind: "answer", answer: { id, ...answer } })
  }
  worker.on("message", (report: Report) => {
    if (report.kind === "ready") isReady = true
    else if (current) current.orders--
    watch()
    if (report.kind === "waiting") for (const ask of report.asks) void serve(ask)
    if (report.kind === "done") current?.end(report.outcomes)
  })
  worker.on("error", (error) => {
    log.warn({ error }, "A thread of the sandbox died")
    lose("crash")
  })
  worker.on("exit", () => lose("crash"))

  return {
    isLost: () => isLost,
    stop: () => lose("crash"),
    run: (trip, answer, signal) =>
      new Promise((resolve) => {
        const abort = () => lose("timeout")
        const end = (ended: End) => {
          clearTimeout(watchdog)
          signal?.removeEventListener("abort", abort)
          current = undefined
          worker.unref()
          resolve(ended)
        }
        if (isLost || signal?.aborted) return resolve({ lost: isLost ? "crash" : "timeout" })
        signal?.addEventListener("abort", abort)
        current = { trip, orders: 0, answer, end }
        worker.ref()
        order({ kind: "run", trip })
      }),
  }
}

type End = SentOutcome[] | Lost

function startWorker(): Worker {
  const isSource = import.meta.url.endsWith(".ts")
  const entry = isSource ? fromSource() : new URL("./sandboxWorker.js", import.meta.url)
  const worker = new Worker(entry, {
    // No variables of the environment, and nothing of what the process was started with.
    env: {},
    execArgv: [],
    eval: isSource,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  // What QuickJS says when it dies is of no use to anybody.
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()
  return worker
}

/** Code that starts the worker from its TypeScript: Node 20 takes no loader for a thread. */
function fromSource(): string {
  const loader = JSON.stringify(import.meta.resolve("tsx/esm/api"))
  const entry = JSON.stringify(new URL("./worker.ts", import.meta.url).href)
  return `import(${loader}).then(({ register }) => { register(); return import(${entry}) })`
}
