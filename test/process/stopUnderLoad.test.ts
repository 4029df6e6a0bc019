/** Stops of the real process under load: on connections that were accepted, every request is answered. */
import { Agent, request } from "node:http"
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { until } from "../support/waiting.ts"
import { call, launch, productCopy, tokenIn } from "./product.ts"

const product = await productCopy()
const clients = 64
const turnsBefore = 8
let owner = ""

/** A chat on a connection of its own. */
type Talk = {
  resultId: string
  answered: number
  /** Statuses other than 200. */
  refused: number[]
  /** Why the last request got no answer; absent: every request got one. */
  unanswered?: string
}

type Reply = { status: number; isLast: boolean; body: Record<string, unknown> }

test.each([
  "1",
  "2",
])("with %s process(es), SIGTERM leaves no request of 64 busy connections unanswered", async (workers) => {
  const run = launch(product, {
    PARLEY_WORKERS: workers,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    // Longer than this test may take: connections kept for the next request must not hold it up.
    PARLEY_STOP_TIMEOUT_MS: "600000",
    // On a machine that is busy with other tests.
    PARLEY_DB_WAIT_MS: "30000",
  })
  const address = await run.ready()
  owner ||= tokenIn(run)
  const botId = await publishLoop(address, `loop-${workers}`)
  const talks = Array.from(
    { length: clients },
    (): Talk => ({ resultId: "", answered: 0, refused: [] }),
  )
  const talking = talks.map((each) => talk(address, `loop-${workers}`, each))
  // Every connection is busy.
  await until(() => talks.every(({ answered }) => answered >= turnsBefore))
  run.child.kill("SIGTERM")
  await Promise.all(talking)
  expect(await run.ended()).toEqual({ code: 0, signal: null })
  expect(talks.flatMap(({ unanswered }) => unanswered ?? [])).toEqual([])
  expect(talks.flatMap(({ refused }) => refused)).toEqual([])

  const second = launch(product)
  const after = await second.ready()
  const stored: number[] = []
  // One at a time: a service on a busy machine refuses many at once.
  for (const { resultId } of talks) {
    const url = `${after}/api/v1/bots/${botId}/results/${resultId}`
    const { body } = await call(url, { token: owner })
    expect(body).toHaveProperty("result.answers")
    stored.push((body.result as { answers: unknown[] }).answers.length)
  }
  expect(stored).toEqual(talks.map(({ answered }) => answered))
  second.child.kill("SIGTERM")
  expect(await second.ended()).toEqual({ code: 0, signal: null })
})

/** Talks as fast as it can, until an answer says that it is the last on its connection. */
async function talk(address: string, publicId: string, own: Talk): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = (path: string, body: object) => send(agent, `${address}/api/v1${path}`, body)
  const started = await post(`/bots/${publicId}/startChat`, {})
  const path = `/sessions/${started.body.sessionId}/continueChat`
  own.resultId = String(started.body.resultId)
  try {
    for (;;) {
      const reply = await post(path, { message: `word ${own.answered}` })
      if (reply.status === 200) own.answered += 1
      else own.refused.push(reply.status)
      if (reply.isLast) return
    }
  } catch (error) {
    own.unanswered = String(error)
  } finally {
    agent.destroy()
  }
}

function send(agent: Agent, url: string, body: object): Promise<Reply> {
  const text = JSON.stringify(body)
  const headers = { "content-type": "application/json", "content-length": text.length }
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method: "POST", headers }, (response) => {
      const parts: Buffer[] = []
      response.on("data", (part: Buffer) => parts.push(part))
      response.on("error", reject)
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          isLast: response.headers.connection === "close",
          body: JSON.parse(Buffer.concat(parts).toString()),
        }),
      )
    })
    outgoing.on("error", reject)
    outgoing.end(text)
  })
}

async function publishLoop(address: string, publicId: string): Promise<string> {
  const { body: listed } = await call(`${address}/api/v1/workspaces`, { token: owner })
  const [workspace] = listed.workspaces as { id: string }[]
  const loop = bot(group("Ask", ask.text({ saves: "Word", to: "Ask" })))
  const sent = { workspaceId: workspace?.id, bot: loop }
  const { body } = await call(`${address}/api/v1/bots/import`, { token: owner, body: sent })
  const { id } = body.bot as { id: string }
  const changes = { bot: { publicId } }
  await call(`${address}/api/v1/bots/${id}`, { token: owner, body: changes, method: "PATCH" })
  await call(`${address}/api/v1/bots/${id}/publish`, { token: owner, body: {} })
  return id
}
