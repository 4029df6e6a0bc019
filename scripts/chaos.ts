/**
 * Talks in many chats at once while the service is killed and its PostgreSQL restarted, and counts
 * afterwards: every acknowledged turn is stored exactly once, in order, and every chat goes on.
 * `npx tsx scripts/chaos.ts [--chats 200] [--kills 20] [--restarts 3] [--seconds 0]`; ends with 1 on
 * any discrepancy. It does not restart the database of DRILL_DATABASE_URL: others may disturb that one
 * for so many seconds.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { ask, block, bot, group } from "../test/support/bots.ts"
import { holdChat } from "./drills/chaosChats.ts"
import { judgeChats } from "./drills/chaosJudge.ts"
import { shuffled } from "./drills/draw.ts"
import { openClients } from "./drills/insistentClients.ts"
import { givenDatabase, numberGiven } from "./drills/product.ts"
import { openStack, type Stack } from "./drills/stack.ts"

const chats = numberGiven("chats", 200)
const kills = numberGiven("kills", 20)
const restarts = givenDatabase === undefined ? numberGiven("restarts", 3) : 0
const seconds = numberGiven("seconds", 0)

/** What chats call: it remembers the keys under which it was asked. */
const asked: string[] = []
const upstream = createServer((request, response) => {
  asked.push(String(request.headers["idempotency-key"]))
  request.resume().on("end", () => setTimeout(() => response.end("{}"), 5))
})
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve))
const upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

const stack = await openStack({ variables: { PARLEY_ALLOW_HOSTS: "127.0.0.1" } })
let wasWrong = true
try {
  wasWrong = await chaos(stack)
} finally {
  await stack.close()
  upstream.close()
}
process.exit(wasWrong ? 1 : 0)

async function chaos({ process, addresses, pool, ...stack }: Stack): Promise<boolean> {
  const publicIds = await publishBots(process().api)
  const clients = openClients(90_000)
  let isFinished = false
  let confirmed = 0
  const talk = {
    address: addresses[0] ?? "",
    publicIds,
    clients,
    isFinished: () => isFinished,
    onConfirmed: () => {
      confirmed += 1
    },
  }
  const talks = Array.from({ length: chats }, (_, index) => holdChat(index, talk))
  const disasters = shuffled([
    ...Array.from({ length: kills }, () => () => stack.restartProcess()),
    ...Array.from({ length: restarts }, () => () => stack.restartDatabase({ isKilled: false })),
  ])
  const startedAt = Date.now()
  for (const [index, disaster] of disasters.entries()) {
    await sleep(500 + Math.random() * 2_000)
    await disaster()
    console.error(`${index + 1} of ${disasters.length} disasters, ${confirmed} turns`)
  }
  await sleep(Math.max(1_000, startedAt + seconds * 1_000 - Date.now()))
  isFinished = true
  const records = await Promise.all(talks)
  const tookSeconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(
    `${chats} chats, ${kills} kills, ${restarts} restarts of PostgreSQL, ${tookSeconds} s: ` +
      `${confirmed} turns acknowledged, ${clients.failures()} requests failed, ` +
      `the longest answer took ${Math.round(clients.maxMs())} ms, ` +
      `${asked.length} calls upstream under ${new Set(asked).size} keys`,
  )
  const wrong = await judgeChats(pool, records)
  for (const sentence of wrong.slice(0, 20)) console.log(sentence)
  console.log(`${wrong.length} discrepancies`)
  return wrong.length > 0
}

/** Two bots that ask for ever, of which one calls upstream in every turn; returns their public ids. */
async function publishBots({ publish }: ReturnType<Stack["process"]>["api"]): Promise<string[]> {
  const webhook = { url: upstreamUrl, method: "POST" }
  const plain = bot(group("Loop", ask.text({ saves: "Said", to: "Loop" })))
  const calling = bot(
    group("Loop", ask.text({ saves: "Said" }), block("Webhook", { webhook }, { to: "Loop" })),
  )
  return [(await publish(plain)).publicId, (await publish(calling)).publicId]
}
