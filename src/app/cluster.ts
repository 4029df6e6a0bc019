/** Serves one address with several processes: a primary supervises its workers. */
import cluster, { type Worker } from "node:cluster"
import { setTimeout as sleep } from "node:timers/promises"
import { deleteStaleSocket } from "../http/connections/listen.ts"
import { type Disposers, disposeAll } from "../lib/disposers.ts"
import type { Log } from "../telemetry/log.ts"
import { createClusterMetrics, shareMetrics } from "../telemetry/metrics.ts"
import type { Config } from "./config.ts"
import type { CreateMetricsReader } from "./serve.ts"
import { openMigrated, type Service, startService, welcome } from "./service.ts"
import { explain } from "./startProblem.ts"

type WorkerMessage =
  | { parley: "ready"; address: string }
  | { parley: "failed"; reason: string }
  | { parley: "metrics"; id: number }

type PrimaryMessage = { parley: "stop" } | { parley: "metrics"; id: number; text: string }

const minRestartMs = 1_000
const maxRestartMs = 30_000
const stableMs = 60_000
const killGraceMs = 5_000

/**
 * Starts the workers, and replaces those that die. The embedded database, if there is one, belongs
 * to the primary and outlives them all. Workers run `file`, which calls `runWorker`.
 */
export async function startCluster(
  config: Config,
  log: Log,
  { file, makesLink }: { file: string; makesLink: boolean },
): Promise<Service> {
  const disposers: Disposers = []
  const stop = () => disposeAll(disposers, config.stopTimeoutMs + 2 * killGraceMs)
  try {
    const { main } = await openMigrated(config, log, disposers)
    cluster.setupPrimary({ exec: file, args: [] })
    // Two workers that both do so could remove the socket of each other.
    if (config.socketPath !== undefined) await deleteStaleSocket(config.socketPath)
    const pool = createWorkerPool(log)
    disposers.push(() => stopPool(pool, config.stopTimeoutMs + killGraceMs))
    const started = Array.from({ length: config.workers }, () => startWorker(pool))
    const addresses = await Promise.all(started)
    const address = addresses[0] ?? ""
    const welcomed = await welcome({ config, database: main, address, makesLink })
    return { address, databaseFolder: main.elsewhere, ...welcomed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type WorkerPool = ReturnType<typeof createWorkerPool>

function createWorkerPool(log: Log) {
  const workers = new Set<Worker>()
  // In case the primary does not get to stop them.
  process.on("exit", () => killAll(workers))
  return { log, workers, isStopping: false, metrics: createClusterMetrics() }
}

function killAll(workers: ReadonlySet<Worker>): void {
  for (const worker of workers) worker.process.kill("SIGKILL")
}

/** Starts a worker that is replaced whenever it ends. Resolves to its address once it serves. */
function startWorker(pool: WorkerPool): Promise<string> {
  const worker = cluster.fork()
  const startedAt = Date.now()
  pool.workers.add(worker)
  return new Promise((resolve, reject) => {
    let reason = "A worker ended before it was ready"
    let isReady = false
    worker.on("message", (message: WorkerMessage) => {
      if (message.parley === "ready") {
        isReady = true
        pool.log.info({ worker: worker.id, pid: worker.process.pid }, "A worker serves")
        resolve(message.address)
      }
      if (message.parley === "failed") reason = message.reason
      if (message.parley === "metrics") void answerMetrics(pool, worker, message.id)
    })
    // Node itself also sends to workers, whose channel may have closed; unheard, that would end this process.
    worker.on("error", (error) => {
      pool.log.warn({ err: error, worker: worker.id }, "A worker could not be reached")
      const hasStarted = worker.process.pid !== undefined
      if (hasStarted) return
      // It has no exit either.
      pool.workers.delete(worker)
      reject(error)
    })
    worker.once("exit", async (code, signal) => {
      pool.workers.delete(worker)
      // Its messages may arrive after its exit.
      if (worker.isConnected()) await new Promise((resolve) => worker.once("disconnect", resolve))
      if (pool.isStopping) return reject(new Error(reason))
      const ended = { code, signal, worker: worker.id, ...(!isReady && { reason }) }
      pool.log.error(ended, "A worker ended")
      if (isReady) void replaceWorker(pool, Date.now() - startedAt)
      else reject(new Error(reason))
    })
  })
}

/** Starts another worker: at once if the last one was stable, after growing delays if starts fail. */
async function replaceWorker(pool: WorkerPool, livedMs: number): Promise<void> {
  let waitMs = livedMs > stableMs ? 0 : minRestartMs
  for (;;) {
    await sleep(waitMs, undefined, { ref: false })
    if (pool.isStopping) return
    const isUp = await startWorker(pool).then(
      () => true,
      () => false,
    )
    if (isUp) return
    waitMs = Math.min(maxRestartMs, Math.max(minRestartMs, waitMs * 2))
  }
}

/** Lets all workers finish what they accepted, and kills those that still run after `deadlineMs`. */
async function stopPool(pool: WorkerPool, deadlineMs: number): Promise<void> {
  pool.isStopping = true
  const ended = [...pool.workers].map((worker) => {
    send(worker, { parley: "stop" })
    return new Promise((resolve) => worker.process.once("exit", resolve))
  })
  const killing = setTimeout(() => killAll(pool.workers), deadlineMs)
  await Promise.all(ended)
  clearTimeout(killing)
}

async function answerMetrics({ metrics }: WorkerPool, worker: Worker, id: number): Promise<void> {
  // A worker that hangs spoils the sum; the worker that asked then falls back on its own numbers.
  const text = await metrics().catch(() => "")
  send(worker, { parley: "metrics", id, text })
}

function send(worker: Worker, order: PrimaryMessage): void {
  // A worker may end at any moment, and without a callback its closed channel would end this process.
  if (worker.isConnected()) worker.send(order, () => {})
}

/**
 * Serves as one of several until the primary says stop or is gone. Signals are left to the primary,
 * because a terminal or a supervisor sends them to every process.
 */
export async function runWorker(config: Config, log: Log): Promise<void> {
  const own = log.child({ worker: cluster.worker?.id })
  process.on("SIGINT", () => {})
  process.on("SIGTERM", () => {})
  let service: Service | undefined
  const stop = () => {
    const stopped = service?.stop() ?? Promise.resolve()
    stopped.then(
      () => process.exit(0),
      (error: unknown) => {
        own.error({ err: error }, "A worker did not stop cleanly")
        process.exit(1)
      },
    )
  }
  process.on("message", (order: PrimaryMessage) => {
    if (order.parley === "stop") stop()
  })
  process.once("disconnect", stop)
  try {
    service = await startService(config, own, { createMetricsReader, welcomes: false })
    report({ parley: "ready", address: service.address })
  } catch (error) {
    report({ parley: "failed", reason: explain(error) })
    // The process exits once the report is sent.
    process.disconnect()
  }
}

function report(message: WorkerMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

const metricsWaitMs = 5_500

/** Reads the metrics of all workers through the primary, or those of this one if it is silent. */
const createMetricsReader: CreateMetricsReader = (own) => {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  shareMetrics(own)
  process.on("message", (order: PrimaryMessage) => {
    if (order.parley === "metrics") waiting.get(order.id)?.(order.text)
  })
  return async () => {
    const id = ++asked
    const text = await new Promise<string>((resolve) => {
      waiting.set(id, resolve)
      setTimeout(() => resolve(""), metricsWaitMs).unref()
      report({ parley: "metrics", id })
    })
    waiting.delete(id)
    return text || (await own.metrics())
  }
}
