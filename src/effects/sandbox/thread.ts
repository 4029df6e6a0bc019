/** One worker thread of the sandbox, watched from outside: what hangs is ended. */
import type { Worker } from "node:worker_threads"
import type { Log } from "../../log.ts"
import type { Ask, Order, Report, SentOutcome, Trip } from "./messages.ts"
import { startWorker } from "./startWorker.ts"

/** Why a trip has no outcomes; `unbegun`: the thread was lost before it came to this trip. */
export type Lost = { lost: "timeout" | "crash" | "unbegun" }

/** Answers a `fetch` of a script. */
export type Answerer = (request: string) => Promise<{ text: string; isRefused: boolean }>

/** A thread: one trip computes at a time, and meanwhile others may wait for answers. */
export type Thread = {
  /** A trip that hangs takes the thread with it, and those that wait there. */
  run(trip: Trip, answer: Answerer, signal?: AbortSignal): Promise<SentOutcome[] | Lost>
  isLost(): boolean
  stop(): void
}

/** What the machine may take to notice by itself that its time is over. */
const graceMs = 1000
const startMs = 30_000

/** A trip under way. */
type Run = { trip: Trip; answer: Answerer; end: (end: SentOutcome[] | Lost) => void }

type State = {
  worker: Worker
  log: Log
  isReady: boolean
  isLost: boolean
  runs: Map<number, Run>
  lastTripId: number
  /** What the worker is busy with, and for how long it may be. */
  current?: { order: Order; limitMs: number } | undefined
  orders: Order[]
  watchdog?: NodeJS.Timeout | undefined
}

/** Starts a thread. While it has nothing to do it does not keep the process alive. */
export function startThread(log: Log): Thread {
  const worker = startWorker()
  const begun = { isReady: false, isLost: false, runs: new Map(), lastTripId: 0, orders: [] }
  const thread: State = { worker, log, ...begun }
  worker.on("message", (report: Report) => hear(thread, report))
  worker.on("error", (error) => {
    log.warn({ error }, "A thread of the sandbox died")
    lose(thread, "crash")
  })
  worker.on("exit", () => lose(thread, "crash"))
  return {
    isLost: () => thread.isLost,
    stop: () => lose(thread, "crash"),
    run: (trip, answer, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve({ lost: "timeout" })
        if (thread.isLost) return resolve({ lost: "unbegun" })
        const tripId = ++thread.lastTripId
        const abort = () => giveUp(thread, tripId)
        const end: Run["end"] = (ended) => {
          signal?.removeEventListener("abort", abort)
          thread.runs.delete(tripId)
          if (thread.runs.size === 0) worker.unref()
          resolve(ended)
        }
        signal?.addEventListener("abort", abort)
        thread.runs.set(tripId, { trip, answer, end })
        worker.ref()
        order(thread, { kind: "run", tripId, trip })
      }),
  }
}

function order(thread: State, next: Order): void {
  thread.orders.push(next)
  goOn(thread)
}

/** Sends the next order, unless the worker is busy: so it is known who makes it hang. */
function goOn(thread: State): void {
  if (thread.current || thread.isLost) return
  const next = thread.orders.shift()
  if (!next) return
  const runMs = thread.runs.get(next.tripId)?.trip.runMs ?? 0
  thread.current = { order: next, limitMs: runMs + graceMs }
  thread.worker.postMessage(next)
  watch(thread)
}

function hear(thread: State, report: Report): void {
  if (report.kind === "ready") {
    thread.isReady = true
    watch(thread)
    return
  }
  const run = thread.runs.get(thread.current?.order.tripId ?? 0)
  thread.current = undefined
  watch(thread)
  if (report.kind === "done") run?.end(report.outcomes)
  else if (run) for (const ask of report.asks) void serve(thread, run, ask)
  goOn(thread)
}

/** Gives the worker until then to report; nothing is expected of it while all its trips wait. */
function watch(thread: State): void {
  clearTimeout(thread.watchdog)
  const { current, isReady } = thread
  if (!current) return
  const limitMs = isReady ? current.limitMs : startMs
  thread.watchdog = setTimeout(() => lose(thread, "timeout"), limitMs)
}

async function serve(thread: State, run: Run, { id, request }: Ask): Promise<void> {
  const answer = await run.answer(request).catch((error: unknown) => {
    thread.log.error({ error }, "A request of a script failed")
    return { text: "The request failed", isRefused: true }
  })
  for (const [tripId, other] of thread.runs) {
    if (other === run) order(thread, { kind: "answer", tripId, answer: { id, ...answer } })
  }
}

/** Ends a trip whose turn is over; the others stay where they are. */
function giveUp(thread: State, tripId: number): void {
  const isComputing = thread.current?.order.tripId === tripId
  if (isComputing && thread.runs.size === 1) {
    lose(thread, "timeout")
    return
  }
  const isBegun = !thread.orders.some((each) => each.kind === "run" && each.tripId === tripId)
  thread.orders = thread.orders.filter((each) => each.tripId !== tripId)
  thread.runs.get(tripId)?.end({ lost: "timeout" })
  if (isBegun) order(thread, { kind: "drop", tripId })
}

function lose(thread: State, lost: Lost["lost"]): void {
  thread.isLost = true
  clearTimeout(thread.watchdog)
  void thread.worker.terminate()
  const guilty = thread.current?.order.tripId
  const isUnbegun = (id: number) =>
    thread.orders.some(({ kind, tripId }) => kind === "run" && tripId === id)
  for (const [tripId, run] of [...thread.runs]) {
    if (tripId === guilty) run.end({ lost })
    else run.end({ lost: isUnbegun(tripId) ? "unbegun" : "crash" })
  }
}
