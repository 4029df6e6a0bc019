/** Puts load on a server over bare sockets, so cheaply that the server is what limits it. */
import { connect, type Socket } from "node:net"
import { cpuMicrosOf, type Measured } from "./load.ts"

/** The same request over and over, on so many connections. */
export type SocketLoad = {
  /** `http://host:port`. */
  address: string
  path: string
  body: unknown
  connections: number
  durationMs: number
  /** Process whose CPU time is measured. */
  pid: number
}

/** Runs one stretch of load; each connection asks again when it has its answer. */
export async function putSocketLoad(load: SocketLoad): Promise<Measured> {
  const { hostname, port } = new URL(load.address)
  const message = messageOf(load)
  const sockets = await Promise.all(
    Array.from({ length: load.connections }, () => open(Number(port), hostname)),
  )
  const latencies: number[] = []
  let errors = 0
  const before = await cpuMicrosOf(load.pid)
  const started = performance.now()
  const end = started + load.durationMs
  const note = (latencyMs: number, isOk: boolean) => {
    latencies.push(latencyMs)
    if (!isOk) errors++
    return performance.now() < end
  }
  await Promise.all(sockets.map((socket) => live(socket, message, note)))
  const seconds = (performance.now() - started) / 1_000
  const cpu = (await cpuMicrosOf(load.pid)) - before
  for (const socket of sockets) socket.destroy()
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMicros: cpu / latencies.length,
    errors,
  }
}

function messageOf({ address, path, body }: SocketLoad): Buffer {
  const text = JSON.stringify(body)
  const lines = [
    `POST ${path} HTTP/1.1`,
    `host: ${new URL(address).host}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`)
}

function open(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => resolve(socket))
    socket.once("error", reject)
  })
}

/** Asks until `note` has enough. */
function live(
  socket: Socket,
  message: Buffer,
  note: (latencyMs: number, isOk: boolean) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = ""
    let sent = performance.now()
    socket.once("close", () => reject(new Error("The server closed a connection")))
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1")
      if (!isWhole(received)) return
      const isOk = received.startsWith("HTTP/1.1 200 ")
      received = ""
      const now = performance.now()
      if (!note(now - sent, isOk)) {
        socket.removeAllListeners("close")
        resolve()
        return
      }
      sent = now
      socket.write(message)
    })
    socket.write(message)
  })
}

/** Whether an answer is there to its last byte: by its length, or by its last chunk. */
function isWhole(received: string): boolean {
  const headEnd = received.indexOf("\r\n\r\n")
  if (headEnd === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1]
  if (length === undefined) return received.endsWith("\r\n0\r\n\r\n")
  return received.length >= headEnd + 4 + Number(length)
}
