/** Refusals over HTTP: each with its status, in the one error document, and with nothing internal. */
import { beforeAll, describe, expect, test } from "vitest"
import { newUuid } from "../../src/lib/ids.ts"
import { newToken } from "../../src/people/apiTokens.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { expectDocument, expectRefusal } from "../support/refusals.ts"
import { type Reply, type Sent, testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({ DATABASE_URL: database.url, PARLEY_RATE_LIMITS: "off" })
const flow = bot(group("Ask", ask.text({ saves: "Name" })))

let workspaceId: string
let botId: string
let publicId: string
let resultId: string
/** Of somebody who has nothing to do with the bot above. */
let strangerToken: string

beforeAll(async () => {
  const published = await publishBot(server, flow)
  botId = published.botId
  publicId = published.publicId
  const { step } = await chatOver(server, publicId)
  resultId = step.resultId
  const { body } = await server.send("GET", `/api/v1/bots/${botId}`)
  workspaceId = (body.bot as { workspaceId: string }).workspaceId
  strangerToken = (await createAccount(database, { email: "eve@example.com" })).token
})

/** What needs a token, by method and path; bodies are complete. */
const guarded = (): [string, string, object?][] => [
  ["POST", "/workspaces", { name: "Mine" }],
  ["GET", `/workspaces/${workspaceId}`],
  ["POST", "/bots/import", { workspaceId, bot: flow }],
  ["GET", `/bots/${botId}`],
  ["PATCH", `/bots/${botId}`, { bot: { name: "Mine" } }],
  ["GET", `/bots/${botId}/publishedBot`],
  ["GET", `/bots/${botId}/results/${resultId}`],
  ["POST", `/bots/${botId}/publish`],
  ["DELETE", `/bots/${botId}`],
]

describe("a token", () => {
  test.each([
    ["is missing", {}],
    ["is missing after its scheme", { authorization: "Bearer" }],
    ["has no scheme", { authorization: newToken() }],
    ["has another scheme", { authorization: "Basic YW5uOnNlY3JldA==" }],
    ["is followed by something", { authorization: `Bearer ${newToken()} x` }],
    ["is nonsense", { authorization: "Bearer ../../etc/passwd" }],
    ["is nobody's", { authorization: `Bearer ${newToken()}` }],
  ])("that %s is refused with 401 everywhere", async (_case, headers) => {
    for (const [method, path, body] of guarded()) {
      const reply = await send(method, path, { token: null, headers, ...(body && { body }) })
      expectRefusal(reply, 401, "UNAUTHORIZED")
      expect(reply.headers.get("www-authenticate")).toBe("Bearer")
    }
  })

  test("that was revoked is refused at once", async () => {
    const made = await send("POST", "/users/me/api-tokens", { body: { name: "Short" } })
    const { id, token } = made.body.apiToken as { id: string; token: string }
    expect((await send("GET", "/users/me", { token })).status).toBe(200)
    expect((await send("DELETE", `/users/me/api-tokens/${id}`)).status).toBe(200)
    expectRefusal(await send("GET", "/users/me", { token }), 401, "UNAUTHORIZED")
  })
})

describe("an id", () => {
  test("of another user is as unknown as a missing one", async () => {
    for (const [method, path, body] of guarded().slice(1)) {
      const sent = { token: strangerToken, ...(body && { body }) }
      const foreign = await send(method, path, sent)
      expectRefusal(foreign, 404, "NOT_FOUND")
      const unknownBody = body && { ...body, ...("workspaceId" in body && { workspaceId: "no" }) }
      const unknownPath = path.replace(botId, "no").replace(workspaceId, "no")
      const unknown = await send(method, unknownPath, {
        ...sent,
        ...(body && { body: unknownBody }),
      })
      expectRefusal(unknown, 404, "NOT_FOUND")
      expect(unknown.body.message, path).toBe(foreign.body.message)
    }
    expect((await send("GET", `/bots/${botId}`)).body).toHaveProperty("bot.name", "Test")
  })

  test.each([
    ["unknown", () => newUuid()],
    ["of no form", () => "' or 1=1 --"],
    ["very long", () => "x".repeat(5_000)],
    ["a NUL", () => "\0"],
  ])("that is %s finds nothing, and breaks nothing", async (_case, make) => {
    const id = encodeURIComponent(make())
    const paths: [string, string, string?][] = [
      ["GET", `/workspaces/${id}`],
      ["GET", `/bots/${id}`],
      ["GET", `/bots/${id}/publishedBot`],
      ["GET", `/bots/${botId}/results/${id}`],
      ["POST", `/bots/${id}/startChat`, "{}"],
      ["POST", `/sessions/${id}/continueChat`, "{}"],
      ["POST", `/bots/${id}/preview/startChat`, "{}"],
    ]
    for (const [method, path, body] of paths) {
      const { status, body: problem } = await send(method, path, body ? { body } : {})
      expect([400, 404], `${path}: ${JSON.stringify(problem)}`).toContain(status)
      expectDocument(problem, status)
    }
  })

  test("of a result belongs to its bot", async () => {
    const other = await publishBot(server, flow)
    expectRefusal(await send("GET", `/bots/${other.botId}/results/${resultId}`), 404, "NOT_FOUND")
  })

  test("of a session that is over or never was is not found, in the words clients look for", async () => {
    const chat = await chatOver(server, publicId)
    await chat.say("Ann")
    for (const [path, code] of [
      [chat.path.slice(7), "CHAT_ENDED"],
      ["/sessions/nobody/continueChat", "NOT_FOUND"],
    ] as const) {
      const reply = await send("POST", path, { token: null, body: { message: "more" } })
      expectRefusal(reply, 404, code)
      expect(reply.body.message).toContain("Session not found")
    }
  })
})

describe("migrateToLatestVersion", () => {
  test.each(["/bots/{botId}", "/bots/{botId}/publishedBot"])("is a flag of %s", async (path) => {
    const id = await insertOldBot()
    const versionOf = async (query: string) => {
      const { status, body } = await send("GET", path.replace("{botId}", id) + query)
      expect(status, JSON.stringify(body)).toBe(200)
      return ((body.bot ?? body.publishedBot) as { version: string }).version
    }
    expect(await versionOf("")).toBe("5")
    expect(await versionOf("?migrateToLatestVersion=false")).toBe("5")
    expect(await versionOf("?migrateToLatestVersion=0")).toBe("5")
    expect(await versionOf("?migrateToLatestVersion=true")).toBe("6.1")
    expect(await versionOf("?migrateToLatestVersion=1")).toBe("6.1")
    for (const value of ["maybe", "", "True ", "2"]) {
      const query = `?migrateToLatestVersion=${encodeURIComponent(value)}`
      const reply = await send("GET", path.replace("{botId}", id) + query)
      expectRefusal(reply, 400, "BAD_REQUEST")
      expect(reply.body.issues).toMatchObject([{ path: ["migrateToLatestVersion"] }])
    }
  })
})

describe("an address", () => {
  test.each([
    ["GET", "/api/v1/nothing"],
    ["GET", "/api/v2/bots"],
    ["GET", "/nothing"],
    ["DELETE", "/api/v1/bots/import/x/y/z"],
    ["POST", "/api/v1//startChat"],
  ])("that is no route is a 404 in JSON: %s %s", async (method, path) => {
    const reply = await server.send(method, path)
    expectRefusal(reply, 404, "NOT_FOUND")
  })

  test("with a broken escape is a 400", async () => {
    expectRefusal(await send("GET", "/bots/%zz"), 400, "BAD_REQUEST")
  })
})

describe("two writers", () => {
  test("of one bot: the writer with an outdated read gets 409", async () => {
    const { botId: id } = await publishBot(server, flow)
    const read = await send("GET", `/bots/${id}`)
    const { updatedAt } = read.body.bot as { updatedAt: string }
    const write = (name: string) =>
      send("PATCH", `/bots/${id}`, { body: { bot: { name, updatedAt } } })
    expect((await write("First")).status).toBe(200)
    expectRefusal(await write("Second"), 409, "STALE_DRAFT")
    expect((await send("GET", `/bots/${id}`)).body).toHaveProperty("bot.name", "First")
  })

  test("of one public id: one gets it, all others get a 409", async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        send("POST", "/bots", {
          body: { workspaceId, bot: { name: `B${index}`, publicId: "race" } },
        }),
      ),
    )
    const losers = made.filter(({ status }) => status !== 200)
    expect(losers.length).toBe(5)
    for (const loser of losers) {
      expectRefusal(loser, 409, "PUBLIC_ID_TAKEN")
      expect(loser.body.message).toBe("This public id is taken: choose another")
    }
  })
})

function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
  return server.send(method, `/api/v1${path}`, sent)
}

/** A bot of version 5 with a publication: imports convert, so only the database can have one. */
async function insertOldBot(): Promise<string> {
  const { botId: id } = await publishBot(server, flow)
  const start = { id: "s", type: "start", label: "Start", outgoingEdgeId: "e" }
  const at = { x: 0, y: 0 }
  const old = {
    events: null,
    groups: [
      { id: "g0", title: "Start", graphCoordinates: at, blocks: [start] },
      { id: "g1", title: "Ask", graphCoordinates: at, blocks: [{ id: "q", type: "text input" }] },
    ],
    edges: [{ id: "e", from: { blockId: "s" }, to: { groupId: "g1" } }],
  }
  await database.kysely
    .updateTable("bots")
    .set({ version: "5", events: null, groups: JSON.stringify(old.groups) })
    .set({ edges: JSON.stringify(old.edges) })
    .where("id", "=", id)
    .execute()
  expect((await send("POST", `/bots/${id}/publish`)).status).toBe(200)
  return id
}
