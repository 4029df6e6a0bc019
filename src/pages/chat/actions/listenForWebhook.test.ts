/** Tests what a page that waits for a webhook call takes for one, over a `fetch` of its own. */
import { beforeEach, expect, test, vi } from "vitest"
import type { Talk } from "../talk/talk.ts"
import { listenForWebhook } from "./listenForWebhook.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

/** Listens while each connection in turn brings these lines and breaks off, and returns what comes of it. */
async function listening(...connections: string[]) {
  const asked: (string | undefined)[] = []
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(headers["last-event-id"])
    return new Response(connections.shift())
  })
  const talk = {
    connection: { host: "https://parley.test", headers: {} },
    closing: new AbortController(),
    interruption: new AbortController(),
    sessionId: "s",
    store: { change: () => {} },
  } as unknown as Talk
  const outcome = listenForWebhook(talk)
  await vi.advanceTimersByTimeAsync(10_000)
  return { outcome: await outcome, asked }
}

test("an event that breaks off after its id comes again", async () => {
  const heard = await listening("id: 1\n", 'id: 1\ndata: {"a":1}\n\n')
  expect(heard).toEqual({ outcome: '{"a":1}', asked: [undefined, undefined] })
})

test("a call that is longer than a message may be is answered without one", async () => {
  expect(await listening(`id: 1\ndata: ${"x".repeat(100_000)}\n\n`)).toMatchObject({
    outcome: "x".repeat(100_000),
  })
  expect(await listening(`id: 1\ndata: ${"x".repeat(100_001)}\n\n`)).toMatchObject({
    outcome: undefined,
  })
})

test("an event of another type is no call, and is not asked for again", async () => {
  const paused = "event: conversation.paused\nid: 1\ndata: {}\n\n:\n\n"
  const heard = await listening(paused, "id: 2\ndata: called\n\n")
  expect(heard).toEqual({ outcome: "called", asked: [undefined, "1"] })
})
