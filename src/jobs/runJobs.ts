/**
 * Runs jobs when they are due, several at once. Any number of processes may do so; each job runs in one
 * of them at a time.
 */
import type { Db } from "../db/connection/openDatabase.ts"
import { claimJob, ensureJobs, finishJob, readClock, renewJob } from "../db/jobs/jobs.ts"
import { anySignal } from "../lib/anySignal.ts"
import type { Metrics } from "../telemetry/metrics.ts"
import type { Job, JobCounts, JobDeps } from "./job.ts"

type JobOptions = Omit<JobDeps, "now"> & {
  jobs: readonly Job[]
  /** Connections for claims, which must not wait for jobs. */
  control: Db
  /** Identifies this process in claims. */
  processId: string
  metrics: Pick<Metrics, "countJob">
  /** Time between polls, 10 seconds by default. */
  pollMs?: number
  /** How long a claim lasts when it is not renewed, 60 seconds by default. */
  claimSeconds?: number
}

export type RunningJobs = ReturnType<typeof runJobs>

const retrySeconds = 60

export function runJobs(options: JobOptions) {
  const { log, pollMs = 10_000 } = options
  const stopping = new AbortController()
  const running: Running = new Map()
  let timer: NodeJS.Timeout | undefined
  let round = Promise.resolve()

  const poll = () => {
    round = round
      .then(() => startDue(options, running, stopping.signal))
      .catch((error: unknown) => log.warn({ err: error }, "Jobs could not be polled"))
    return round
  }
  const end = async () => {
    await round
    await Promise.all(running.values())
  }
  const schedule = (waitMs: number) => {
    if (stopping.signal.aborted) return
    // Must not keep the process alive.
    timer = setTimeout(() => void poll().finally(() => schedule(pollMs)), waitMs).unref()
  }
  // Not during start-up, and not in all processes at the same time.
  schedule(pollMs + Math.random() * pollMs)
  return {
    /** Runs all due jobs, and waits for running ones; for tests. */
    async runDue() {
      await poll()
      await end()
    },
    /** Lets the current jobs stop at their next safe points. */
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await end()
    },
  }
}

type Running = Map<string, Promise<void>>

async function startDue(options: JobOptions, running: Running, stopping: AbortSignal) {
  const { control: db, jobs, log, processId: by, claimSeconds: seconds = 60 } = options
  const all = jobs.map(({ name }) => name)
  await ensureJobs(db, all)
  while (!stopping.aborted) {
    // A claim may have run out although its job runs on.
    const names = all.filter((name) => !running.has(name))
    const name = await claimJob(db, { names, seconds, by })
    const job = jobs.find((each) => each.name === name)
    if (!job) return
    const run = runOne(options, job, stopping)
      .catch((error: unknown) => log.warn({ job: job.name, err: error }, "A job was not ended"))
      .finally(() => running.delete(job.name))
    running.set(job.name, run)
  }
}

async function runOne(options: JobOptions, job: Job, stopping: AbortSignal): Promise<void> {
  const { control: db, log, metrics, processId: by } = options
  const { name } = job
  const startedAt = performance.now()
  const claim = keepClaim(options, name)
  const signal = anySignal([stopping, claim.lost])
  let counts: JobCounts = {}
  let failure: Error | undefined
  try {
    // By the clock that dated the rows: that of a single machine may be wrong.
    const ahead = (await readClock(db)) - performance.now()
    const now = () => Math.floor(ahead + performance.now())
    counts = await job.run({ ...options, now }, signal)
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
  }
  claim.end()
  const seconds = (performance.now() - startedAt) / 1_000
  const isCut = failure !== undefined && signal.aborted
  if (!isCut) metrics.countJob({ job: name, outcome: failure ? "failed" : "ok", seconds, counts })
  if (failure && !isCut) log.error({ job: name, err: failure }, "A job failed")
  else {
    const didNothing = Object.values(counts).every((count) => count === 0)
    log[didNothing ? "debug" : "info"]({ job: name, ...counts, seconds, isCut }, "A job ran")
  }
  await finishJob(db, {
    name,
    by,
    afterSeconds: isCut ? 0 : Math.min(job.everySeconds, failure ? retrySeconds : Infinity),
    error: isCut ? null : (failure?.message ?? null),
  })
}

/** Renews a claim as long as the job runs; `lost` aborts when another process has taken the job. */
function keepClaim(
  { control: db, log, processId: by, claimSeconds: seconds = 60 }: JobOptions,
  name: string,
): { lost: AbortSignal; end(): void } {
  const lost = new AbortController()
  const timer = setInterval(
    () => {
      renewJob(db, { name, by, seconds }).then(
        (isOurs) => {
          if (!isOurs) lost.abort()
        },
        (error: unknown) => log.warn({ job: name, err: error }, "A job's claim was not renewed"),
      )
    },
    (seconds * 1_000) / 3,
  ).unref()
  return { lost: lost.signal, end: () => clearInterval(timer) }
}
