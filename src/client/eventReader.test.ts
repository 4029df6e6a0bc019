/** Streams of events: what is heard when connections get lost, and when there is none. */
import { beforeEach, expect, test, vi } from "vitest"
import { EventReader } from "./eventReader.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

/** A connection that sends these chunks and then ends. */
function stream(...chunks: (string | Uint8Array)[]): Response {
  const encoder = new TextEncoder()
  const body = ReadableStream.from(
    chunks.map((each) => (typeof each === "string" ? encoder.encode(each) : each)),
  )
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } })
}

/** Reads these answers, connection by connection, and notes what is heard and sent. */
function reading(...answers: (Response | Error)[]) {
  const sent: (string | null)[] = []
  const heard: unknown[] = []
  const reader = new EventReader("https://parley.test/stream", {
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers).get("last-event-id"))
      const answer = answers.shift() ?? new Response(null, { status: 503 })
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  for (const type of ["message", "ping", "error"]) {
    reader.addEventListener(type, (event) => {
      heard.push(event instanceof Error ? event : [type, event.lastEventId, event.data])
    })
  }
  return { sent, heard, reader }
}

const events = (heard: readonly unknown[]) => heard.filter((each) => Array.isArray(each))
const errors = (heard: readonly unknown[]) => heard.filter((each) => each instanceof Error)

test("a connection that is lost is made again from the last id, in parts or whole", async () => {
  const text = new TextEncoder().encode('id: 2\ndata: "ä"\n\n')
  const { sent, heard, reader } = reading(
    stream("id: 1\ndata: one\n", "\nevent: ping\ndata:\n\n"),
    stream(text.slice(0, 14), text.slice(14), "id: 3\ndata: never whole\n"),
    stream("id: 3\r\ndata: three\r\n\r\n"),
  )
  await vi.advanceTimersByTimeAsync(7_000)
  expect(events(heard)).toEqual([
    ["message", "1", "one"],
    ["ping", "1", ""],
    ["message", "2", '"ä"'],
    ["message", "3", "three"],
  ])
  expect(sent).toEqual([null, "1", "2"])
  reader.close()
})

test("a service that is busy, restarts or does not answer is asked again", async () => {
  const busy = [503, 429].map((status) => new Response(null, { status }))
  const { heard, reader } = reading(...busy, new TypeError("fetch failed"), stream("data: x\n\n"))
  await vi.advanceTimersByTimeAsync(9_000)
  expect(events(heard)).toEqual([["message", "", "x"]])
  expect(errors(heard).map(({ message }) => message)).toEqual([
    "The stream was answered with status 503",
    "The stream was answered with status 429",
    "fetch failed",
    "The connection of the stream was lost",
  ])
  reader.close()
})

const refused = { message: "No", code: -32003, data: { httpStatus: 403, reason: "FORBIDDEN" } }

test.each([
  [Response.json({ error: { json: refused } }, { status: 403 }), "No"],
  [new Response("<html>", { status: 404 }), "An answer of status 404 did not come from Parley"],
  [new Response("<html>"), "An answer of status 200 did not come from Parley"],
  [new Response(null, { status: 204 }), "An answer of status 204 did not come from Parley"],
])("a stream that is refused ends with the error: %#", async (answer, message) => {
  const { sent, heard, reader } = reading(answer)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(heard).toEqual([expect.objectContaining({ message, name: "TRPCClientError" })])
  expect([reader.readyState, sent.length]).toEqual([reader.CLOSED, 1])
})

test("a stream sets the pause before the next connection, and none is made once it is closed", async () => {
  const { sent, reader } = reading(stream("retry: 50\n\n"))
  await vi.advanceTimersByTimeAsync(120)
  expect(sent).toHaveLength(3)
  reader.close()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(3)
  expect(vi.getTimerCount()).toBe(0)
})

test("an event that never ends is given up", async () => {
  const piece = new TextEncoder().encode("x".repeat(1024 * 1024))
  const { sent, heard } = reading(stream("data: ", ...Array.from({ length: 70 }, () => piece)))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(errors(heard).map(({ message }) => message)).toEqual([
    expect.stringContaining("exceeded max buffer size"),
  ])
  expect(sent).toHaveLength(1)
})
