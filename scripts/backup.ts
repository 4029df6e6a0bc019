/**
 * Backs a service up while people chat, kills backups and restores, restores into another server and
 * into an embedded database, and counts:
 * every turn that was acknowledged before a backup began is in it, chats go on, a broken backup is
 * refused by name, and a broken restore leaves its target empty.
 * `npx tsx scripts/backup.ts [--chats 40] [--kills 3]`; ends with 1 on any discrepancy.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { createPool, type Pool } from "../src/db/connection/pool.ts"
import { startEmbedded } from "../src/postgres/start.ts"
import { newToken } from "../src/routers/apiTokens.ts"
import { type LoopTalk, openLoopTalks, publishLoop } from "./drills/loopTalks.ts"
import { copyProduct, numberGiven, startProduct } from "./drills/product.ts"

const chats = numberGiven("chats", 40)
const kills = numberGiven("kills", 3)
const token = newToken()
const { folder, remove } = await copyProduct()
const source = { PARLEY_DATA: join(folder, "from") }
const file = join(folder, "backup")
const problems: string[] = []

const run = await startProduct(folder, {
  ...source,
  PARLEY_BOOTSTRAP_EMAIL: "ann@example.com",
  PARLEY_BOOTSTRAP_TOKEN: token,
})
const target = await startEmbedded({ dataFolder: join(folder, "to") })
const pool = createPool({ url: target.url, size: 1, statementTimeoutMs: 60_000 })
try {
  await drill()
} finally {
  run.child.kill("SIGTERM")
  await run.ended
  await pool.end()
  await target.stop()
  await remove()
}
for (const problem of problems) console.log(`WRONG: ${problem}`)
console.log(problems.length === 0 ? "The backups held." : `${problems.length} discrepancies.`)
process.exit(problems.length === 0 ? 0 : 1)

async function drill(): Promise<void> {
  await publishLoop(run.address, token)
  await makeFiles()
  const talks = await openLoopTalks(run.address, chats)
  for (let round = 1; round <= kills; round += 1) await killBackup()
  const acknowledged = talks.map(({ answered }) => answered())
  const saved = await parley(source, "backup", file).ended
  check(saved.code === 0, `The backup ended with ${saved.code}: ${saved.text}`)
  await sleep(1_000)
  const sent = await Promise.all(talks.map((talk) => talk.finish()))
  console.log(
    `Chats: ${talks.length}, turns before the backup: ${sum(acknowledged)}, in all: ${sum(sent)}`,
  )
  for (let round = 1; round <= kills; round += 1) await killRestore(talks, { acknowledged, sent })
  const restored = await parley(elsewhere(), "restore", file).ended
  check(restored.code === 0, `The restore ended with ${restored.code}: ${restored.text}`)
  await countStored(pool, talks, { acknowledged, sent })
  await goOn(talks, elsewhere())
  await restoreEmbedded(talks)
}

/** Makes uploads, so that backups and restores take long enough to be killed on the way. */
async function makeFiles(): Promise<void> {
  const files = join(source.PARLEY_DATA, "files/drill")
  await mkdir(files, { recursive: true })
  for (let index = 0; index < 16; index += 1) {
    await writeFile(join(files, String(index)), randomBytes(4_000_000))
  }
}

/** Kills a backup at a random moment: it must have left no file of that name, or a whole one. */
async function killBackup(): Promise<void> {
  const path = `${file}-killed`
  const backup = parley(source, "backup", path, "--force")
  while (!existsSync(`${path}.partial`) && backup.child.exitCode === null) await sleep(1)
  await sleep(Math.random() * 150)
  backup.child.kill("SIGKILL")
  await backup.ended
  const isThere = existsSync(path)
  console.log(`Killed a backup: ${isThere ? "it was complete" : "it left no file of that name"}`)
  if (isThere) await rm(path)
  if (!existsSync(`${path}.partial`)) return
  await copyFile(`${path}.partial`, path)
  const refused = await parley(elsewhere(), "restore", path).ended
  await rm(path)
  const isNamed = refused.text.includes(`${path} is no complete backup`)
  check(refused.code === 1 && isNamed, `A partial backup was not refused: ${refused.text}`)
  await checkEmpty("after a broken backup")
  console.log("What it had written was refused by name")
}

