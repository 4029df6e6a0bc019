/** A page receives events of its chat, over a `fetch` of its own. */
import { beforeEach, expect, test, vi } from "vitest"
import { hear } from "./hear.ts"
import type { Heard, Talk } from "./talk.ts"

const tab = Object.assign(new EventTarget(), { hidden: false })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("document", tab)
  tab.hidden = false
})

/** Listens while each connection in turn brings these lines and breaks off; the last one is over. */
async function hearing(connections: string[], begin: Partial<Talk> = {}) {
  const asked: (string | undefined)[] = []
  vi.stubGlobal("fetch", async (_: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(headers["last-event-id"])
    const body = connections.shift()
    return body === undefined ? new Response(null, { status: 404 }) : new Response(body)
  })
  const talk = {
    connection: { host: "https://parley.test", headers: {} },
    closing: new AbortController(),
    sessionId: "s",
    store: { read: () => ({ entries: [] }) },
    ...begin,
  } as unknown as Talk
  const heard: Heard[] = []
  const over = hear(talk, new AbortController().signal, (each) => heard.push(each))
  await vi.advanceTimersByTimeAsync(200_000)
  return { over, heard, asked, talk }
}

test("an event that breaks off after its id comes again", async () => {
  const { heard, asked } = await hearing(["id: 1\n", 'id: 1\ndata: {"a":1}\n\n'])
  expect(heard).toEqual([{ call: '{"a":1}' }])
  expect(asked).toEqual([undefined, undefined, "1"])
})

test("a call that is longer than a message may be is answered without one", async () => {
  const long = await hearing([`id: 1\ndata: ${"x".repeat(100_000)}\n\n`])
  expect(long.heard).toEqual([{ call: "x".repeat(100_000) }])
  const longer = await hearing([`id: 1\ndata: ${"x".repeat(100_001)}\n\n`])
  expect(longer.heard).toEqual([{ call: undefined }])
})

test("steps and what the team does are heard in order, once; typing moves no position", async () => {
  const step = { messages: [{ id: "m" }], input: { id: "i" } }
  const lines = [
    'event: conversation.paused\nid: 1\ndata: {}\n\nevent: conversation.typing\ndata: {"from":"team"}\n\n',
    `event: conversation.idle\nid: 2\ndata: ${JSON.stringify(step)}\n\n`,
  ]
  const { heard, asked } = await hearing([lines.join(""), lines[1] ?? ""])
  const ofTeam = [{ isPaused: true }, { isTyping: true }]
  expect(heard).toEqual([...ofTeam.map((each) => ({ ofTeam: each })), { step }])
  expect(asked).toEqual([undefined, "2", "2"])
})

test("silence without a reaction of the flow keeps the question", async () => {
  const mute = 'event: conversation.idle\nid: 1\ndata: {"afterSeconds":60,"messages":[]}\n\n'
  expect((await hearing([mute])).heard).toEqual([])
})

test("nothing is asked after the end", async () => {
  const { heard, asked } = await hearing(["event: conversation.ended\nid: 1\ndata: {}\n\n"])
  expect(heard).toEqual(["end"])
  expect(asked).toHaveLength(1)
})

test("a sleeping tab has no connection, and gets missed events once it wakes", async () => {
  tab.hidden = true
  const { asked, heard } = await hearing(["id: 8\ndata: {}\n\n"], { heardId: "7" })
  expect(asked).toEqual([])
  tab.hidden = false
  tab.dispatchEvent(new Event("visibilitychange"))
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual(["7"])
  expect(heard).toEqual([{ call: "{}" }])
})

test("a tab that waits for a webhook call does not sleep", async () => {
  tab.hidden = true
  const { asked } = await hearing(["id: 8\ndata: {}\n\n"], { onCall: () => {} })
  expect(asked.length).toBeGreaterThan(0)
})

test("of many chats in a page three listen, others once one of them has ended or a call is awaited", async () => {
  const open: { url: string; end(): void }[] = []
  vi.stubGlobal("fetch", (url: string) => {
    return new Promise<Response>((resolve) => {
      open.push({ url, end: () => resolve(new Response(null, { status: 404 })) })
    })
  })
  const talks = [1, 2, 3, 4, 5].map((number) => {
    return {
      connection: { host: "https://parley.test", headers: {} },
      closing: new AbortController(),
      sessionId: String(number),
      store: { read: () => ({ entries: [] }) },
    } as unknown as Talk
  })
  const over = talks.map((talk) => hear(talk, new AbortController().signal, () => {}))
  await vi.advanceTimersByTimeAsync(10)
  const heard = () => open.map(({ url }) => /sessions\/(\d)/.exec(url)?.[1])
  expect(heard()).toEqual(["1", "2", "3"])
  const [, , , , last] = talks
  if (last) last.onCall = () => {}
  last?.listenNow?.()
  await vi.advanceTimersByTimeAsync(10)
  expect(heard()).toEqual(["1", "2", "3", "5"])
  for (const each of open.slice(0, 2)) each.end()
  await vi.advanceTimersByTimeAsync(10)
  expect(heard()).toEqual(["1", "2", "3", "5", "4"])
  for (const each of open) each.end()
  await Promise.all(over)
})
