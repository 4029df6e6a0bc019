/** Attacks of the drill of shares: each takes one thing that is shared, again and again, twelve times at once. */
import { connect } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type Asked, ask, maxAttackMs } from "../../test/support/siege/ask.ts"

/** A way to take what is shared. */
export type Attack = {
  /** Sends it as one of twelve; resolves to the status, 0 without an answer. */
  send(nth: number, signal: AbortSignal): Promise<number>
  /** The answer to one that reaches what it attacks. */
  reaches: number
  /** Other answers that are allowed. */
  refusals: readonly number[]
}

/** The bots of one of twelve workspaces. */
export type GreedyBots = Record<
  "looping" | "fetching" | "talkative",
  { id: string; publicId: string }
>

type Scene = {
  address: string
  /** Token of the user who owns the workspaces. */
  author: string
  bots: readonly GreedyBots[]
  /** A flow of a few blocks whose script never ends. */
  small: object
}

const busy = [429, 503]
const many = 100_000

/** All of them by name. */
export function attacksOf({ address, author, bots, small }: Scene): Record<string, Attack> {
  const from = (nth: number) => ({ "x-forwarded-for": `192.0.2.${nth + 1}` })
  const botOf = (nth: number, kind: keyof GreedyBots) => {
    const found = bots[nth]?.[kind]
    if (!found) throw new Error("There are twelve workspaces")
    return found
  }
  const asks = (
    reaches: number,
    make: (nth: number) => Asked,
    refusals: readonly number[] = busy,
  ): Attack => ({
    reaches,
    refusals,
    send: async (nth) => {
      const { headers = {}, ...asked } = make(nth)
      return (await ask(address, { ...asked, headers: { ...from(nth), ...headers } })).status
    },
  })
  /** Keeps a connection open and reads nothing but the beginning of what comes. */
  const holds = (
    reaches: number,
    make: (nth: number) => { path: string; token?: string; forMs: number },
  ): Attack => ({
    reaches,
    refusals: busy,
    send: async (nth, signal) => hold(address, { ...make(nth), headers: from(nth), signal }),
  })
  const preview = (changes: object) => {
    const path = "/api/v1/bots/any/preview/startChat"
    const body = JSON.stringify({ bot: { ...small, ...changes } })
    return asks(400, () => ({ path, body }))
  }
  const zeros = Array(many).fill(0)
  const inBlock = (type: string, inner: object) => ({
    groups: [
      {
        ...{ id: "g0", title: "A", graphCoordinates: { x: 0, y: 0 } },
        blocks: [{ id: "b", type, ...inner }],
      },
    ],
  })
  const hostileNames = JSON.stringify(
    Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`\u0000${n}`, 0])),
  )
  const batch = Array(20).fill("catalogue.list").join(",")
  const inputs = JSON.stringify(
    Object.fromEntries(batch.split(",").map((_, nth) => [nth, { json: {} }])),
  )
  const catalogues = `/api/trpc/${batch}?batch=1&input=${encodeURIComponent(inputs)}`
  const dear = "{ matches: '(a?){120}(a?){120}c$' }"
  const file = `bot: b\nconversation: [{ bot: ${dear} }]`
  const start = (nth: number, kind: keyof GreedyBots) => ({
    path: `/api/v1/bots/${botOf(nth, kind).publicId}/startChat`,
    body: {},
  })
  return {
    "scripts of the author": asks(200, (nth) => start(nth, "looping")),
    "fetching scripts": asks(200, (nth) => start(nth, "fetching")),
    "scripts of strangers": asks(200, () => ({
      path: "/api/v1/bots/any/preview/startChat",
      body: { bot: small },
    })),
    "work on large bots": asks(200, (nth) => ({
      path: "/api/v1/bots/lint",
      body: { botId: botOf(nth, "looping").id },
      token: author,
    })),
    // Those whose script never ends, and those whose words are compared with a dear pattern, have the same places.
    "tests of drafts": asks(200, (nth) => {
      const isLooping = nth % 2 === 0
      return {
        path: `/api/v1/bots/${botOf(nth, isLooping ? "looping" : "talkative").id}/test`,
        body: { file: isLooping ? "bot: b\nconversation:\n- { user: x }\n" : file },
        token: author,
      }
    }),
    "wrong values in variables": preview({ variables: zeros }),
    "wrong values in a variable": preview({ variables: [{ id: "v", name: "V", value: zeros }] }),
    "wrong values in events": preview({ events: zeros }),
    "wrong values in rich text": preview(inBlock("text", { content: { richText: zeros } })),
    "wrong values in items": preview(inBlock("choice input", { items: zeros })),
    // Without a flow, which only members may leave out: refused before the names are cleaned.
    "names with NUL": asks(
      401,
      () => ({ path: "/api/v1/bots/any/preview/startChat", body: hostileNames }),
      [...busy, 408],
    ),
    // Refused by its length, before it is read.
    "4 MB to chat.start over tRPC": asks(
      413,
      (nth) => ({
        path: "/api/trpc/chat.start",
        body: {
          publicId: botOf(nth, "talkative").publicId,
          prefilledVariables: { Said: "x".repeat(4_000_000) },
        },
      }),
      // Those that come while many are being discarded are cut off.
      [...busy, 0],
    ),
    "public answers in a batch": asks(200, () => ({ path: catalogues })),
    "public answers in a batch that are not read": holds(200, () => ({
      path: catalogues,
      forMs: 5_000,
    })),
    exports: holds(200, (nth) => ({
      path: `/api/v1/bots/${botOf(nth, "looping").id}/results/export`,
      token: author,
      forMs: 5_000,
    })),
    "streams of changes": holds(200, (nth) => ({
      path: `/api/v1/bots/${botOf(nth, "looping").id}/changes`,
      token: author,
      forMs: 60_000,
    })),
    assistants: asks(200, () => ({
      path: "/mcp",
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      token: author,
      headers: { accept: "application/json, text/event-stream" },
    })),
    "dates at the end of time": asks(
      200,
      (nth) => ({
        path: `/api/v1/bots/${botOf(nth, "looping").id}/analytics?from=9999-12-31T23:59:59.999Z`,
        token: author,
      }),
      [400, ...busy],
    ),
    "sign-ins that were not begun": asks(
      400,
      () => ({ path: "/signIn/openId/callback?code=x&state=y" }),
      busy,
    ),
  }
}

type Held = {
  path: string
  token?: string
  headers: Record<string, string>
  forMs: number
  signal: AbortSignal
}

/** Asks, reads the first bytes, and then nothing for a time; resolves to the status. */
async function hold(
  address: string,
  { path, token, headers, forMs, signal }: Held,
): Promise<number> {
  const { hostname, port, host } = new URL(address)
  const socket = connect(Number(port), hostname)
  const all = { host, ...headers, ...(token && { authorization: `Bearer ${token}` }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  let status = 0
  const answered = new Promise<void>((resolve) => {
    socket.once("data", (chunk: Buffer) => {
      status = Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString("latin1"))?.[1] ?? 0)
      socket.pause()
      resolve()
    })
  })
  socket.on("error", () => {})
  const isOver = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`)
  // What still waits ends with this: each wait listens to the signal of all attacks.
  const over = new AbortController()
  const end = () => over.abort()
  signal.addEventListener("abort", end, { once: true })
  const wait = (ms: number) => sleep(ms, undefined, { signal: over.signal }).catch(() => {})
  await Promise.race([answered, isOver, wait(maxAttackMs)])
  if (status === 200) await Promise.race([isOver, wait(forMs)])
  signal.removeEventListener("abort", end)
  end()
  socket.destroy()
  return status
}
