/** Servers that flows must not reach, and servers in front that lead there. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net"
import { whenOver } from "../support/whenOver.ts"

/** A server on the loopback interface and the requests that reached it. */
export type House = { port: number; requests: IncomingMessage[]; server: Server }

/** Opens a house for the tests of a file. */
export async function openHouse(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<House> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  whenOver(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests, server }
}

/** Answers what the query asks for: `?status=302&to=...`, else what it was asked. */
export function leadOn(request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? "", "http://front")
  const to = searchParams.get("to")
  const chunks: Buffer[] = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { method, url, headers } = request
    const status = Number(searchParams.get("status") ?? 302)
    if (to !== null) response.writeHead(status, { location: asBytes(to) }).end()
    else response.end(JSON.stringify({ method, url, headers, body: String(Buffer.concat(chunks)) }))
  })
}

const asBytes = (text: string) => Buffer.from(text).toString("latin1")

/** A proxy that tunnels: what it was told to connect to, and with which login. */
export async function openTunnel(): Promise<{
  port: number
  asked: { target: string; login: string | undefined }[]
}> {
  const asked: { target: string; login: string | undefined }[] = []
  const house = await openHouse((_request, response) => response.writeHead(501).end())
  house.server.on("connect", (request: IncomingMessage, socket) => {
    const target = request.url ?? ""
    asked.push({ target, login: request.headers["proxy-authorization"] })
    const [host = "", port = ""] = target.split(":")
    const upstream = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      upstream.pipe(socket)
      socket.pipe(upstream)
    })
    upstream.on("error", () => socket.destroy())
    socket.on("error", () => upstream.destroy())
  })
  return { port: house.port, asked }
}

/** A server that only listens: the first bytes of each connection, then it hangs up. */
export async function openEar(): Promise<{ port: number; heard: string[] }> {
  const heard: string[] = []
  const server = createTcpServer((socket) => {
    socket.on("error", () => {})
    socket.once("data", (bytes) => {
      heard.push(bytes.toString("latin1"))
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  whenOver(() => void server.close())
  return { port: (server.address() as AddressInfo).port, heard }
}
