/** Tests how long a page waits for the answer of a model, over a `fetch` of its own. */
import { beforeEach, expect, test, vi } from "vitest"
import type { Talk } from "../talk/talk.ts"
import type { View } from "../talk/view.ts"
import { streamAnswer } from "./streamAnswer.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

const busy = (seconds: string) =>
  new Response(null, { status: 429, headers: { "retry-after": seconds } })

/** Streams with these answers of the service, and returns the result and the number of requests. */
async function streaming(...answers: Response[]) {
  let asked = 0
  const notices: string[] = []
  vi.stubGlobal("fetch", async () => answers[asked++])
  const talk = {
    connection: { host: "https://parley.test", headers: {} },
    closing: new AbortController(),
    sessionId: "s",
    lastKey: 0,
    store: {
      change: ({ notice }: View) => notice && notices.push(notice),
      read: () => ({ entries: [] }),
    },
    emit: () => {},
  } as unknown as Talk
  const text = streamAnswer(talk)
  await vi.advanceTimersByTimeAsync(100_000)
  return { text: await text, asked, notices }
}

test("a service that is busy for a while is asked once more", async () => {
  expect(await streaming(busy("60"), new Response('0:"Hi"\n'))).toMatchObject({
    text: "Hi",
    asked: 2,
    notices: [],
  })
  expect(await streaming(busy("60"), busy("60"))).toMatchObject({ text: undefined, asked: 2 })
})

test("the wait ends after a minute", async () => {
  expect(await streaming(busy("61"))).toMatchObject({ text: undefined, asked: 1 })
})

test("an unavailable answer shows a message", async () => {
  expect((await streaming(new Response(null, { status: 500 }))).notices).toEqual(["noAnswer"])
})
