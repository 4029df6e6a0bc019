/**
 * Holds whole conversations at constant concurrency for DRILL_MINUTES (10) and watches the memory of
 * the service. `npx tsx scripts/load.ts steady [--chats 32] [--pause 50]` (milliseconds before each
 * request); ends with 1 when a request fails, or when the resident memory in the last minute is more
 * than 10 % above that of the second.
 */
import { Agent } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { ask, block, bot, group, say, set } from "../../test/support/bots.ts"
import { median, quantile } from "../drills/figures.ts"
import { type Sent, send } from "../drills/post.ts"
import { megabytesOf, numberGiven, type ProductProcess, token } from "../drills/product.ts"
import { withService } from "../drills/stack.ts"

const minutes = Number(process.env.DRILL_MINUTES ?? 10)
const chats = numberGiven("chats", 32)
const pauseMs = numberGiven("pause", 50)

const samplesPerMinute = 6
const minuteMs = 60_000
const maxGrowth = 0.1
/** Conversations between two reads of the list of results. */
const listEvery = 100

/** Three questions, with scripts of the author in between. */
const flow = bot(
  group(
    "All",
    say("Hello! What is your name?"),
    ask.text({ saves: "Name" }),
    set("Loud", "String({{Name}}).toUpperCase()", { isCode: true }),
    say("A number, {{Loud}}?"),
    ask.number({ saves: "Number" }),
    block("Code", {
      isExecutedOnClient: false,
      content:
        'const all = []\nfor (let i = 0; i < 1000; i++) all.push({ i })\nsetVariable("Square", Number({{Number}}) ** 2)',
    }),
    say("And your e-mail?"),
    ask.email({ saves: "Mail" }),
    say("{{Loud}} has {{Square}}"),
  ),
)
const replies = ["Ann Example", "7", "ann@example.com"]
const farewell = "ANN EXAMPLE has 49"

/** The figures of one minute; memory is the median, in megabytes. */
type Minute = { latencies: number[]; errors: string[]; resident: number }

const agent = new Agent({ keepAlive: true, maxSockets: chats + 1 })
const passed: Minute[] = []
let current: Minute = { latencies: [], errors: [], resident: 0 }
let conversations = 0
let isOver = false

if (!(minutes >= 3)) throw new Error("DRILL_MINUTES must be 3 or more: it compares minutes.")

let isBroken = true
await withService(async (service) => {
  const { id: botId } = await service.api.publish(flow, "steady")
  const talks = Array.from({ length: chats }, () => talkOn(service, botId))
  for (let minute = 1; minute <= minutes; minute++) await watchMinute(service, minute)
  isOver = true
  await Promise.all(talks)
  isBroken = report()
  if (isBroken) console.log(service.log().slice(-3_000))
  agent.destroy()
})
process.exit(isBroken ? 1 : 0)

/** Samples the memory, and says what the minute was like when it is over. */
async function watchMinute(service: ProductProcess, minute: number): Promise<void> {
  const samples: number[] = []
  while (samples.length < samplesPerMinute) {
    await sleep(minuteMs / samplesPerMinute)
    samples.push(megabytesOf(service.pid))
  }
  const resident = median(samples)
  const { latencies, errors } = current
  passed.push({ latencies, errors, resident })
  current = { latencies: [], errors: [], resident: 0 }
  console.log(
    `minute ${minute}: ${latencies.length} requests, ${errors.length} errors, ` +
      `p99 ${quantile(latencies, 0.99).toFixed(1)} ms; ${resident} MB resident`,
  )
}

/** Holds one conversation after the other. */
async function talkOn(service: ProductProcess, botId: string): Promise<void> {
  const api = `${service.address}/api/v1`
  while (!isOver) {
    try {
      await converse(api)
      conversations += 1
      if (conversations % listEvery === 0) await readResults(`${api}/bots/${botId}/results`)
    } catch (error) {
      current.errors.push(String(error))
    }
  }
}

async function converse(api: string): Promise<void> {
  const format = { textBubbleContentFormat: "markdown" }
  const { sessionId } = JSON.parse(await request(`${api}/bots/steady/startChat`, { body: format }))
  let last = ""
  for (const message of replies) {
    const body = { ...format, message }
    last = await request(`${api}/sessions/${sessionId}/continueChat`, { body })
  }
  if (!last.includes(farewell)) throw new Error(`The chat did not end well: ${last}`)
}

async function readResults(url: string): Promise<void> {
  const { results } = JSON.parse(await request(`${url}?limit=100`, { token }))
  await request(`${url}/${results[0].id}`, { token })
}

async function request(url: string, sent: Sent): Promise<string> {
  await sleep(pauseMs)
  const { latencies } = current
  const { status, text, milliseconds } = await send(url, { ...sent, agent })
  if (status !== 200) throw new Error(`${url}: ${status} ${text}`)
  latencies.push(milliseconds)
  return text
}

/** Prints the verdict; true: something is broken. */
function report(): boolean {
  const [early = Number.NaN, late = Number.NaN] = [1, minutes - 1].map((at) => passed[at]?.resident)
  const growth = late / early - 1
  const all = [...passed, current]
  const requests = all.reduce((sum, { latencies }) => sum + latencies.length, 0)
  const errors = all.flatMap((minute) => minute.errors)
  console.log(
    `${minutes} minutes, ${chats} chats at a time: ${requests} requests, ` +
      `${conversations} conversations, ${errors.length} errors\n` +
      `resident: ${early} MB in minute 2, ${late} MB in minute ${minutes}: ` +
      `${(growth * 100).toFixed(1)} % more (at most ${maxGrowth * 100} %)`,
  )
  for (const error of errors.slice(0, 10)) console.log(error)
  return errors.length > 0 || !(growth <= maxGrowth)
}
