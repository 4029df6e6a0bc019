/** Tests when calls that did not get through are sent again. */
import { beforeEach, expect, test, vi } from "vitest"
import { createConnection } from "./connection.ts"

/** The answers of the service, in order; the last one stays. */
let answers: Response[]
let goOnline = () => {}

beforeEach(() => {
  // Those of the connection alone: reading an answer sets others, which are no part of the count.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
  vi.stubGlobal("window", globalThis)
  vi.stubGlobal("parent", globalThis)
  vi.stubGlobal("addEventListener", (type: string, listener: () => void) => {
    if (type === "online") goOnline = listener
  })
  // Browsers of 2023 do not join signals.
  vi.stubGlobal("AbortSignal", { timeout: AbortSignal.timeout })
  const next = async () => ((answers.length > 1 ? answers.shift() : answers[0]) as Response).clone()
  vi.stubGlobal("fetch", vi.fn(next))
})

const busy = (headers = {}) => new Response("{}", { status: 503, headers })
const done = () => new Response(`{"done":true}`)
const connect = (closing = new AbortController().signal, onTrouble = (_isLost: boolean) => {}) =>
  createConnection({ host: "https://chat.example", closing, onTrouble })

test("calls that wait at the same time are all sent again", async () => {
  answers = [busy(), busy(), done()]
  const { post } = connect()
  const both = Promise.all([post("/one", {}), post("/two", {})])
  await vi.advanceTimersByTimeAsync(600)
  expect(fetch).toHaveBeenCalledTimes(4)
  expect(await both).toEqual([{ done: true }, { done: true }])
})

/** Never answers; rejects when the call is aborted. */
const unanswered: typeof fetch = (_, { signal } = {}) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason))
  })

test("a call that is not answered in time is sent again", async () => {
  answers = [done()]
  vi.mocked(fetch).mockImplementationOnce(unanswered)
  const call = connect().post("/one", {})
  await vi.advanceTimersByTimeAsync(169_000)
  expect(fetch).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await call).toEqual({ done: true })
  expect(vi.getTimerCount()).toBe(0)
})

test("a call ends with its chat", async () => {
  const ending = new AbortController()
  vi.mocked(fetch).mockImplementation(unanswered)
  const call = connect(ending.signal).post("/one", {})
  ending.abort()
  await expect(call).rejects.toThrow()
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ["the person tries again", ({ retryNow }: ReturnType<typeof connect>) => retryNow()],
  ["the connection is back", () => goOnline()],
])("all calls that wait are sent again when %s", async (_, wake) => {
  answers = [busy({ "retry-after": "9" }), busy({ "retry-after": "9" }), done()]
  const connection = connect()
  const both = Promise.all([connection.post("/one", {}), connection.post("/two", {})])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(fetch).toHaveBeenCalledTimes(2)
  wake(connection)
  await vi.advanceTimersByTimeAsync(0)
  expect(fetch).toHaveBeenCalledTimes(4)
  await both
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ["seconds", "3", 3_000],
  ["a date", "Wed, 21 Oct 2026 07:28:00 GMT", 500],
])("a busy service is not called before the time that it sends in %s", async (_, after, ms) => {
  answers = [busy({ "retry-after": after }), done()]
  const call = connect().post("/one", {})
  await vi.advanceTimersByTimeAsync(ms - 10)
  expect(fetch).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(20)
  expect(fetch).toHaveBeenCalledTimes(2)
  await call
})

test("a service that can be asked again only after minutes is not waited for", async () => {
  answers = [busy({ "retry-after": "900" })]
  const refused = expect(connect().post("/one", {})).rejects.toMatchObject({ status: 503 })
  await vi.advanceTimersByTimeAsync(0)
  await refused
  expect(vi.getTimerCount()).toBe(0)
})

test("a wait for a proxy that does not know the service ends with a notice", async () => {
  answers = [new Response("None", { status: 404 })]
  const lost: boolean[] = []
  const ending = new AbortController()
  const call = connect(ending.signal, (isLost) => lost.push(isLost)).post("/one", {})
  await vi.advanceTimersByTimeAsync(600)
  expect(lost).toEqual([false, true])
  const ended = expect(call).rejects.toThrow()
  ending.abort()
  await vi.advanceTimersByTimeAsync(10_000)
  await ended
})

test("a chat taken over by a person refuses at once, a busy one after a while", async () => {
  const conflict = (reason: string) => Response.json({ reason }, { status: 409 })
  answers = [conflict("CHAT_PAUSED")]
  await expect(connect().post("/one", {})).rejects.toMatchObject({ reason: "CHAT_PAUSED" })
  answers = [conflict("CONFLICT")]
  const refused = expect(connect().post("/two", {})).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(300_000)
  await refused
})
