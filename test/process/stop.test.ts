/** Stops of the real process: what was accepted is answered, a second signal ends it at once. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { eventually, isGone, until, untilGone } from "../support/waiting.ts"
import {
  call,
  launch,
  launchCommand,
  postmasterOf,
  productCopy,
  sendHalf,
  tokenIn,
} from "./product.ts"

const product = await productCopy()
const data = join(product, ".parley")

/** A bot that asks for ever. */
const loop = bot(group("Ask", ask.text({ saves: "Word", to: "Ask" })))

/** A chat: its result, and how many answers were confirmed. */
type Talk = { resultId: string; answered: number }

test("every turn that was accepted before SIGTERM is answered, and nothing else is stored", async () => {
  const first = launch(product)
  const before = await first.ready()
  const owner = tokenIn(first)
  const botId = await publishLoop(before, owner)
  const state = { isStopping: false, turns: 0 }
  const talks = Array.from({ length: 12 }, () => talk(before, state))
  // In the middle of things, however slow the machine is.
  await until(() => state.turns >= 3 * talks.length)
  state.isStopping = true
  first.child.kill("SIGTERM")
  expect(await first.ended()).toEqual({ code: 0, signal: null })
  const told = await Promise.all(talks)

  const second = launch(product)
  const after = await second.ready()
  const stored = await Promise.all(
    told.map(({ resultId }) =>
      countAnswers(`${after}/api/v1/bots/${botId}/results/${resultId}`, owner),
    ),
  )
  expect(stored).toEqual(told.map(({ answered }) => answered))
  second.child.kill("SIGTERM")
  expect(await second.ended()).toEqual({ code: 0, signal: null })
})

test.each([
  "1",
  "2",
])("with %s process(es), a signal during the first start loses no token", async (workers) => {
  const fresh = join(product, `fresh-${workers}`)
  const run = launch(product, { PARLEY_DATA: fresh, PARLEY_WORKERS: workers })
  // From here on there is something to lose.
  await until(() => existsSync(fresh))
  run.child.kill("SIGTERM")
  expect(await run.ended()).toEqual({ code: 0, signal: null })
  expect(tokenIn(run)).not.toBe("")
})

test.each([
  ["npm start", ["npm", "start"]],
  ["npm start in a shell without job control", ["sh", "-c", "npm start & echo npm is $!; wait"]],
])("SIGTERM to %s stops the service and its database", async (_, words) => {
  const run = launchCommand(words, { folder: product })
  const address = await run.ready()
  const postmaster = postmasterOf(data)
  const inShell = /npm is (\d+)/.exec(run.stdout())?.[1]
  process.kill(Number(inShell ?? run.child.pid), "SIGTERM")
  // Also those that nobody waits for: whoever writes to the same output.
  await run.ended()
  expect(run.stderr()).toMatch(/"msg":"Stopping[\s\S]*"msg":"Stopped"/)
  expect(isGone(postmaster)).toBe(true)
  await expect(fetch(`${address}/healthz`)).rejects.toThrow()
})

test("a stop waits for a request that is being sent, and a second signal ends it at once", async () => {
  const run = launch(product)
  const address = await run.ready()
  const stuck = await sendHalf(address)
  const postmaster = postmasterOf(data)
  run.child.kill("SIGTERM")
  // The stop has begun.
  await eventually(() => expect(fetch(`${address}/healthz`)).rejects.toThrow())
  expect(run.child.exitCode).toBeNull()
  run.child.kill("SIGTERM")
  // A stop that came to its end by itself would end with 0.
  expect(await run.ended()).toEqual({ code: 1, signal: null })
  await untilGone(postmaster)
  stuck.destroy()
})

test("a client that never finishes its request holds the stop up no longer than configured", async () => {
  const run = launch(product, { PARLEY_STOP_TIMEOUT_MS: "300" })
  const address = await run.ready()
  await sendHalf(address)
  run.child.kill("SIGTERM")
  expect(await run.ended()).toEqual({ code: 0, signal: null })
})

async function publishLoop(address: string, token: string): Promise<string> {
  const { body: listed } = await call(`${address}/api/v1/workspaces`, { token })
  const [workspace] = listed.workspaces as { id: string }[]
  const sent = { workspaceId: workspace?.id, bot: loop }
  const { body } = await call(`${address}/api/v1/bots/import`, { token, body: sent })
  const { id } = body.bot as { id: string }
  const changes = { bot: { publicId: "loop" } }
  await call(`${address}/api/v1/bots/${id}`, { token, body: changes, method: "PATCH" })
  await call(`${address}/api/v1/bots/${id}/publish`, { token, body: {} })
  return id
}

/** Answers as fast as it can until the service goes away. */
async function talk(address: string, state: { isStopping: boolean; turns: number }): Promise<Talk> {
  const { body } = await call(`${address}/api/v1/bots/loop/startChat`, { body: {} })
  const url = `${address}/api/v1/sessions/${body.sessionId}/continueChat`
  let answered = 0
  for (;;) {
    const reply = await call(url, { body: { message: `word ${answered}` } }).catch(() => undefined)
    if (!reply) {
      if (!state.isStopping) throw new Error("The connection broke before the stop")
      return { resultId: String(body.resultId), answered }
    }
    expect(reply.status).toBe(200)
    answered += 1
    state.turns += 1
  }
}

async function countAnswers(url: string, token: string): Promise<number> {
  const { body } = await call(url, { token })
  return (body.result as { answers: unknown[] }).answers.length
}
