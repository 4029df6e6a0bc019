/**
 * Runs one job over and over for so many seconds, as the service would, and prints what each run took:
 * `tsx scripts/bench/jobProcess.ts <url> <name of the job> <seconds>`.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openDatabase } from "../../src/db/connection/open.ts"
import { openFileStore } from "../../src/effects/files/fileStore.ts"
import { openLocalStorage } from "../../src/effects/files/localStorage.ts"
import { allJobs } from "../../src/jobs/jobs.ts"
import { usualPlanLimits } from "../../src/plans.ts"
import { silentLog } from "../../src/telemetry/log.ts"

const [url = "", name, seconds] = process.argv.slice(2)
const job = allJobs.find((each) => each.name === name)
if (!job) throw new Error(`There is no job ${name}`)
const folder = await mkdtemp(join(tmpdir(), "parley-bench-"))
const key = Buffer.alloc(32)
const storage = openLocalStorage(folder)
const files = openFileStore({ storage, publicUrl: "http://localhost", key, folderKey: key })
const db = await openDatabase({ url, poolSize: 6, statementTimeoutMs: 0 })
const signal = AbortSignal.timeout(Number(seconds) * 1_000)
const runsMs: number[] = []
while (!signal.aborted) {
  const startedAt = performance.now()
  const deps = {
    db,
    log: silentLog(),
    files,
    planLimits: usualPlanLimits,
    showQuota: () => {},
    unansweredMs: 7_200_000,
    resultRetentionDays: 10,
    now: Date.now,
  }
  await job.run(deps, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  runsMs.push(Math.round(performance.now() - startedAt))
}
await db.close()
await rm(folder, { recursive: true })
console.log(JSON.stringify(runsMs))
