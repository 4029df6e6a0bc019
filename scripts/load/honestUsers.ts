/**
 * A process of its own, because attackers keep theirs busy: honest users who chat without end, and a
 * probe of /healthz. It reports every answer to its parent.
 * Arguments: address, public id of the bot, number of users, milliseconds between two messages.
 */
import { Agent } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { ask } from "../../test/support/siege/ask.ts"
import { send } from "../drills/post.ts"

const [address = "", publicId = "", users = "16", pause = "20"] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(users) })
const messagesPerChat = 10
const probeEveryMs = 100
/** A service that takes longer is stuck. */
const probeMs = 5_000

/** Undefined: it was not answered with 200. Times are those of the clock, which both processes share. */
async function request(path: string, body: object): Promise<string | undefined> {
  const since = Date.now()
  const report = (status: number) => {
    // The parent may be gone already.
    if (process.connected) process.send?.({ since, until: Date.now(), status }, () => {})
  }
  try {
    const { status, text } = await send(`${address}/api/v1${path}`, { agent, body })
    report(status)
    return status === 200 ? text : undefined
  } catch {
    report(0)
    return undefined
  }
}

async function chat(): Promise<void> {
  const started = await request(`/bots/${publicId}/startChat`, {})
  const sessionId = started && (JSON.parse(started) as { sessionId: string }).sessionId
  if (sessionId === undefined) return void (await sleep(200))
  for (let said = 0; said < messagesPerChat; said++) {
    await sleep(Number(pause))
    const answer = await request(`/sessions/${sessionId}/continueChat`, { message: `Word ${said}` })
    if (answer === undefined) return void (await sleep(200))
  }
}

async function user(): Promise<never> {
  for (;;) await chat()
}

async function probe(): Promise<never> {
  for (;;) {
    const since = Date.now()
    const { status } = await ask(address, { path: "/healthz", timeoutMs: probeMs })
    const until = status === 200 ? Date.now() : since + probeMs
    process.send?.({ since, until, status, isProbe: true }, () => {})
    await sleep(probeEveryMs)
  }
}

process.on("disconnect", () => process.exit())
await Promise.all([probe(), ...Array.from({ length: Number(users) }, user)])
