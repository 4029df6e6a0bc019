/** Every link of @trpc/client does every kind of call, with the same answers, each executed once. */
import { Writable } from "node:stream"
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  TRPCClientError,
  type TRPCLink,
} from "@trpc/client"
import superjson from "superjson"
import { EventSource } from "undici"
import { beforeEach, describe, expect, test } from "vitest"
import type { AppRouter } from "../../src/routers/app.ts"
import { createLog } from "../../src/telemetry/log.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { type TestServer, testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

/** Lines of the log: a call that was stored and answered 500 would be among them. */
const lines: { level: number; msg: string }[] = []
const stream = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()))
    done()
  },
})
const log = createLog("info", stream)
const server = await testServer({ PARLEY_RATE_LIMITS: "off" }, log)
// The limits are counted in the database, and reported in headers while answers are streamed.
const limits = { PARLEY_RATE_LIMITS: "on", PARLEY_RATE_LIMIT_STORE: "postgres" }
const limited = await testServer(limits, log)
const flow = bot(
  group("Ask", say("Name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}"), ask.email()),
)

const url = `${server.address}/api/trpc`
const optionsFor = ({ address, token }: TestServer) => ({
  url: `${address}/api/trpc`,
  headers: { authorization: `Bearer ${token}` },
  transformer: superjson,
  maxItems: 20,
})
const links: [string, (to?: TestServer) => TRPCLink<AppRouter>][] = [
  ["httpLink", (to = server) => httpLink(optionsFor(to))],
  ["httpBatchLink", (to = server) => httpBatchLink(optionsFor(to))],
  ["httpBatchStreamLink", (to = server) => httpBatchStreamLink(optionsFor(to))],
]
const clientOf = (link: (to?: TestServer) => TRPCLink<AppRouter>, to?: TestServer) =>
  createTRPCClient<AppRouter>({ links: [link(to)] })
type Client = ReturnType<typeof clientOf>

beforeEach(() => void lines.splice(0))
const failures = () => lines.filter(({ level }) => level >= 50)

let made = 0

/** Seventeen calls, and what they answered. */
async function walk(client: Client): Promise<unknown[]> {
  const publicId = `links-${++made}`
  const { workspace } = await client.workspace.create.mutate({ name: publicId })
  const { id: workspaceId } = workspace
  const imported = await client.bot.import.mutate({ workspaceId, bot: { name: "Links", ...flow } })
  const { id: botId, updatedAt } = imported.bot
  const change = { publicId, updatedAt }
  const before = [
    await client.workspace.get.query({ workspaceId }),
    await client.bot.publicIdAvailability.query({ publicId }),
    await client.bot.get.query({ botId }),
    await client.bot.list.query({ workspaceId }),
    await client.bot.update.mutate({ botId, bot: change }),
    await client.bot.publish.mutate({ botId }),
    await client.publishedBot.get.query({ botId }),
  ]
  const started = await client.chat.start.mutate({ publicId })
  const { sessionId, resultId = "" } = started
  const chat = [
    started,
    await client.chat.continue.mutate({ sessionId, message: "Ann" }),
    await client.chat.startPreview.mutate({ botId }),
    await client.result.get.query({ botId, resultId }),
    await client.result.list.query({ botId }),
    await client.version.list.query({ botId }),
    await client.user.getMe.query(),
    await client.billing.getUsage.query({ workspaceId }),
  ]
  return [workspace, imported, ...before, ...chat]
}

/** The answers without what differs from one walk to the next. */
function comparable(answers: unknown): unknown {
  const text = JSON.stringify(answers)
    .replaceAll(/links-\d+/g, "links")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
    .replaceAll(/"[\w-]{20,}"/g, '"id"')
  return JSON.parse(text)
}

