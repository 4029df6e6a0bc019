/** A server of attackers: it remembers what it is sent, and answers as nobody should. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"

/** A server that flows call. */
export type Upstream = {
  url: string
  /** Headers and bodies since it was asked last, the last million characters of them. */
  heard(): string
  close(): void
}

const maxHeard = 1_000_000

/** Starts one on a free port of this machine. */
export async function openUpstream(): Promise<Upstream> {
  let heard = ""
  const server = createServer((request, response) => {
    heard = `${heard}${JSON.stringify(request.headers)}`.slice(-maxHeard)
    request.on("data", (chunk: Buffer) => {
      heard = `${heard}${chunk}`.slice(-maxHeard)
    })
    request.on("error", () => {})
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    heard: () => {
      const all = heard
      heard = ""
      return all
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Answer = (response: ServerResponse, size: number) => void

const answers: Readonly<Record<string, Answer>> = {
  text: (response, size) => sendJson(response, { text: "x".repeat(size) }),
  markdown: (response, size) => sendJson(response, "*a* **b** ".repeat(size / 10)),
  packed: (response, size) => {
    response.setHeader("content-encoding", "gzip")
    response.end(gzipSync(Buffer.alloc(size, 32)))
  },
  endless: (response) => {
    const timer = setInterval(() => response.write(" ".repeat(10_000)), 10)
    response.once("close", () => clearInterval(timer))
  },
  around: (response) => response.writeHead(302, { location: "/around" }).end(),
  inside: (response) => response.writeHead(302, { location: "http://[::1]:22/" }).end(),
  deep: (response, size) => response.end("[".repeat(size) + "]".repeat(size)),
  members: (response, size) =>
    sendJson(response, Object.fromEntries(Array.from({ length: size }, (_, key) => [key, key]))),
  headers: (response, size) => {
    for (let index = 0; index < size; index++) response.setHeader(`x${index}`, "1")
    response.end("{}")
  },
  nonsense: (response) => response.socket?.end("\u0000\u0001 nonsense\r\n\r\n"),
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [, name = "", size = "0"] = (request.url ?? "/").split("/")
  const found = answers[name]
  if (found) found(response, Number(size))
  else sendJson(response, {})
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify(value))
}
