/** How jobs are run: each by one process at a time, again when due, and never lost. */
import { afterEach, expect, test, vi } from "vitest"
import { createDomainRecords } from "../../src/effects/network/domainRecords.ts"
import type { Job } from "../../src/jobs/job.ts"
import { type RunningJobs, runJobs } from "../../src/jobs/runJobs.ts"
import { usualPlanLimits } from "../../src/lib/plans.ts"
import { silentLog } from "../../src/telemetry/log.ts"
import { createMetrics } from "../../src/telemetry/metrics.ts"
import { testDatabase } from "../support/database.ts"
import { noFiles } from "../support/jobs.ts"
import { eventually } from "../support/waiting.ts"

const db = await testDatabase()
const running: RunningJobs[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
  await db.pool.query("delete from jobs")
})

/** A process that runs jobs only on request. */
function processWith(
  jobs: Job | Job[],
  options: { processId?: string; claimSeconds?: number } = {},
) {
  const metrics = createMetrics()
  const runner = runJobs({
    db,
    control: db,
    log: silentLog(),
    files: noFiles,
    planLimits: usualPlanLimits,
    records: createDomainRecords(),
    namingKey: Buffer.alloc(32),
    unansweredMs: 7_200_000,
    maxDeliveriesBytes: Number.POSITIVE_INFINITY,
    showQuota: () => {},
    jobs: [jobs].flat(),
    processId: options.processId ?? "one",
    metrics,
    pollMs: 3_600_000,
    ...options,
  })
  running.push(runner)
  return { ...runner, metrics }
}

function jobOf(run: Job["run"], everySeconds = 300): Job {
  return { name: "test", everySeconds, run }
}

async function row() {
  const { rows } = await db.pool.query(
    `select claimed_by, last_error, last_finished_at is not null as finished,
      round(extract(epoch from run_at - now()))::int as due from jobs where name = 'test'`,
  )
  return rows[0]
}

test("a job runs once when it is due, and then not before its time", async () => {
  let runs = 0
  const own = processWith(
    jobOf(async () => {
      runs += 1
      return { things: 3 }
    }),
  )
  await own.runDue()
  await own.runDue()
  expect(runs).toBe(1)
  expect(await row()).toEqual({ claimed_by: null, last_error: null, finished: true, due: 300 })
  const text = await own.metrics.registry.metrics()
  expect(text).toContain('parley_job_items_total{job="test",item="things"} 3')
  expect(text).toMatch(/parley_job_duration_seconds_count\{.*job="test".*\} 1/)
  expect(text).toContain('outcome="ok"')
})

test("of many processes one runs a job that is due", async () => {
  let runs = 0
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const job = jobOf(async () => {
    runs += 1
    await ended
    return {}
  })
  const looks = ["a", "b", "c", "d"].map((processId) => processWith(job, { processId }).runDue())
  // It ends when the others have looked in vain; a second that ran it would be waited for as well.
  await Promise.race(looks)
  end()
  await Promise.all(looks)
  expect(runs).toBe(1)
})

test("a long job keeps no other waiting", async () => {
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  // Ends only after the other one has run.
  const long = jobOf(async () => {
    await ended
    return {}
  })
  const short = {
    ...jobOf(async () => {
      end()
      return {}
    }),
    name: "test 2",
  }
  await processWith([long, short]).runDue()
  expect(await row()).toMatchObject({ finished: true })
})

test("a job that fails is noted, and tried again after a minute", async () => {
  const own = processWith(jobOf(() => Promise.reject(new Error("no luck"))))
  await own.runDue()
  expect(await row()).toEqual({ claimed_by: null, last_error: "no luck", finished: true, due: 60 })
  expect(await own.metrics.registry.metrics()).toContain('outcome="failed"')
})

test("the job of a process that died is taken over when its claim has run out", async () => {
  await db.pool.query(
    `insert into jobs (name, claimed_by, claimed_until) values ('test', 'dead', now() + interval '1 hour')`,
  )
  let runs = 0
  const own = processWith(
    jobOf(async () => {
      runs += 1
      return {}
    }),
  )
  await own.runDue()
  expect(runs).toBe(0)
  await db.pool.query("update jobs set claimed_until = now() - interval '1 s'")
  await own.runDue()
  expect(runs).toBe(1)
})

test("a claim is renewed as long as its job runs", async () => {
  let runs = 0
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const isHeld = async () => {
    const { rows } = await db.pool.query("select claimed_until > now() as held from jobs")
    return rows[0]?.held === true
  }
  const job = jobOf(async () => {
    runs += 1
    await ended
    return {}
  })
  const slow = processWith(job, { processId: "slow", claimSeconds: 6 })
  const other = processWith(job, { processId: "other", claimSeconds: 6 })
  const first = slow.runDue()
  await eventually(() => expect(runs).toBe(1))
  // As if its time had run out; the process that is at it says that it still is.
  await db.pool.query("update jobs set claimed_until = now() - interval '1 s'")
  await eventually(async () => expect(await isHeld()).toBe(true))
  await other.runDue()
  end()
  await first
  expect(runs).toBe(1)
})

test("stopping ends a job at its next good point and leaves it due for others", async () => {
  let begin: () => void = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const own = processWith(
    jobOf(async (_parts, signal) => {
      begin()
      await new Promise((resolve) => signal.addEventListener("abort", resolve))
      signal.throwIfAborted()
      return {}
    }),
  )
  void own.runDue()
  await begun
  await own.stop()
  expect(await row()).toMatchObject({ claimed_by: null, last_error: null, due: 0 })
})

test("a process whose clock is a day wrong gives jobs the database's time", async () => {
  const told: number[] = []
  const job = jobOf(async ({ now }) => {
    told.push(now())
    return {}
  })
  const { rows } = await db.pool.query("select now() as now")
  vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ["Date"] })
  await processWith(job).runDue()
  vi.useRealTimers()
  expect(told).toHaveLength(1)
  expect(Math.abs((told[0] ?? 0) - rows[0].now.getTime())).toBeLessThan(3_600_000)
})
