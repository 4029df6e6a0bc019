/** How the typed client sends what it sends: tokens, headers, links, batches and streams. */
import { loggerLink } from "@trpc/client"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import {
  type AppRouter,
  createParleyClient,
  isParleyError,
  type ParleyClientOptions,
  type ParleyOutputs,
} from "../../src/client.ts"
import { ask, block, bot, group, groupIdOf, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually, openLatch } from "../support/waiting.ts"

const server = await testServer()
const { address: url, token } = server
const { botId, publicId } = await publishBot(
  server,
  bot(
    group("A", ask.text({ saves: "Name" }), block("webhook", {}, { id: "hook" }), ask.text()),
    group("Help", say("Help"), ask.text({ id: "help" })),
  ),
)

type ChatEvent = ParleyOutputs["chat"]["listen"] extends AsyncIterable<infer Each> ? Each : never

/** As in runtimes that know only the data of events, such as workerd. */
class ForgetfulEvent extends Event {
  readonly data: unknown
  constructor(type: string, { data }: { data?: unknown } = {}) {
    super(type)
    this.data = data
  }
}

type Sent = { url: string; headers: Headers }

/** A client, and the requests that it sends. */
function watched(options: Omit<ParleyClientOptions, "url">) {
  const sent: Sent[] = []
  const client = createParleyClient({
    url,
    ...options,
    fetch: (input, init) => {
      sent.push({ url: String(input), headers: new Headers(init?.headers) })
      return fetch(input, init)
    },
  })
  return { client, sent }
}

describe("a token that is a function", () => {
  test("is asked for it before every request", async () => {
    const tokens = vi.fn(async () => token)
    const { client, sent } = watched({ token: tokens })
    for (let call = 1; call <= 2; call++) {
      await client.user.getMe.query()
      expect(tokens).toHaveBeenCalledTimes(call)
    }
    expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual([
      `Bearer ${token}`,
      `Bearer ${token}`,
    ])
  })

  test("is asked once more when it was refused, and the request repeated if it says another", async () => {
    const tokens = ["parley_pat_old", token]
    const { client, sent } = watched({ token: () => tokens.shift() ?? token })
    expect((await client.user.getMe.query()).email).toBe("ann@example.com")
    expect(sent).toHaveLength(2)
    const stale = watched({ token: () => "parley_pat_old" })
    const refused = await stale.client.user.getMe.query().catch((error) => error)
    expect(isParleyError(refused) && refused.data?.reason).toBe("UNAUTHORIZED")
    expect(stale.sent).toHaveLength(1)
  })

  test("fails calls with its own error", async () => {
    const { client } = watched({ token: () => Promise.reject(new Error("signed out")) })
    const error = await client.user.getMe.query().catch((each) => each)
    expect(isParleyError(error) && error.message).toBe("signed out")
  })
})

test("headers and links of one's own come with every request", async () => {
  const seen: string[] = []
  const log = loggerLink<AppRouter>({
    logger: ({ direction, path }) => void seen.push(`${direction} ${path}`),
  })
  const { client, sent } = watched({
    token,
    headers: async () => ({ "x-app": "builder" }),
    links: [log],
  })
  await client.user.getMe.query()
  expect(seen).toEqual(["up user.getMe", "down user.getMe"])
  expect(sent[0]?.headers.get("x-app")).toBe("builder")
  expect(sent[0]?.headers.get("authorization")).toBe(`Bearer ${token}`)
  const fixed = watched({ headers: { "X-App": "fixed" } })
  await fixed.client.chat.start.mutate({ publicId })
  expect(fixed.sent[0]?.headers.get("x-app")).toBe("fixed")
  expect(fixed.sent[0]?.headers.has("authorization")).toBe(false)
})

describe("a streaming transport", () => {
  test("answers each call of a batch when it is done, and refuses a batch alike", async () => {
    const { client, sent } = watched({ token, transport: "stream" })
    const me = client.user.getMe.query()
    const none = client.bot.get.query({ botId: "none" }).catch((error) => error)
    expect((await me).email).toBe("ann@example.com")
    expect((await none).data).toMatchObject({ reason: "NOT_FOUND", httpStatus: 404 })
    expect(sent).toHaveLength(1)
    const many = Array.from({ length: 21 }, () => client.user.getMe.query())
    expect(await Promise.all(many)).toHaveLength(21)
    expect(sent).toHaveLength(3)
  })

  test("says where no service is", async () => {
    const client = createParleyClient({ url: `${url}/builder`, transport: "stream" })
    const error = await client.user.getMe.query().catch((each) => each)
    expect(error.message).toContain(`${url}/builder did not answer as Parley`)
  })
})

