/**
 * Holds whole conversations at constant concurrency for DRILL_MINUTES (10) and watches the memory of
 * the service. `npx tsx scripts/load.ts steady [--chats 32] [--pause 50]` (milliseconds before each
 * request); ends with 1 when a request fails, or when the resident memory in the last minute is more
 * than 10 % above that of the second.
 */
import { Agent } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { newToken } from "../../src/routers/apiTokens.ts"
import { importAndPublish } from "../bench/bots.ts"
import { latenciesInWords } from "../drills/figures.ts"
import { memoryOf, type Sample, sampleMemory } from "../drills/memory.ts"
import { type Reply, type Sent, send } from "../drills/post.ts"
import { copyProduct, numberGiven, type Run, startProduct } from "../drills/product.ts"
import { steadyFarewell, steadyFlow, steadyReplies } from "../drills/steadyFlow.ts"

const minutes = Number(process.env.DRILL_MINUTES ?? 10)
const chats = numberGiven("chats", 32)
const pauseMs = numberGiven("pause", 50)

const sampleEveryMs = 10_000
const minuteMs = 60_000
const mostGrowth = 0.1
/** So many conversations pass between two looks at the list of results. */
const listEvery = 100

const token = newToken()
const agent = new Agent({ keepAlive: true, maxSockets: chats + 1 })
const samples: Sample[] = []
/** Latencies of each minute. */
const latencies: number[][] = Array.from({ length: minutes }, () => [])
const errors: { minute: number; reason: string }[] = []
let conversations = 0
let startedAt = 0

if (!(minutes >= 3)) throw new Error("DRILL_MINUTES must be 3 or more: it compares minutes.")

let isBroken = true
const { folder, remove } = await copyProduct()
try {
  const run = await startProduct(folder, {
    PARLEY_BOOTSTRAP_EMAIL: "steady@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
  })
  const botId = await importAndPublish({ address: run.address, token }, "steady", steadyFlow())
  startedAt = performance.now()
  const talks = Array.from({ length: chats }, () => talkOn(run, botId))
  await Promise.all([watch(run), ...talks])
  isBroken = report()
  if (errors.length > 0) console.log(run.log().slice(-3_000))
  agent.destroy()
  run.child.kill("SIGTERM")
  await run.ended
} finally {
  await remove()
}
process.exit(isBroken ? 1 : 0)

function elapsedMs(): number {
  return performance.now() - startedAt
}

function minuteNow(): number {
  return Math.min(minutes, Math.floor(elapsedMs() / minuteMs) + 1)
}

/** Samples the memory, and tells of each minute when it is over. */
async function watch(run: Run): Promise<void> {
  const count = Math.floor((minutes * minuteMs) / sampleEveryMs)
  for (let sample = 1; sample <= count; sample++) {
    await sleep(Math.max(0, sample * sampleEveryMs - elapsedMs()))
    // What is seen at the very end of a minute belongs to it.
    const minute = Math.ceil((sample * sampleEveryMs) / minuteMs)
    samples.push(await sampleMemory(run, minute))
    if ((sample * sampleEveryMs) % minuteMs === 0) tellMinute(minute)
  }
}

function tellMinute(minute: number): void {
  const own = latencies[minute - 1] ?? []
  const { resident, heap, external } = memoryOf(samples, minute)
  const failed = errors.filter((error) => error.minute === minute).length
  console.log(
    `minute ${minute}: ${own.length} requests, ${failed} errors, ${latenciesInWords(own)}; ` +
      `${resident} MB resident, ${heap} MB heap, ${external} MB external`,
  )
}

/** Holds one conversation after the other. */
async function talkOn(run: Run, botId: string): Promise<void> {
  while (elapsedMs() < minutes * minuteMs) {
    try {
      await converse(run)
      conversations += 1
      if (conversations % listEvery === 0) await readResults(run, botId)
    } catch (error) {
      errors.push({ minute: minuteNow(), reason: String(error) })
    }
  }
}

async function converse(run: Run): Promise<void> {
  const api = `${run.address}/api/v1`
  const format = { textBubbleContentFormat: "markdown" }
  const begun = JSON.parse((await ask(`${api}/bots/steady/startChat`, { body: format })).text)
  let last = ""
  for (const message of steadyReplies) {
    const url = `${api}/sessions/${begun.sessionId}/continueChat`
    last = (await ask(url, { body: { ...format, message } })).text
  }
  if (!last.includes(steadyFarewell)) throw new Error(`The chat did not end well: ${last}`)
}

async function readResults(run: Run, botId: string): Promise<void> {
  const url = `${run.address}/api/v1/bots/${botId}/results`
  const { results } = JSON.parse((await ask(`${url}?limit=100`, { token })).text)
  await ask(`${url}/${results[0].id}`, { token })
}

async function ask(url: string, sent: Sent): Promise<Reply> {
  await sleep(pauseMs)
  const minute = minuteNow()
  const reply = await send(url, { ...sent, agent })
  if (reply.status !== 200) throw new Error(`${url}: ${reply.status} ${reply.text}`)
  latencies[minute - 1]?.push(reply.milliseconds)
  return reply
}

/** Prints the verdict; true: something is broken. */
function report(): boolean {
  const [early, late] = [2, minutes].map((minute) => memoryOf(samples, minute).resident)
  const growth = (late ?? Number.NaN) / (early ?? Number.NaN) - 1
  const requests = latencies.reduce((sum, { length }) => sum + length, 0)
  console.log(
    `${minutes} minutes, ${chats} chats at a time: ${requests} requests, ` +
      `${conversations} conversations, ${errors.length} errors`,
  )
  console.log(
    `resident: ${early} MB in minute 2, ${late} MB in minute ${minutes}: ` +
      `${growth < 0 ? "" : "+"}${(growth * 100).toFixed(1)} % (at most +${mostGrowth * 100} %)`,
  )
  for (const { minute, reason } of errors.slice(0, 10)) console.log(`minute ${minute}: ${reason}`)
  return errors.length > 0 || !(growth <= mostGrowth)
}
