/** What an operation does not know of a query or a body changes nothing, and the answer names it. */
import { expect, test } from "vitest"
import { ask, bot, group } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer({ DATABASE_URL: await testDatabaseUrl() })
const { workspaceId } = server
const { publicId, botId } = await publishBot(server, bot(group("A", ask.text({ saves: "Name" }))))

const header = "parley-ignored"
const warningOf = (names: string) => `Unknown query parameters were ignored: ${names}`
const numbered = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`m${index}`, 1]))

test.each([
  ["GET", `/api/v1/bots?workspaceId=${workspaceId}&serach=x&sort=name`, "serach"],
  ["GET", `/api/v1/bots/${botId}/results?timeFiler=today`, "timeFiler"],
  ["POST", `/api/v1/bots/${botId}/publish?dryrun=1`, "dryrun"],
  ["GET", `/api/v1/typebots?workspaceId=${workspaceId}&serach=x`, "serach"],
  // At most five, short ones, and nothing that ends a header.
  ["GET", `/api/v1/workspaces?a=1&b=1&b=2&c=1&d=1&e=1&f=1`, "a, b, c, d, e, ..."],
  [
    "GET",
    `/api/v1/workspaces?x%0D%0ASet-Cookie:y=1&${"n".repeat(80)}`,
    `x%0D%0ASet-Cookie%3Ay, ${"n".repeat(50)}`,
  ],
])("%s %s", async (method, path, names) => {
  const reply = await server.send(method, path)
  expect(reply.status).toBeLessThan(300)
  expect(reply.headers.get(header)).toBe(names)
})

test.each<[string, string, object, string | null]>([
  ["PATCH", `/api/v1/bots/${botId}`, { bot: { name: "N" }, dryrun: true }, "dryrun"],
  ["PATCH", `/api/v1/typebots/${botId}`, { typebot: { name: "N" }, dryrun: true }, "dryrun"],
  ["POST", `/api/v1/bots/${botId}/publish?dryrun=1`, { nota: "N", note: "N" }, "dryrun, nota"],
  ["POST", `/api/v1/bots/${botId}/publish`, numbered, "m0, m1, m2, m3, m4, ..."],
  [
    "POST",
    `/api/v1/bots/${botId}/publish`,
    { "x\r\nset-cookie: y": 1 },
    "x%0D%0Aset-cookie%3A%20y",
  ],
  ["POST", `/api/v1/bots/${publicId}/startChat`, { resultID: "r" }, "resultID"],
  ["POST", `/api/v1/bots/${publicId}/startChat`, { isStreamEnabled: false }, null],
])("%s %s with a body", async (method, path, body, names) => {
  const reply = await server.send(method, path, { body })
  expect(reply.status).toBeLessThan(300)
  expect(reply.headers.get(header)).toBe(names)
})

test("a refused request names them, too", async () => {
  const reply = await server.send("POST", "/api/v1/bots", { body: { colour: "red" } })
  expect([reply.status, reply.headers.get(header)]).toEqual([400, "colour"])
})

test("a chat has the warning among its logs", async () => {
  const path = `/api/v1/bots/${publicId}/startChat?isStreamEnabeld=true`
  const started = await server.send("POST", path)
  const description = warningOf("isStreamEnabeld")
  expect(started.headers.get(header)).toBe("isStreamEnabeld")
  expect(started.body.logs).toEqual([{ status: "info", description }])
  const next = `/api/v1/sessions/${started.body.sessionId}/continueChat?x=1`
  const continued = await server.send("POST", next, { body: { message: "Ann" } })
  expect(continued.body.logs).toEqual([{ status: "info", description: warningOf("x") }])
})

test("known parameters are not named", async () => {
  const path = `/api/v1/bots?workspaceId=${workspaceId}&deleted=True&search=x`
  expect((await server.send("GET", path)).headers.get(header)).toBeNull()
})

test.each(["1", "True", "true"])("a flag of a body may be %s in the query", async (value) => {
  const body = { bot: { name: "Other" } }
  const reply = await server.send("PATCH", `/api/v1/bots/${botId}?dryRun=${value}`, { body })
  expect(reply).toMatchObject({ status: 200, body: { findings: [{ rule: "dead-end" }] } })
})
