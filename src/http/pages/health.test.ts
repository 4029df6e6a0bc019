/** Readiness is asked for often, without a token, and answered in time. */
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, test, vi } from "vitest"
import { createBodyBudget } from "../bodies/bodyBudget.ts"
import { openExchange } from "../exchange.ts"
import { createUnread } from "../unread.ts"
import { createReady } from "./health.ts"

const bodies = createBodyBudget(1_000)
const unread = createUnread()

/** Asks, with this database; the answer has status 200 until there is one. */
function ask(
  checkDatabase: () => Promise<void>,
  unavailable: () => string[] = () => [],
  isDiskFull = async () => false,
) {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const hasUsers = async () => true
  const isStopping = () => false
  const ready = createReady({ checkDatabase, hasUsers, isStopping, isDiskFull, unavailable })
  const answered = ready(openExchange(request, response, { trustedProxies: 0, bodies, unread }))
  return { response, answered }
}

test("a database that does not answer for two seconds is not ready", async () => {
  vi.useFakeTimers()
  const { response } = ask(() => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(1_999)
  expect(response.headersSent).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(response.statusCode).toBe(503)
})

test("nothing goes on once it is answered", async () => {
  vi.useFakeTimers()
  for (const answer of [Promise.resolve(), Promise.reject(new Error("gone"))]) {
    const { response, answered } = ask(() => answer)
    await answered
    expect(response.headersSent).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  }
})

test("what does not answer is named, although the service is ready", async () => {
  const { response, answered } = ask(
    () => Promise.resolve(),
    () => ["database node 3", "object store"],
  )
  const sent = vi.spyOn(response, "end")
  await answered
  expect(response.statusCode).toBe(200)
  expect(String(sent.mock.calls[0]?.[0])).toBe(
    '{"status":"degraded","unavailable":["database node 3","object store"]}',
  )
})

test.each([
  [async () => true, "The disk of the data folder is full: make room on it"],
  [async () => false, "The database does not answer"],
  [() => Promise.reject(new Error("no such folder")), "The database does not answer"],
])("a database that is gone is explained by a disk that is full", async (isDiskFull, detail) => {
  const { response, answered } = ask(() => Promise.reject(new Error("gone")), undefined, isDiskFull)
  const sent = vi.spyOn(response, "end")
  await answered
  expect(response.statusCode).toBe(503)
  expect(JSON.parse(String(sent.mock.calls[0]?.[0]))).toMatchObject({ detail })
})
