/** Requests of attackers: any body, any headers, any bytes, and never longer than a moment. */
import { Agent, type RequestOptions, request } from "node:http"
import { connect, type Socket } from "node:net"

/** What came back. */
export type Got = {
  /** 0: nothing came back; `text` says why. */
  status: number
  /** The first `reason` in the answer that is a word. */
  code?: string | undefined
  bytes: number
  milliseconds: number
  /** The beginning of the answer. */
  text: string
  retryAfter?: string | undefined
}

/** A request. Objects are sent as JSON. */
export type Asked = {
  method?: string
  path: string
  body?: string | Buffer | object
  headers?: Record<string, string | string[]>
  token?: string
  timeoutMs?: number
}

/** Milliseconds after which a request is given up: a turn may take 30 seconds. */
export const maxAttackMs = 35_000

const maxKept = 2 * 1024 * 1024

/** Sends a request on a connection of its own; never rejects. */
export function ask(address: string, asked: Asked): Promise<Got> {
  const { timeoutMs = maxAttackMs } = asked
  const { body, options } = optionsOf(asked)
  const since = performance.now()
  // One that announces its end is cut off while it still sends, and never sees its refusal.
  const agent = new Agent({ keepAlive: true })
  const answer = new Promise<Got>((resolve) => {
    const none = (error: unknown) =>
      resolve({ status: 0, bytes: 0, milliseconds: performance.now() - since, text: `${error}` })
    const outgoing = request(new URL(asked.path, address), { ...options, agent }, (response) => {
      const kept: Buffer[] = []
      let bytes = 0
      response.on("data", (chunk: Buffer) => {
        if (bytes < maxKept) kept.push(chunk)
        bytes += chunk.length
      })
      response.once("error", none)
      response.once("end", () => {
        const { statusCode: status = 0, headers } = response
        const text = Buffer.concat(kept).toString()
        const milliseconds = performance.now() - since
        const retryAfter = headers["retry-after"]
        resolve({ status, code: codeIn(text), bytes, milliseconds, text, retryAfter })
      })
    })
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`none within ${timeoutMs} ms`)),
      timeoutMs,
    )
    outgoing.once("close", () => clearTimeout(timer))
    outgoing.once("error", none)
    outgoing.end(body)
  })
  return answer.finally(() => agent.destroy())
}

function optionsOf(asked: Asked): { body: string | Buffer | undefined; options: RequestOptions } {
  const { method, headers = {}, token } = asked
  const isRaw = typeof asked.body === "string" || Buffer.isBuffer(asked.body)
  const body = asked.body === undefined || isRaw ? asked.body : JSON.stringify(asked.body)
  const options = {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      // A flood comes from everywhere.
      "x-forwarded-for": anyIp(),
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body as string)),
      }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
  } as const
  return { body: body as string | Buffer | undefined, options }
}

/** The outcome of an exchange of raw bytes. */
export type Spoken = Got & { socket: Socket }

/** How long to read, and whether the connection stays open then. */
type Patience = { forMs?: number; staysOpen?: boolean; until?: Promise<void> }

/**
 * Writes these bytes, reads for `forMs`, or until the other side ends or `until` has come, and
 * then closes the connection, unless it is to stay open; never rejects.
 */
export function speak(
  address: string,
  bytes: string | Buffer,
  { forMs = 1_000, staysOpen = false, until }: Patience = {},
): Promise<Spoken> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1")
  const since = performance.now()
  let text = ""
  let count = 0
  let why = "silence"
  socket.on("data", (chunk: Buffer) => {
    count += chunk.length
    if (text.length < maxKept) text += chunk.toString("latin1")
  })
  socket.on("error", (error) => {
    why = String(error)
  })
  socket.write(bytes)
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      if (!staysOpen) socket.destroy()
      const status = Number(/^HTTP\/1\.1 (?!100)(\d+)/m.exec(text)?.[1] ?? 0)
      const milliseconds = performance.now() - since
      const code = codeIn(text)
      resolve({ status, code, bytes: count, milliseconds, text: text || why, socket })
    }
    const timer = setTimeout(end, forMs)
    socket.once("close", end)
    void until?.then(end)
  })
}

/** A random address, most likely a new one. */
export function anyIp(): string {
  const part = () => 1 + Math.floor(Math.random() * 250)
  return `198.${part()}.${part()}.${part()}`
}

function codeIn(text: string): string | undefined {
  return /"reason":"([A-Z_]+)"/.exec(text)?.[1]
}
