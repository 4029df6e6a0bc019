/** Runs one piece of code, which sees facts about the page but not the page itself. */
import type { CodeAnswer, CodeRequest } from "./codeMessages.ts"

const post = (answer: CodeAnswer) => postMessage(answer)

addEventListener("message", async ({ data }: MessageEvent<CodeRequest>) => {
  const { id, content, args, facts } = data
  const open = (url: unknown, isNewTab: boolean) =>
    post({ id, kind: "open", url: String(url), isNewTab })
  const globals = pageOf(facts, open)
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => CompiledCode
  try {
    // Of two parameters with the same name the last one counts, which is the author's.
    const names = [...Object.keys(globals), ...Object.keys(args)]
    const run = new AsyncFunction(...names, content)
    const value = await run(...Object.values(globals), ...Object.values(args))
    post({ id, kind: "done", value: plain(value) })
  } catch (error) {
    post({ id, kind: "failed", message: String(error) })
  }
})

type CompiledCode = (...args: unknown[]) => Promise<unknown>

/** A copy of the value that can be sent; undefined stays undefined. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

/** The globals that page code expects, limited to facts and to opening other pages. */
function pageOf(facts: CodeRequest["facts"], open: (url: unknown, isNewTab: boolean) => void) {
  const { href, origin, protocol, host, hostname, port, pathname, search, hash } = new URL(
    facts.url,
  )
  const location = {
    ...{ origin, protocol, host, hostname, port, pathname, search, hash },
    get href() {
      return href
    },
    set href(url: unknown) {
      open(url, false)
    },
    assign: (url: unknown) => open(url, false),
    replace: (url: unknown) => open(url, false),
    toString: () => href,
  }
  const { referrer, title, width, height } = facts
  const document = { referrer, title, URL: href, location, cookie: "" }
  const window: Record<string, unknown> = {
    ...{ location, document, navigator, innerWidth: width, innerHeight: height },
    fetch: (input: RequestInfo, init?: RequestInit) => fetch(input, init),
    open: (url: unknown, target?: string) => open(url, target !== "_self"),
  }
  Object.assign(window, { window, parent: window, top: window, self: window })
  return { window, parent: window, top: window, document, location, open: window.open }
}
