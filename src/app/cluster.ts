/** Several processes that serve one address together: a primary that watches over its workers. */
import cluster, { type Worker } from "node:cluster"
import { setTimeout as sleep } from "node:timers/promises"
import type { Log } from "../shared/log.ts"
import { type AllMetrics, openAllMetrics, shareMetrics } from "../shared/metrics.ts"
import type { Disposers } from "./compose.ts"
import type { Config } from "./config.ts"
import type { OpenMetricsReader } from "./serve.ts"
import { openMigrated, type Service, startService, welcome } from "./service.ts"
import { explain } from "./startProblem.ts"

/** What a worker tells the primary. */
type Report =
  | { parley: "ready"; address: string }
  | { parley: "failed"; reason: string }
  | { parley: "metrics"; id: number }

/** What the primary tells a worker. */
type Order = { parley: "stop" } | { parley: "metrics"; id: number; text: string }

const shortestRestartMs = 1_000
const longestRestartMs = 30_000
const soundMs = 60_000
const cutMs = 5_000

/**
 * Starts the workers, and a new one for each that dies. The embedded database, if that is used, is
 * the primary's, and outlives them all. `file` is what workers run; it calls `runWorker`.
 */
export async function startCluster(config: Config, log: Log, file: string): Promise<Service> {
  const closers: Disposers = []
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each()
  }
  try {
    const { main } = await openMigrated(config, log, closers)
    cluster.setupPrimary({ exec: file, args: [] })
    const team = openTeam(log)
    closers.push(() => stopTeam(team, config.stopTimeoutMs + cutMs))
    const started = Array.from({ length: config.workers }, () => startWorker(team))
    const addresses = await Promise.all(started)
    const first = await welcome(config, main)
    return { address: addresses[0] ?? "", first, stop: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The workers of this primary. */
type Team = { log: Log; workers: Set<Worker>; isStopping: boolean; metrics: AllMetrics }

function openTeam(log: Log): Team {
  const team: Team = {
    log,
    workers: new Set(),
    isStopping: false,
    metrics: openAllMetrics(),
  }
  // Also when the primary ends in a hurry.
  process.on("exit", () => killAll(team))
  return team
}

function killAll({ workers }: Team): void {
  for (const worker of workers) worker.process.kill("SIGKILL")
}

/** Starts a worker, and another one in its place whenever it ends; its address once it serves. */
function startWorker(team: Team): Promise<string> {
  const worker = cluster.fork()
  const startedAt = Date.now()
  team.workers.add(worker)
  return new Promise((resolve, reject) => {
    let reason = "A worker ended before it was ready"
    let isReady = false
    worker.on("message", (report: Report) => {
      if (report.parley === "ready") {
        isReady = true
        team.log.info({ worker: worker.id, pid: worker.process.pid }, "A worker serves")
        resolve(report.address)
      }
      if (report.parley === "failed") reason = report.reason
      if (report.parley === "metrics") void answerMetrics(team, worker, report.id)
    })
    worker.once("exit", async (code, signal) => {
      team.workers.delete(worker)
      // Its last words may be read after its end.
      if (worker.isConnected()) await new Promise((resolve) => worker.once("disconnect", resolve))
      if (team.isStopping) return reject(new Error(reason))
      const ended = { code, signal, worker: worker.id, ...(!isReady && { reason }) }
      team.log.error(ended, "A worker ended")
      if (isReady) void replaceWorker(team, Date.now() - startedAt)
      else reject(new Error(reason))
    })
  })
}

/** At once when the last one was sound, more and more slowly when workers do not come up. */
async function replaceWorker(team: Team, livedMs: number): Promise<void> {
  let waitMs = livedMs > soundMs ? 0 : shortestRestartMs
  for (;;) {
    await sleep(waitMs, undefined, { ref: false })
    if (team.isStopping) return
    const isUp = await startWorker(team).then(
      () => true,
      () => false,
    )
    if (isUp) return
    waitMs = Math.min(longestRestartMs, Math.max(shortestRestartMs, waitMs * 2))
  }
}

/** Lets all finish what they accepted; whoever is not done after `deadlineMs` is ended. */
async function stopTeam(team: Team, deadlineMs: number): Promise<void> {
  team.isStopping = true
  const ended = [...team.workers].map((worker) => {
    tell(worker, { parley: "stop" })
    return new Promise((resolve) => worker.process.once("exit", resolve))
  })
  const cut = setTimeout(() => killAll(team), deadlineMs)
  await Promise.all(ended)
  clearTimeout(cut)
}

async function answerMetrics({ metrics }: Team, worker: Worker, id: number): Promise<void> {
  // When a worker hangs there is no answer for all, and whoever asked makes do with its own.
  const text = await metrics.read().catch(() => "")
  tell(worker, { parley: "metrics", id, text })
}

function tell(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send(order)
}

/**
 * Serves as one of several until the primary says stop, or is gone. Signals are the primary's: a
 * terminal or a supervisor sends them to all.
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
        own.error({ err: error }, "A worker did not stop in order")
        process.exit(1)
      },
    )
  }
  process.on("message", (order: Order) => {
    if (order.parley === "stop") stop()
  })
  process.once("disconnect", stop)
  try {
    service = await startService(config, own, { openMetricsReader, welcomes: false })
    report({ parley: "ready", address: service.address })
  } catch (error) {
    report({ parley: "failed", reason: explain(error) })
    // Exits once the report is sent.
    process.disconnect()
  }
}

function report(message: Report): void {
  if (process.connected) process.send?.(message)
}

const metricsWaitMs = 5_500

/** Reads the metrics of all workers by way of the primary; of this one alone when it is silent. */
const openMetricsReader: OpenMetricsReader = (own) => {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  shareMetrics(own)
  process.on("message", (order: Order) => {
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
