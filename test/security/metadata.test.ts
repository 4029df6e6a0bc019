/** What strangers say of their JSON over tRPC neither builds anything nor is followed out of it. */
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server"
import { expect, test } from "vitest"
import { isOnSide } from "../../src/http/rest/routes.ts"
import { appRouter } from "../../src/routers/app.ts"
import { ask, bot, group } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const flow = bot(group("Ask", ask.text({ saves: "Name" })))
const { publicId } = await publishBot(server, flow)

const date = { values: { message: ["Date"] }, v: 1 }
const start = { publicId, message: "2025-01-02T00:00:00.000Z" }

type Answer = { error?: { message: string }; result?: unknown }

async function call(path: string, body: unknown, headers: Record<string, string> = {}) {
  const { status, body: answer } = await server.send("POST", `/api/trpc/${path}`, {
    token: null,
    body,
    headers,
  })
  return { status, answer: answer as unknown as { error?: { json?: Answer["error"] } } }
}

const endless = { "prefilledVariables.Name.4294967290": ["Date"] }
const leaves = Object.fromEntries(
  Array.from({ length: 40 }, (_, level) => [
    `prefilledVariables.Name.${level}`,
    [`prefilledVariables.Name.${level + 1}.a`, `prefilledVariables.Name.${level + 1}.b`],
  ]),
)

test.each([
  ["an index in the billions", { values: endless }],
  ["values that are said to be the same again and again", { referentialEqualities: leaves, v: 1 }],
  ["a type", date],
  ["nothing at all", {}],
])("a chat that comes with %s is refused, and others are served", async (_, meta) => {
  const json = { ...start, prefilledVariables: { Name: Array.from({ length: 41 }, () => ({})) } }
  const both = { 0: { json, meta }, 1: { json: start } }
  const alone = await call("chat.start", { json, meta })
  expect(alone.status).toBe(400)
  expect(JSON.stringify(alone.answer)).toContain("(meta)")
  const batch = await call("chat.start,chat.start?batch=1", both)
  expect(batch.status).toBe(207)
  const [refused, served] = batch.answer as unknown as Answer[]
  expect(JSON.stringify(refused)).toContain("(meta)")
  expect(served).toHaveProperty("result")
  // The adapter of @trpc/server answers those who want their answers as they come.
  const streamed = await fetch(`${server.address}/api/trpc/chat.start,chat.start?batch=1`, {
    method: "POST",
    headers: { "content-type": "application/json", "trpc-accept": "application/jsonl" },
    body: JSON.stringify(both),
  })
  const lines = await streamed.text()
  expect(lines).toContain("(meta)")
  expect(lines).not.toContain("INTERNAL_SERVER_ERROR")
})

const router: AnyTRPCRouter = appRouter
const procedures: Record<string, AnyTRPCProcedure> = router._def.procedures
const ofChats = Object.keys(procedures).filter((name) =>
  isOnSide(procedures[name] as never, "chat"),
)
/** What callers need no token for; streams without a path in REST are. */
const isOpen = (name: string) => {
  const meta = procedures[name]?._def.meta as { openapi?: { protect?: boolean } } | undefined
  return meta?.openapi?.protect !== true
}
const isStream = (name: string) => procedures[name]?._def.type === "subscription"
const chats = ofChats.filter((name) => isOpen(name) && !isStream(name))
const streams = ofChats.filter(isStream)

test.each(chats)("%s says that it takes no metadata", async (name) => {
  const json = { ...start, botId: "b", sessionId: "s" }
  const { status, answer } = await call(name, { json, meta: date })
  expect([status, JSON.stringify(answer)]).toEqual([
    400,
    expect.stringContaining("Chats take plain JSON: send the input without metadata (meta)"),
  ])
})

test.each(streams)("the stream %s says so in its events", async (name) => {
  const input = JSON.stringify({ json: { ...start, sessionId: "s" }, meta: date })
  const path = `/api/trpc/${name}?input=${encodeURIComponent(input)}`
  const events = await (await fetch(server.address + path)).text()
  expect(events).toContain("Chats take plain JSON: send the input without metadata (meta)")
})

test("the input of a query is looked at the same way", async () => {
  const ask = (meta: unknown) => {
    const input = JSON.stringify({ json: { botId: "b", limit: 5 }, meta })
    return server.send("GET", `/api/trpc/result.list?input=${encodeURIComponent(input)}`)
  }
  const refused = await ask({ values: { "botId.4294967290": ["Date"] } })
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining("is not in the JSON"),
  ])
  expect((await ask({ values: {} })).status).toBe(404)
})

test("JSON of more than 64 levels is refused over tRPC as over REST", async () => {
  const deep = `${"[".repeat(70)}1${"]".repeat(70)}`
  const over = (text: string) => call("chat.start", text)
  const text = `{"json":{"publicId":"${publicId}","prefilledVariables":{"Name":${deep}}}}`
  const refused = [await over(text), await call("chat.start?batch=1", `{"0":${text}}`)]
  for (const { status, answer } of refused) {
    expect([status, JSON.stringify(answer)]).toEqual([
      400,
      expect.stringContaining("at most 64 levels"),
    ])
  }
})