describe("seventeen calls", () => {
  test("are answered alike through every link, and each is executed once", async () => {
    const walks = new Map<string, unknown>()
    for (const [name, link] of links) {
      walks.set(name, comparable(await walk(clientOf(link, limited))))
    }
    const [first] = walks.values()
    expect(first).toHaveLength(17)
    for (const [name, answers] of walks) expect([name, answers]).toEqual([name, first])
    // One result with one answer: a chat that ran twice would have more.
    const { results } = (first as Record<string, unknown[]>[])[13] ?? {}
    expect(results).toMatchObject([{ answers: [{ content: "Ann" }] }])
    expect(failures()).toEqual([])
  })
})

describe.each(links)("%s", (_, link) => {
  test("does twenty calls at once, of which one is bad", async () => {
    const client = clientOf(link)
    const { workspaces: before } = await client.workspace.list.query()
    const name = `batch-${++made}`
    const calls = Array.from({ length: 20 }, (_each, index) =>
      client.workspace.create.mutate({ name: index === 7 ? "" : `${name} ${index}` }),
    )
    const outcomes = await Promise.allSettled(calls)
    const bad = outcomes.flatMap((each, index) => (each.status === "rejected" ? [index] : []))
    expect(bad).toEqual([7])
    const [, , , , , , , seventh] = outcomes
    const error = seventh?.status === "rejected" ? seventh.reason : undefined
    expect(error).toBeInstanceOf(TRPCClientError)
    expect(error.data).toMatchObject({ code: "BAD_REQUEST", httpStatus: 400 })
    const { workspaces } = await client.workspace.list.query()
    expect(workspaces.length).toBe(before.length + 19)
    expect(failures()).toEqual([])
  })

  test("starts and continues twenty chats at once, each stored once", async () => {
    const client = clientOf(link)
    const { botId, publicId } = await publishBot(server, flow)
    const starts = Array.from({ length: 20 }, () => client.chat.start.mutate({ publicId }))
    const started = await Promise.all(starts)
    const steps = await Promise.all(
      started.map(({ sessionId }) => client.chat.continue.mutate({ sessionId, message: "Ann" })),
    )
    for (const { messages } of steps) expect(JSON.stringify(messages)).toContain("Ann")
    const { results } = await client.result.list.query({ botId })
    expect(results.map(({ answers }) => answers.length)).toEqual(Array.from(starts, () => 1))
    expect(failures()).toEqual([])
  })

  test("leaves nothing behind of a call that is taken back, or all of it, and goes on", async () => {
    const client = clientOf(link)
    const name = `abort-${++made}`
    const controller = new AbortController()
    const call = client.workspace.create.mutate({ name }, { signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toThrow(/abort/i)
    const { workspaces } = await client.workspace.list.query()
    expect(workspaces.filter((each) => each.name === name).length).toBeLessThan(2)
    expect(failures()).toEqual([])
  })
})

describe("httpSubscriptionLink", () => {
  const client = createTRPCClient<AppRouter>({
    links: [
      httpSubscriptionLink({ url, transformer: superjson, EventSource: EventSource as never }),
    ],
  })

  test("notifies a waiting chat of the call from outside, and ends", async () => {
    const hook = block("webhook", { responseVariableMapping: [] }, { id: "hook" })
    const { botId, publicId } = await publishBot(server, bot(group("A", hook, say("Done"))))
    const { step } = await chatOver(server, publicId)
    const heard: unknown[] = []
    let hasEnded = false
    const subscription = client.chat.listen.subscribe(
      { sessionId: step.sessionId },
      { onData: ({ data }) => heard.push(data), onComplete: () => (hasEnded = true) },
    )
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${step.resultId}/executeWebhook`
    expect((await server.send("POST", path, { body: { name: "Ann" } })).status).toBe(200)
    await eventually(() => expect(hasEnded).toBe(true))
    const message = { type: "message", text: '{"data":{"name":"Ann"}}' }
    expect(heard).toEqual([{ type: "listening" }, message])
    subscription.unsubscribe()
  })

  test("says why there is nothing to hear", async () => {
    const error = await new Promise<TRPCClientError<AppRouter>>((resolve) => {
      client.chat.listen.subscribe({ sessionId: "none" }, { onError: resolve })
    })
    expect(error.message).toBe("Session not found: start a new chat")
    expect(failures()).toEqual([])
  })
})