/** Kills a restore at a random moment: the database must be as empty as before, or complete. */
async function killRestore(talks: readonly LoopTalk[], counts: Counts): Promise<void> {
  const restore = parley(elsewhere(), "restore", file)
  await restore.begun
  await sleep(Math.random() * 1_000)
  restore.child.kill("SIGKILL")
  await restore.ended
  // The server notices that its client is gone when it next reads or writes.
  while ((await backends()) > 0) await sleep(20)
  const isCommitted = (await countTables()) > 0
  console.log(`Killed a restore: ${isCommitted ? "it was complete" : "it left nothing"}`)
  if (!isCommitted) return
  await countStored(pool, talks, counts)
  await pool.query("drop schema public cascade; create schema public")
  await rm(elsewhere().PARLEY_DATA ?? "", { recursive: true })
}

/** Restores into a new data folder, where killed restores are no obstacle. */
async function restoreEmbedded(talks: readonly LoopTalk[]): Promise<void> {
  const place = { PARLEY_DATA: join(folder, "embedded") }
  for (let round = 1; round <= kills; round += 1) {
    const restore = parley(place, "restore", file)
    await restore.begun
    await sleep(Math.random() * 1_000)
    restore.child.kill("SIGKILL")
    await restore.ended
  }
  const { code, text } = await parley(place, "restore", file).ended
  const isThere = text.includes("The database is not empty")
  console.log(
    `Killed ${kills} restores into ${isThere ? "a folder: one was complete" : "a folder"}`,
  )
  check(code === 0 || isThere, `The restore into a folder ended with ${code}: ${text}`)
  await goOn(talks, place)
}

async function checkEmpty(when: string): Promise<void> {
  const tables = await countTables()
  check(tables === 0, `The target has ${tables} tables ${when}`)
}

async function countTables(): Promise<number> {
  const { rows } = await pool.query(
    "select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  )
  return rows[0].tables
}

/** Of each chat: turns acknowledged before the backup, and turns sent until the end. */
type Counts = { acknowledged: number[]; sent: number[] }

async function backends(): Promise<number> {
  const { rows } = await pool.query(
    "select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
  )
  return rows[0].others
}

async function countStored(
  restored: Pool,
  talks: readonly LoopTalk[],
  { acknowledged, sent }: Counts,
): Promise<void> {
  for (const [index, { resultId }] of talks.entries()) {
    const { rows } = await restored.query(
      "select content from answers where result_id = $1 order by idx",
      [resultId],
    )
    const least = acknowledged[index] ?? 0
    const most = sent[index] ?? 0
    const isInOrder = rows.every(({ content }, place) => content === `word ${place}`)
    check(isInOrder, `Chat ${index} has answers that are out of order`)
    const isWhole = rows.length >= least && rows.length <= most
    check(isWhole, `Chat ${index} has ${rows.length} answers, not ${least} to ${most}`)
  }
}

/** Every chat takes another turn on a service over the restored data. */
async function goOn(talks: readonly LoopTalk[], place: Record<string, string>): Promise<void> {
  const secret = (await readFile(join(source.PARLEY_DATA, "secret"), "utf8")).trim()
  const second = await startProduct(folder, { ...place, PARLEY_SECRET: secret })
  for (const talk of talks) {
    const status = await talk.say(second.address, "one more")
    check(status === 200, `A chat did not go on: ${status}`)
  }
  second.child.kill("SIGTERM")
  await second.ended
}

function elsewhere(): Record<string, string> {
  return {
    DATABASE_URL: target.url,
    PARLEY_DATA: join(folder, "elsewhere"),
    PARLEY_SECRET: "x".repeat(32),
  }
}

type Command = {
  child: ChildProcess
  /** Resolves with its first output, or when it ends. */
  begun: Promise<void>
  ended: Promise<{ code: number | null; text: string }>
}

function parley(variables: Record<string, string>, ...words: string[]): Command {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [join(folder, "scripts/parley.mjs"), ...words], {
    cwd: folder,
    env: { PATH, ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  })
  let text = ""
  const begun = new Promise<void>((resolve) => {
    child.once("close", () => resolve())
    child.stderr?.on("data", (chunk: Buffer) => {
      text += chunk
      resolve()
    })
  })
  const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, text })),
  )
  return { child, begun, ended }
}

function check(holds: boolean, problem: string): void {
  if (!holds) problems.push(problem)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
