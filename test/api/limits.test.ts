/** Limits as callers meet them: rates in headers and refusals, quotas, and the counts that are shared. */
import pg from "pg"
import { afterAll, describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { usualPlanLimits } from "../../src/lib/plans.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { type Reply, testServer } from "../support/server.ts"

const flow = bot(group("Hello", say("Name?"), ask.text({ saves: "Name" }), say("Bye {{Name}}")))

function limitsIn({ headers }: Reply): (string | null)[] {
  return ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`))
}

describe("rates", async () => {
  const url = await testDatabaseUrl()
  const variables = {
    DATABASE_URL: url,
    PARLEY_RATE_LIMITS: "on",
    PARLEY_RATE_LIMIT_STORE: "postgres",
    // So slow that nothing comes back while a test runs; each test has an address of its own.
    PARLEY_RATES: "startChatByAddress=0.01/3,continueChat=0.01/2,anonymousPreview=0.01/1",
    PARLEY_TRUSTED_PROXIES: "1",
  }
  const server = await testServer(variables)
  // The second process finds the users of the first.
  const other = await testServer({ ...variables, PARLEY_PG_PREPARE: "off" })
  const { botId, publicId } = await publishBot(server, flow)
  const start = (address: string, at = server) =>
    at.send("POST", `/api/v1/bots/${publicId}/startChat`, {
      token: null,
      headers: { "x-forwarded-for": address },
    })

  test("limited calls tell how much is left, and a 429 when to come back", async () => {
    const replies: Reply[] = []
    for (let count = 0; count < 4; count += 1) replies.push(await start("192.0.2.1"))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(replies.map(limitsIn)).toEqual(
      ["2", "1", "0", "0"].map((left) => ["3", left, expect.stringMatching(/^[1-9]\d{0,2}$/)]),
    )
    const refused = replies[3]
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(refused?.headers.get("access-control-allow-origin")).toBe("*")
    expect(refused?.headers.get("access-control-expose-headers")).toContain("x-ratelimit-remaining")
    expect(refused?.body).toMatchObject({
      code: "TOO_MANY_REQUESTS",
      status: 429,
      data: { limit: "startChatByAddress" },
      message: expect.stringMatching(
        /^Too many chats .+ \(limit `startChatByAddress`\): try again in \d+ s$/,
      ),
    })
  })

  test("processes that share a store count together", async () => {
    const statuses: number[] = []
    for (const at of [other, server, other, server, other]) {
      statuses.push((await start("192.0.2.2", at)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  test("what a page of another origin makes a browser send uses up nothing of its user", async () => {
    const startFrom = (origin?: string) =>
      server.send("POST", `/api/v1/bots/${publicId}/startChat`, {
        token: null,
        headers: { "x-forwarded-for": "192.0.2.9", ...(origin && { origin }) },
      })
    const statusesOf = async (...origins: (string | undefined)[]) => {
      const statuses: number[] = []
      for (const origin of origins) statuses.push((await startFrom(origin)).status)
      return statuses
    }
    const foreign = ["https://a.example", "https://b.example"]
    expect(await statusesOf(...foreign, ...foreign)).toEqual([200, 200, 200, 429])
    expect(await statusesOf(undefined, undefined, undefined)).toEqual([200, 200, 200])
  })

  test("a flow of a stranger is counted before it is read", async () => {
    const preview = (token: string | null) =>
      server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, {
        token,
        body: { bot: { version: "6.1", groups: "none" } },
        headers: { "x-forwarded-for": "192.0.2.3" },
      })
    const statuses = [await preview(null), await preview(null), await preview(server.token)]
    expect(statuses.map(({ status }) => status)).toEqual([400, 429, 400])
  })

  test("sessions are limited apart from each other", async () => {
    const [one, two] = [await chatOver(server, publicId), await chatOver(server, publicId)]
    expect((await one.say("1")).status).toBe(200)
    await one.say("2")
    expect((await one.say("3")).status).toBe(429)
    expect((await two.say("1")).status).toBe(200)
  })
})

test("without limits no headers of limits are sent", async () => {
  const server = await testServer()
  const reply = await server.send("GET", "/api/v1/workspaces")
  expect([reply.status, ...limitsIn(reply)]).toEqual([200, null, null, null])
})

describe("quotas", async () => {
  const url = await testDatabaseUrl()
  const server = await testServer({ DATABASE_URL: url })
  const database = await openDatabase({ url, poolSize: 2 })
  afterAll(() => database.close())
  const { botId, publicId } = await publishBot(server, flow)
  const run = (sql: string) => {
    const client = new pg.Client({ connectionString: url })
    return client.connect().then(() => client.query(sql).finally(() => client.end()))
  }
  const startStatus = async () =>
    (await server.send("POST", `/api/v1/bots/${publicId}/startChat`, { token: null })).status

  test("a hard limit closes the workspace to new chats; running ones and management go on", async () => {
    await run("update workspaces set chats_hard_limit = 2")
    const running = await chatOver(server, publicId)
    for (const name of ["Ann", "Bob"]) {
      const chat = await chatOver(server, publicId)
      expect((await chat.say(name)).status).toBe(200)
    }
    // A view without an answer does not count.
    expect(await startStatus()).toBe(200)
    await runJob(database, "count_usage", { planLimits: usualPlanLimits })
    const refused = await server.send("POST", `/api/v1/bots/${publicId}/startChat`)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({
      reason: "CHATS_LIMIT_REACHED",
      message: "This bot has reached its limit of chats for this month",
    })
    expect((await running.say("Cid")).status).toBe(200)
    expect((await server.send("GET", `/api/v1/bots/${botId}`)).status).toBe(200)
  })

  test("a higher limit opens it again", async () => {
    await run("update workspaces set chats_hard_limit = null")
    await runJob(database, "count_usage")
    expect(await startStatus()).toBe(200)
  })
})
