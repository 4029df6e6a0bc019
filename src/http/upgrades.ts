/** Leads WebSockets to their place; offers of other protocols are declined by ignoring them. */
import type { Server } from "node:http"
import type { Sockets, Upgrade } from "./sockets.ts"

/** Lets a server take WebSockets. */
export function takeUpgrades(server: Server, sockets: Pick<Sockets, "accept">): void {
  server.on("upgrade", (request, socket, head) => {
    const upgrade = { request, socket, head }
    if (request.headers.upgrade?.toLowerCase() === "websocket") sockets.accept(upgrade)
    else goOnPlainly(server, upgrade)
  })
}

const offers = new Set(["connection", "upgrade", "http2-settings"])

/**
 * Reads the request again without the offer, as RFC 9110, 7.8 allows: clients that would like to
 * speak HTTP/2 in the clear send one with ordinary requests, and node:http takes no notice of the
 * body once it has told of it.
 */
function goOnPlainly(server: Server, { request, socket, head }: Upgrade): void {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ""
    if (!offers.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]))
  server.emit("connection", socket)
}
