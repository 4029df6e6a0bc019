/**
 * Sends events to a thousand endpoints of which ten hang, and measures how long after its turn each
 * event reaches those that do not. `npx tsx scripts/endpoints.ts [--endpoints 1000] [--hanging 10]
 * [--rounds 12] [--pause 4]`; ends with 1 when one is missing, or came more than 2 s after its turn.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { newToken } from "../src/routers/apiTokens.ts"
import { latenciesInWords } from "./drills/figures.ts"
import { loopFlow } from "./drills/loopTalks.ts"
import { copyProduct, numberGiven, startProduct } from "./drills/product.ts"

const endpoints = numberGiven("endpoints", 1_000)
const hanging = numberGiven("hanging", 10)
const rounds = numberGiven("rounds", 12)
/** Seconds between two rounds: each says something in one chat of every workspace. */
const pause = numberGiven("pause", 4)
/** As many as a workspace may have. */
const perWorkspace = 100
const limitMs = 2_000
const token = newToken()

/** Milliseconds from the turn of each event to its arrival. */
const delays: number[] = []
const taking = await listen((request, response) => {
  const chunks: Buffer[] = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    delays.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(chunks).toString()).timestamp))
    response.end()
  })
})
// On a port of its own: connections to one receiver are bounded together.
let held = 0
const silent = await listen(() => {
  held += 1
})

const { folder, remove } = await copyProduct()
let wasWrong = true
try {
  const run = await startProduct(folder, {
    PARLEY_BOOTSTRAP_EMAIL: "endpoints@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
  })
  wasWrong = await drill(run.address)
  run.child.kill("SIGTERM")
  await run.ended
} finally {
  await remove()
}
process.exit(wasWrong ? 1 : 0)

async function drill(address: string): Promise<boolean> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return (await response.json()) as Record<string, { id: string } | undefined>
  }
  const conversations: string[] = []
  for (let made = 0; made < endpoints; made += perWorkspace) {
    const { workspace } = await call("POST", "/workspaces", { name: `Workspace ${made}` })
    const workspaceId = workspace?.id
    const { bot } = await call("POST", "/bots/import", { workspaceId, bot: loopFlow })
    await call("POST", `/bots/${bot?.id}/publish`)
    conversations.push(`/bots/${bot?.id}/conversations/ann/messages`)
    for (let index = made; index < Math.min(endpoints, made + perWorkspace); index++) {
      const isHanging = index % Math.floor(endpoints / hanging) === 0
      const url = `${isHanging ? silent.url : taking.url}/${index}`
      const types = ["answer.submitted"]
      await call("POST", `/workspaces/${workspaceId}/webhookEndpoints`, { url, types })
    }
  }
  for (const path of conversations) await call("POST", path, {})
  for (let round = 0; round < rounds; round++) {
    await Promise.all(conversations.map((path) => call("POST", path, { message: `${round}` })))
    await sleep(pause * 1_000)
  }
  await sleep(limitMs)
  const wanted = rounds * (endpoints - hanging)
  const latest = Math.max(...delays)
  console.log(
    `${endpoints} endpoints, ${hanging} of them hanging (${held} requests): ${delays.length} of ` +
      `${wanted} events, ${latenciesInWords(delays)}, the latest ${latest} ms`,
  )
  return delays.length !== wanted || latest > limitMs
}

async function listen(
  answer: NonNullable<Parameters<typeof createServer>[1]>,
): Promise<{ url: string }> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
