/** Ends the connections of a server that stops, none of them while it carries a request. */
import type { Server } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"

/** The connections of a server. */
export type Connections = {
  /**
   * Takes no new ones, and ends each of the others once it has been silent for `lingerMs`, so that
   * requests which are under way are still read. Resolves when all are gone.
   */
  drain(lingerMs: number): Promise<void>
}

/** Begins to keep account of a server's connections; to be called before it takes upgrades. */
export function trackConnections(server: Server): Connections {
  const open = new Set<Socket>()
  /** How many requests wait for the end of their answer. */
  const waiting = new WeakMap<Duplex, number>()
  let endWhenSilent: ((socket: Socket) => void) | undefined

  /** One that goes on plainly after an offer is announced again, and must not be watched twice. */
  const watched = new WeakSet<Socket>()
  server.on("connection", (socket: Socket) => {
    open.add(socket)
    if (watched.has(socket)) return
    watched.add(socket)
    socket.once("close", () => open.delete(socket))
  })
  // Whoever takes the other protocol ends the connection.
  server.on("upgrade", (_request, socket: Duplex) => open.delete(socket as Socket))
  const count: Parameters<Server["prependListener"]>[1] = ({ socket }, response) => {
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
    response.once("close", () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1)
      endWhenSilent?.(socket)
    })
  }
  server.prependListener("request", count).prependListener("checkContinue", count)

  return {
    drain(lingerMs) {
      const isCarrying = (socket: Socket) => (waiting.get(socket) ?? 0) > 0
      endWhenSilent = (socket) => {
        const { bytesRead } = socket
        setTimeout(() => {
          if (!open.has(socket) || isCarrying(socket)) return
          if (socket.bytesRead > bytesRead) endWhenSilent?.(socket)
          else socket.destroySoon()
        }, lingerMs)
      }
      for (const socket of open) endWhenSilent(socket)
      // The close of http.Server (Node 19 and later) first cuts all connections between two requests,
      // also those whose next request has arrived and was not read yet.
      return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    },
  }
}
