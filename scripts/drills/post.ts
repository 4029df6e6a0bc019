/** Requests of drills, with a connection of their own or one that is kept. */
import { type Agent, type IncomingMessage, request } from "node:http"

/** How to send. */
export type Sent = {
  /** Absent: POST with a body, GET without. */
  method?: string
  /** Objects are sent as JSON, anything else as it is. */
  body?: object | string | Buffer | undefined
  headers?: Record<string, string>
  token?: string
  /** Absent: a fresh connection, closed afterwards. */
  agent?: Agent
}

/** What came back, and how long it took from the beginning of the connection. */
export type Reply = { status: number; contentType: string; text: string; milliseconds: number }

const maxSilenceMs = 30_000

/** Sends one request and reads the whole answer; rejects when there is none. */
export function send(url: string, sent: Sent = {}): Promise<Reply> {
  const { agent = false, token } = sent
  const body = bytesOf(sent.body)
  const headers = {
    ...(body !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
    }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...sent.headers,
  }
  const method = sent.method ?? (body === undefined ? "GET" : "POST")
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, method, headers }, (response) => {
      readText(response).then((text) => {
        const { statusCode: status = 0, headers: got } = response
        const milliseconds = performance.now() - since
        resolve({ status, contentType: got["content-type"] ?? "", text, milliseconds })
      }, reject)
    })
    outgoing.setTimeout(maxSilenceMs, () => outgoing.destroy(new Error("No answer in time")))
    outgoing.once("error", reject)
    outgoing.end(body)
  })
}

function bytesOf(body: Sent["body"]): string | Buffer | undefined {
  const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body)
  return isRaw ? body : JSON.stringify(body)
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
