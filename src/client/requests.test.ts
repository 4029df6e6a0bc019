/** Tests what the client sends to say whose request it is. */
import { expect, onTestFinished, test, vi } from "vitest"
import { authorized, readSession } from "./requests.ts"

test("a page of the service sends the secret of the session that stands in it", async () => {
  const meta = { getAttribute: (name: string) => (name === "content" ? "secret" : null) }
  const querySelector = (selector: string) =>
    selector === 'meta[name="parley-session"]' ? meta : null
  vi.stubGlobal("document", { querySelector })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(readSession()).toBe("secret")
  const send = vi.fn(async () => new Response())
  for (const session of [readSession, "secret"]) {
    await authorized(send, { session })("https://parley.test/api/trpc")
  }
  const headers = send.mock.calls.map(([, init]: unknown[]) => (init as RequestInit).headers)
  expect(headers.map((each) => new Headers(each).get("x-parley-session"))).toEqual([
    "secret",
    "secret",
  ])
})

test("no secret is sent without a session, or outside of browsers", async () => {
  expect(readSession()).toBeUndefined()
  const send = vi.fn(async (_: unknown, init?: RequestInit) => {
    return Response.json([...new Headers(init?.headers).keys()])
  })
  const response = await authorized(send, { session: readSession })("https://parley.test/api/trpc")
  expect(await response.json()).toEqual([])
})
