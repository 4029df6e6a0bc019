/** Sends the requests of the client: with its token and headers, and with errors that say what to do. */

/** Sends a request, as the global `fetch` does. */
export type Fetch = typeof globalThis.fetch

/** A token, or where to get one: asked for every request, and once more after it was refused. */
export type TokenSource = string | (() => string | Promise<string>)

/** Headers of every request, or where to get them. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** The secret of a session, or where to get it. */
export type SessionSource = string | (() => string | undefined)

/** Who calls, and what every request says. */
export type Credentials = {
  token?: TokenSource | undefined
  session?: SessionSource | undefined
  headers?: HeaderSource | undefined
}

/**
 * The secret of the session in a page of the service, for users who are signed in. Keep it in memory
 * only: chat pages of the same origin share what is stored.
 */
export function readSession(): string | undefined {
  const { document } = globalThis as { document?: PageDocument }
  return (
    document?.querySelector('meta[name="parley-session"]')?.getAttribute("content") ?? undefined
  )
}

/** The part of a page that is needed. */
type PageDocument = {
  querySelector(selector: string): { getAttribute(name: string): string | null } | null
}

/** Adds token and headers to requests: never to their addresses, which proxies and servers log. */
export function authorized(send: Fetch, { token, session, headers }: Credentials): Fetch {
  const readToken = async () => (typeof token === "function" ? await token() : token)
  return async (input, init) => {
    const own = typeof headers === "function" ? await headers() : headers
    const sendWith = (secret: string | undefined) => {
      const all = new Headers(init?.headers)
      for (const [name, value] of Object.entries(own ?? {})) all.set(name, value)
      const page = typeof session === "function" ? session() : session
      if (page) all.set("x-parley-session", page)
      if (secret) all.set("authorization", `Bearer ${secret}`)
      return send(input, { ...init, headers: all })
    }
    const secret = await readToken()
    const response = await sendWith(secret)
    if (response.status !== 401 || typeof token !== "function") return response
    // Nothing was done, so that the same request can be sent again.
    const next = await readToken()
    if (next === secret) return response
    await response.body?.cancel()
    return await sendWith(next)
  }
}

/** Makes calls fail with a sentence without an answer, or with that of another program. */
export function explained(root: string, send: Fetch): Fetch {
  return async (input, init) => {
    const fail = (words: string, cause?: unknown): never => {
      // A caller that aborts expects the reason that it gave.
      throw init?.signal?.aborted && cause ? cause : new Error(`${root} ${words}`, { cause })
    }
    const response = await send(input, init).catch(async (cause) =>
      fail(await whyUnanswered(root, send), cause),
    )
    const read = response.json.bind(response)
    const json = async (): Promise<unknown> => {
      const { status } = response
      const words = `did not answer as Parley (status ${status}): is \`url\` the root of the service?`
      const answer: unknown = await read().catch((cause) => fail(words, cause))
      return [answer].flat().every(isAnswer) ? answer : fail(words)
    }
    return Object.assign(response, { json })
  }
}

/**
 * Why a request got no answer. Browsers hide from pages that they may not read one, but send
 * requests in the mode "no-cors", which a running service answers.
 */
async function whyUnanswered(root: string, send: Fetch): Promise<string> {
  const silence = "did not answer: is the service running there?"
  const { location } = globalThis as { location?: { origin: string } }
  if (location === undefined || new URL(root, location.origin).origin === location.origin)
    return silence
  const answersTo = (mode: "cors" | "no-cors") =>
    send(`${root}/api/trpc/`, { mode }).then(
      () => true,
      () => false,
    )
  if (!(await answersTo("no-cors")) || (await answersTo("cors"))) return silence
  return `does not let pages of ${location.origin} call it: add that origin to PARLEY_ALLOWED_ORIGINS`
}

/** Whether a value looks like an answer of tRPC. */
function isAnswer(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  if ("result" in value) return true
  return "error" in value && typeof value.error === "object"
}
