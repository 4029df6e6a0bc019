/** Requests of drills, with a connection of their own or one that is kept. */
import { type Agent, type IncomingMessage, request } from "node:http"

/** How to send. */
export type Sent = {
  /** Absent: POST with a body, GET without. */
  method?: string
  body?: object
  token?: string
  /** Absent: a fresh connection, closed afterwards. */
  agent?: Agent
}

/** What came back, and how long it took from the beginning of the connection. */
export type Reply = { status: number; text: string; milliseconds: number }

const longestSilenceMs = 30_000

/** Sends one request and reads the whole answer; rejects when there is none. */
export function send(url: string, { body, token, agent, ...sent }: Sent = {}): Promise<Reply> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(text !== undefined && {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(text)),
    }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const method = sent.method ?? (text === undefined ? "GET" : "POST")
  const since = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: agent ?? false, method, headers }, (response) => {
      readText(response).then(
        (answer) =>
          resolve({
            status: response.statusCode ?? 0,
            text: answer,
            milliseconds: performance.now() - since,
          }),
        reject,
      )
    })
    outgoing.setTimeout(longestSilenceMs, () => outgoing.destroy(new Error("No answer in time")))
    outgoing.once("error", reject)
    outgoing.end(text)
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
