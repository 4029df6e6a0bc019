/**
 * Sends messages under keys through two processes while either is killed, and their PostgreSQL stopped
 * or killed. Messages come several times, late and at once. In the end every key has one chat, every
 * message was answered once and in order, each silence led to one event, and a receiver has every event,
 * numbered without gaps and none before its turn.
 * `npx tsx scripts/load.ts conversations [--keys 200] [--messages 5000] [--kills 8] [--restarts 3]`;
 * ends with 1 on any discrepancy. It does not restart the database of DRILL_DATABASE_URL, if that is set.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Pool } from "../../src/db/connection/connectionPool.ts"
import { ask, bot, group } from "../../test/support/bots.ts"
import { judgeConversations, judgeEvents } from "../drills/conversationJudge.ts"
import { openReceiver, wantedTypes } from "../drills/conversationReceiver.ts"
import { sendMessages } from "../drills/gateway.ts"
import { openClients } from "../drills/insistentClients.ts"
import { givenDatabase, numberGiven, token } from "../drills/product.ts"
import { openStack, type Stack } from "../drills/stack.ts"

const keys = numberGiven("keys", 200)
const each = Math.ceil(numberGiven("messages", 5_000) / keys)
const kills = numberGiven("kills", 8)
const restarts = givenDatabase === undefined ? numberGiven("restarts", 3) : 0
/** Seconds of silence after which there is an event. */
const idleAfter = 10
/** A little longer than any process takes to notice a new endpoint, in milliseconds. */
const subscribedMs = 5_000

const stack = await openStack({ processes: 2, variables: { PARLEY_ALLOW_HOSTS: "127.0.0.1" } })
let wasWrong = true
try {
  wasWrong = await drill(stack)
} finally {
  await stack.close()
}
process.exit(wasWrong ? 1 : 0)

async function drill({ addresses, pool, ...stack }: Stack): Promise<boolean> {
  const { api } = stack.process()
  const receiver = await openReceiver(pool)
  const endpoint = { url: receiver.url, types: wantedTypes }
  await api.call("POST", `/workspaces/${await api.workspaceId()}/webhookEndpoints`, endpoint)
  await sleep(subscribedMs)
  const settings = { sessions: { idleAfter: [idleAfter] } }
  const { id: botId } = await api.publish(
    bot({ settings }, group("Loop", ask.text({ to: "Loop" }))),
  )
  const clients = openClients(120_000)
  const startedAt = Date.now()
  // The same number of messages precedes each disaster, so that every one of them strikes ongoing talks.
  const total = kills + restarts
  let struck = 0
  const maySend = (turn: number) => turn * (total + 1) < each * (struck + 1)
  const gateway = { addresses, token, botId, clients, maySend }
  const talks = Array.from({ length: keys }, (_, index) =>
    sendMessages(`key ${index}`, each, gateway),
  )
  for (let restarted = 0; struck < total; struck++) {
    await sleep(500 + Math.random() * 1_500)
    if (restarted * total < restarts * struck) {
      await stack.restartDatabase({ isKilled: restarted++ % 2 === 0 })
    } else await stack.restartProcess(struck % addresses.length)
    console.error(`${struck + 1} of ${total} disasters, ${clients.sent()} deliveries`)
  }
  const problems = (await Promise.all(talks)).flatMap((problem) => problem ?? [])
  const tookSeconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(
    `${keys} keys, ${keys * each} messages in ${clients.sent()} deliveries, ${kills} kills, ` +
      `${restarts} restarts of PostgreSQL, ${tookSeconds} s: requests failed: ${clients.failures()}`,
  )
  // Leaves time for one of the processes to notice the last silence of each chat.
  await sleep((idleAfter + 20) * 1_000)
  await untilDelivered(pool)
  console.log(`${receiver.received.length} deliveries of events reached the receiver`)
  const wrong = [
    ...problems,
    ...(await judgeConversations(pool, { keys, each })),
    ...(await judgeEvents(pool, { received: receiver.received, each })),
    ...receiver.early,
  ]
  receiver.close()
  for (const sentence of wrong.slice(0, 20)) console.log(sentence)
  console.log(`${wrong.length} discrepancies`)
  return wrong.length > 0
}

/** Waits until no event is left to deliver; after three minutes, the judge reports what is missing. */
async function untilDelivered(pool: Pool): Promise<void> {
  const deadline = Date.now() + 180_000
  while (Date.now() < deadline) {
    // One by one: a cluster keeps them in different places.
    const outbox = await pool.query("select id from outbox limit 1")
    const pending = await pool.query("select id from deliveries where state = 'pending' limit 1")
    if (outbox.rowCount === 0 && pending.rowCount === 0) return
    await sleep(500)
  }
}
