/** Chats on an origin of their own: what that serves, and what it leaves to the service. */
import { request } from "undici"
import { expect, test } from "vitest"
import { readConfig } from "../../src/app/config.ts"
import { operations } from "../security/operations.ts"
import { testServer } from "../support/server.ts"

const chatUrl = "http://chat.example.com"
const server = await testServer({ PARLEY_CHAT_URL: chatUrl, PARLEY_RATE_LIMITS: "off" })

/** Sends a request to the origin of chats, with a token unless it is a page. */
async function ask(method: string, path: string, body?: string) {
  const answer = await request(server.address + path, {
    method: method as "GET",
    headers: {
      host: "chat.example.com",
      authorization: `Bearer ${server.token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, text, headers: answer.headers }
}

const isRefused = ({ status, text }: { status: number; text: string }) =>
  status === 404 && text.includes("This origin serves chats alone")

test("the origin of the service leads to chat pages there, with what stands in the address", async () => {
  const { statusCode, headers, body } = await request(`${server.address}/chat/demo?Name=Ann`)
  await body.dump()
  expect([statusCode, headers.location]).toEqual([302, `${chatUrl}/chat/demo?Name=Ann`])
  const page = await ask("GET", "/chat/demo")
  expect(page.status).toBe(200)
  expect(page.text).toContain("<parley-chat page")
  expect(page.headers["set-cookie"]).toBeUndefined()
})

test("a chat goes on there from start to end", async () => {
  const started = await ask("POST", "/api/v1/bots/demo/startChat", "{}")
  expect(started.status).toBe(200)
  const { sessionId } = JSON.parse(started.text)
  const sent = '{"message":"I am just looking"}'
  expect((await ask("POST", `/api/v1/sessions/${sessionId}/continueChat`, sent)).status).toBe(200)
  const rpc = await ask("POST", "/api/trpc/chat.start", '{"json":{"publicId":"demo"}}')
  expect(rpc.status).toBe(200)
})

test("bots that are tools are served there", async () => {
  const answer = await ask("POST", "/mcp/bots/none", "{}")
  expect([answer.status, isRefused(answer)]).toEqual([404, false])
})

test.each(operations)("$id is served there where it belongs to chats", async ({
  method,
  path,
  tag,
}) => {
  const hasBody = method !== "GET" && method !== "DELETE"
  const named = path.replace(/\{[^}]+\}/g, "none")
  const answer = await ask(method, named, hasBody ? "{}" : undefined)
  if (tag === "Chat") expect(isRefused(answer), answer.text).toBe(false)
  else expect(isRefused(answer), answer.text).toBe(true)
})

test("sign-in and the rest of the service are not served there", async () => {
  for (const path of [
    "/",
    "/signIn",
    "/signIn/link",
    "/docs",
    "/openapi.json",
    "/metrics",
    "/mcp",
  ]) {
    const { status, headers } = await ask("GET", path)
    expect([path, status, headers["set-cookie"]]).toEqual([path, 404, undefined])
  }
  for (const path of ["user.getMe", "workspace.list", "chat.start,user.getMe", "bot.changes"]) {
    expect((await ask("GET", `/api/trpc/${path}?batch=1`)).status, path).toBe(404)
  }
  expect((await ask("POST", "/signOut", "{}")).status).toBe(404)
  expect((await ask("GET", "/healthz")).status).toBe(200)
})

test("an origin that is not one of its own is refused at the start", () => {
  const problems = (variables: Record<string, string>) => () => readConfig(variables)
  expect(
    problems({ PARLEY_PUBLIC_URL: "https://b.example", PARLEY_CHAT_URL: "https://b.example" }),
  ).toThrow("PARLEY_CHAT_URL must be another origin than that of PARLEY_PUBLIC_URL")
  expect(
    problems({
      PARLEY_CHAT_URL: "https://c.example",
      PARLEY_ALLOWED_ORIGINS: "https://d.example,https://c.example",
    }),
  ).toThrow("PARLEY_CHAT_URL must be another origin than that of PARLEY_ALLOWED_ORIGINS")
  expect(problems({ PARLEY_CHAT_URL: "https://c.example/chats" })).toThrow("without a path")
})
