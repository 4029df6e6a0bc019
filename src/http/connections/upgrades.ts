/** Hands WebSockets over; declines offers of other protocols by ignoring them. */
import type { Server, ServerResponse } from "node:http"
import type { Connections } from "./connections.ts"
import type { Sockets, Upgrade } from "./sockets.ts"

/** Makes a server accept WebSockets. */
export function takeUpgrades(
  server: Server,
  connections: Connections,
  sockets: Pick<Sockets, "accept">,
): void {
  server.on("upgrade", (request, socket, head) => {
    const upgrade = { request, socket, head }
    const earlier = connections.responseOn(socket)
    if (request.headers.upgrade?.toLowerCase() === "websocket") {
      // Sockets close their connections themselves.
      connections.release(socket)
      sockets.accept(upgrade)
    } else if (earlier) replayAfter(earlier, server, upgrade)
    else replayPlainly(server, upgrade)
  })
}

/** Waits for the earlier answer: a connection announced again loses its pending answers. */
function replayAfter(earlier: ServerResponse, server: Server, upgrade: Upgrade): void {
  const { socket } = upgrade
  // Between two parsers the socket has no error listener, and an unhandled error ends the process.
  const destroy = () => socket.destroy()
  socket.on("error", destroy)
  earlier.once("close", () => {
    // Later, so that further offers queued on this connection do not keep others waiting.
    setImmediate(() => {
      socket.off("error", destroy)
      replayPlainly(server, upgrade)
    })
  })
}

const offers = new Set(["connection", "upgrade", "http2-settings"])

/**
 * Reads the request again without the offer, as RFC 9110, 7.8 allows. Clients that support cleartext
 * HTTP/2 make such an offer with ordinary requests, and node:http does not read the body of a request
 * once it has emitted `upgrade`.
 */
function replayPlainly(server: Server, { request, socket, head }: Upgrade): void {
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
