/** Leads WebSockets to their place; offers of other protocols are declined by ignoring them. */
import type { Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type { Sockets, Upgrade } from "./sockets.ts"

/** Lets a server take WebSockets. */
export function takeUpgrades(server: Server, sockets: Pick<Sockets, "accept">): void {
  const answering = new WeakMap<Duplex, ServerResponse>()
  const note = ({ socket }: { socket: Duplex }, response: ServerResponse) => {
    answering.set(socket, response)
  }
  server.prependListener("request", note).prependListener("checkContinue", note)
  server.on("upgrade", (request, socket, head) => {
    const upgrade = { request, socket, head }
    const earlier = answering.get(socket)
    if (request.headers.upgrade?.toLowerCase() === "websocket") sockets.accept(upgrade)
    else if (!earlier || earlier.closed) goOnPlainly(server, upgrade)
    else goOnAfter(earlier, server, upgrade)
  })
}

/** Announced again, a connection forgets whose turn it is to be answered. */
function goOnAfter(earlier: ServerResponse, server: Server, upgrade: Upgrade): void {
  const { socket } = upgrade
  // Between two parsers nobody listens, and an error that nobody hears ends the process.
  const cut = () => socket.destroy()
  socket.on("error", cut)
  earlier.once("close", () => {
    socket.off("error", cut)
    goOnPlainly(server, upgrade)
  })
}

const offers = new Set(["connection", "upgrade", "http2-settings"])

/**
 * Reads the request again without the offer, as RFC 9110, 7.8 allows: clients that would like to
 * speak HTTP/2 in the clear send one with ordinary requests, and node:http takes no notice of the
 * body once it has told of it.
 */
function goOnPlainly(server: Server, { request, socket, head }: Upgrade): void {
  if (socket.destroyed) return
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (!offers.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]))
  server.emit("connection", socket)
}
