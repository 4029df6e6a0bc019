/** Too much to do, or no database: quick refusals that say when to come back, and recovery by itself. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { startEmbedded } from "../../src/postgres/startEmbedded.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { openGate } from "../support/gate.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { type TestServer, testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const flow = bot(
  group("Hello", say("Name?"), ask.text({ saves: "Name" }), say("Bye {{Name}}"), ask.text()),
)

async function post(server: TestServer, path: string) {
  const { status, headers, body } = await server.send("POST", path, { token: null, body: {} })
  return { status, retryAfter: headers.get("retry-after"), headers, body }
}

/** How many connections of the main pool are busy. */
async function busyConnections(server: TestServer): Promise<number> {
  const metrics = await (await fetch(`${server.address}/metrics`)).text()
  return Number(/^parley_db_main_connections\{state="busy"\} (\d+)$/m.exec(metrics)?.[1])
}

describe("a database that goes away", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-overload-"))
  await chmod(folder, 0o755)
  const options = { dataFolder: folder, durable: false, settings: ["fsync=off"] }
  let database = await startEmbedded(options)
  afterAll(async () => {
    await database.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const server = await testServer({ DATABASE_URL: database.url, PARLEY_DB_WAIT_MS: "800" })

  test("is a 503 before it is back, and the service comes back with it by itself", async () => {
    const { publicId } = await publishBot(server, flow)
    const chat = await chatOver(server, publicId)
    await database.stop()
    const start = `/api/v1/bots/${publicId}/startChat`
    const refused = await Promise.all(
      Array.from({ length: 50 }, (_, n) => post(server, n % 2 ? start : chat.path)),
    )
    for (const { status, retryAfter, body } of refused) {
      expect(status).toBe(503)
      expect(Number(retryAfter)).toBeGreaterThan(0)
      expect(body).toMatchObject({ code: "SERVICE_UNAVAILABLE" })
    }
    expect((await server.send("GET", "/readyz")).status).toBe(503)
    expect((await server.send("GET", "/healthz")).status).toBe(200)

    database = await startEmbedded(options)
    const reply = await chat.say("Ann")
    expect([reply.status, reply.body.messages[0]?.content.markdown]).toEqual([200, "Bye Ann"])
    expect((await post(server, start)).status).toBe(200)
    expect((await server.send("GET", "/readyz")).status).toBe(200)
  })
})

describe("a database that is slow or silent", async () => {
  const gate = await openGate(await testDatabaseUrl())
  afterAll(() => gate.close())
  const server = await testServer({
    DATABASE_URL: gate.url,
    PARLEY_DB_POOL_SIZE: "2",
    PARLEY_DB_WAIT_MS: "700",
  })

  test("lets nothing pile up: callers that find no connection are refused while it is silent", async () => {
    const { publicId } = await publishBot(server, flow)
    gate.isOpen = false
    const path = `/api/v1/bots/${publicId}/startChat`
    // The first hold the pipeline; once that is seen, another one holds the pool's connection.
    const stuck: ReturnType<typeof post>[] = []
    await eventually(async () => {
      stuck.push(post(server, path))
      expect(await busyConnections(server)).toBe(2)
    })
    const refused = await Promise.all(Array.from({ length: 300 }, () => post(server, path)))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
    expect(refused[0]?.retryAfter).toBe("1")
    expect(refused[0]?.headers.get("access-control-allow-origin")).toBe("*")
    gate.isOpen = true
    gate.breakAll()
    expect(new Set((await Promise.all(stuck)).map(({ status }) => status))).toEqual(new Set([503]))
    expect((await post(server, path)).status).toBe(200)
  })
})

describe("more requests than the process takes", async () => {
  const server = await testServer({ PARLEY_MAX_REQUESTS: "1" })

  test("are refused at once, pages of health are not", async () => {
    const { publicId } = await publishBot(server, flow)
    const path = `/api/v1/bots/${publicId}/startChat`
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(server, path)))
    const refused = replies.filter(({ status }) => status === 503)
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { retryAfter, headers } of refused) {
      expect(retryAfter).toBe("1")
      expect(headers.get("access-control-allow-origin")).toBe("*")
    }
    const pages = Array.from({ length: 5 }, () => server.send("GET", "/healthz"))
    for (const { status } of await Promise.all(pages)) expect(status).toBe(200)
  })
})
