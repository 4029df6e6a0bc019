/** An unmounted chat leaves nothing in the page, even after running the author's code. */
import { expect, onTestFinished, test, vi } from "vitest"
import { readyMessage } from "./codeMessages.ts"
import { runIsolated } from "./isolated.ts"

test("an unmounted chat has no listeners in the page", async () => {
  const page = new EventTarget()
  const frame = { setAttribute: () => {}, contentWindow: { postMessage: vi.fn() } }
  vi.useFakeTimers()
  vi.stubGlobal("document", { createElement: () => frame })
  vi.stubGlobal("window", { innerWidth: 1, innerHeight: 1 })
  vi.stubGlobal("location", { href: "https://site.example/" })
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page))
  onTestFinished(() => void vi.unstubAllGlobals())
  const say = (data: unknown) =>
    page.dispatchEvent(Object.assign(new Event("message"), { source: frame.contentWindow, data }))
  const root = { append: () => {} } as unknown as ShadowRoot
  const openPage = vi.fn()
  const leaving = new AbortController()
  const run = runIsolated({ host: "", root, openPage, leaving: leaving.signal })
  void run({ content: "", args: {} })
  say(readyMessage)
  await vi.waitFor(() => expect(frame.contentWindow.postMessage).toHaveBeenCalled())
  const answer = { kind: "open", id: 1, url: "/", isNewTab: true }
  say(answer)
  leaving.abort()
  say(answer)
  expect(openPage).toHaveBeenCalledTimes(1)
})