describe("chat.listen", () => {
  const steer = (sessionId: string, body: object) =>
    server.send("PATCH", `/api/v1/sessions/${sessionId}`, { body })

  /** Listens to a chat, and notes what comes. */
  function listen(
    { client }: ReturnType<typeof watched>,
    input: { sessionId: string; lastEventId?: string },
  ) {
    const heard: ChatEvent[] = []
    const over = openLatch()
    const subscription = client.chat.listen.subscribe(input, {
      onData: (event) => void heard.push(event),
      onComplete: over.open,
    })
    onTestFinished(() => subscription.unsubscribe())
    return { heard, types: () => heard.map(({ data }) => data.type), over, subscription }
  }

  test("hears all that happens to a chat, typed, until it ends", async () => {
    const { step } = await chatOver(server, publicId)
    const { sessionId } = step
    const client = watched({ token: async () => token, headers: { "x-app": "builder" } })
    const { heard, types, over } = listen(client, { sessionId })
    await eventually(() => expect(types()).toEqual(["listening"]))
    await steer(sessionId, { state: "paused" })
    await steer(sessionId, { state: "active" })
    await steer(sessionId, { continueAt: { groupId: groupIdOf("Help") } })
    await steer(sessionId, { state: "ended" })
    await over.isOpen
    expect(types()).toEqual([
      "listening",
      "conversation.paused",
      "conversation.resumed",
      "conversation.continued",
      "conversation.ended",
    ])
    const led = heard.flatMap(({ data }) => (data.type === "conversation.continued" ? data : []))
    expect(led.map(({ input }) => input?.id)).toEqual(["help"])
    const [request] = client.sent
    expect(request?.headers.get("authorization")).toBe(`Bearer ${token}`)
    expect(request?.headers.get("x-app")).toBe("builder")
    expect(client.sent.map((each) => each.url).join()).not.toContain(token)
  })

  test("hears what was missed, and nothing twice", async () => {
    const { step } = await chatOver(server, publicId)
    const { sessionId } = step
    const client = watched({})
    const first = listen(client, { sessionId })
    await eventually(() => expect(first.types()).toEqual(["listening"]))
    first.subscription.unsubscribe()
    await steer(sessionId, { state: "paused" })
    const second = listen(client, { sessionId, lastEventId: first.heard[0]?.id ?? "" })
    await eventually(() => expect(second.types()).toEqual(["listening", "conversation.paused"]))
    second.subscription.unsubscribe()
    await steer(sessionId, { state: "active" })
    const third = listen(client, { sessionId, lastEventId: second.heard[1]?.id ?? "" })
    await eventually(() => expect(third.types()).toEqual(["listening", "conversation.resumed"]))
  })

  test("goes on by itself when its connection is lost, and hears nothing twice", async () => {
    vi.stubGlobal("MessageEvent", ForgetfulEvent)
    vi.stubGlobal("EventSource", undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    const { step } = await chatOver(server, publicId)
    const { sessionId } = step
    const leaving: AbortController[] = []
    const client = createParleyClient({
      url,
      fetch: (input, init) => {
        const lost = new AbortController()
        leaving.push(lost)
        const signal = AbortSignal.any([lost.signal, ...(init?.signal ? [init.signal] : [])])
        return fetch(input, { ...init, signal })
      },
    })
    const { types, heard } = listen({ client, sent: [] }, { sessionId })
    await eventually(() => expect(types()).toEqual(["listening"]))
    await steer(sessionId, { state: "paused" })
    await eventually(() => expect(types()).toContain("conversation.paused"))
    leaving[0]?.abort(new TypeError("terminated"))
    await steer(sessionId, { state: "active" })
    await eventually(() => expect(types()).toContain("conversation.resumed"))
    expect(types()).toEqual([
      "listening",
      "conversation.paused",
      "listening",
      "conversation.resumed",
    ])
    expect(heard.every(({ id }) => id)).toBe(true)
    expect(leaving.length).toBeGreaterThan(1)
  })

  test("hears the call of another system as the message to send, and ends", async () => {
    const chat = await chatOver(server, publicId)
    const { sessionId, resultId } = chat.step
    await chat.say("Ann")
    const { heard, over } = listen(watched({}), { sessionId })
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${resultId}/executeWebhook`
    await server.send("POST", path, { body: { paid: true } })
    await over.isOpen
    const [last] = heard.slice(-1).map(({ data }) => data)
    expect(last).toEqual({ type: "message", text: '{"data":{"paid":true}}' })
  })
})
