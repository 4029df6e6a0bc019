/**
 * Takes each condition, lock and conflict clause out of the SQL functions, one at a time, and runs the tests
 * that belong to the function: they must fail. Ends with code 1 when they pass without one.
 * `--only <part of a name>` tries some functions, `--list` only says what would be tried.
 */
import { spawn } from "node:child_process"
import { chmod, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { openConnectionPool } from "../src/db/connection/connectionPool.ts"
import { migrate } from "../src/db/schema/migrate.ts"
import { startEmbedded } from "../src/postgres/startEmbedded.ts"
import { removeFolder } from "./drills/product.ts"
import { harmless, sqlFaultsIn, testsOfFunctions } from "./drills/sqlConditions.ts"

const { values: options } = parseArgs({
  options: { only: { type: "string", default: "" }, list: { type: "boolean", default: false } },
})
const functionsQuery = `select p.proname as name, pg_get_functiondef(p.oid) as definition
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where n.nspname = 'public' order by p.proname`
const root = fileURLToPath(new URL("..", import.meta.url))
const dataFolder = await mkdtemp(join(tmpdir(), "parley-sql-faults-"))
// For the account that runs the server when this runs as root.
await chmod(dataFolder, 0o755)
const settings = ["fsync=off", "full_page_writes=off", "autovacuum=off"]
const server = await startEmbedded({ dataFolder, durable: false, settings })
try {
  const survivors = await tryAll()
  if (survivors > 0) process.exitCode = 1
} finally {
  await server.stop()
  await removeFolder(dataFolder)
}

type SqlFunction = { name: string; definition: string }

/** Returns how many faults no test has noticed. */
async function tryAll(): Promise<number> {
  const pool = openConnectionPool({ url: server.url, size: 1, statementTimeoutMs: 0 })
  await migrate(pool)
  const { rows: functions } = await pool.query<SqlFunction>(functionsQuery)
  let survivors = 0
  for (const { name, definition } of functions.filter(({ name }) => name.includes(options.only))) {
    const tests = testsOfFunctions[name]
    if (!tests) throw new Error(`${name} has no tests in scripts/drills/sqlConditions.ts`)
    if (!options.list && !(await pass(tests, definition))) {
      throw new Error(`${tests.join(" and ")} fail without a fault`)
    }
    const spared = new Set(harmless[name])
    const faults = sqlFaultsIn(definition).filter(({ what }) => !spared.has(what))
    console.log(`${name}: ${faults.length} faults`)
    for (const { line, what, source } of faults) {
      // What is no SQL would fail all tests.
      await pool.query(source)
      const isMissed = !options.list && (await pass(tests, source))
      if (isMissed) survivors += 1
      if (isMissed || options.list)
        console.log(`  ${isMissed ? "missed: " : ""}line ${line}: ${what}`)
    }
  }
  await pool.end()
  if (!options.list) console.log(`${survivors} missed`)
  return survivors
}

/** Whether the tests pass where a function has this source. */
async function pass(tests: string[], source: string): Promise<boolean> {
  const words = ["vitest", "run", "--config", "test/vitest.config.ts", "--bail", "1", ...tests]
  const env = { ...process.env, TEST_DATABASE_URL: server.url, TEST_DATABASE_FAULT: source }
  const child = spawn("npx", words, { cwd: root, env, stdio: "ignore" })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("exit", resolve)
  })
  return code === 0
}
