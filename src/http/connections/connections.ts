/** Closes the connections of a server that stops, but never during a request. */
import type { Server } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"

/** The connections of a server. */
export type Connections = {
  /**
   * Accepts no new ones, and closes each of the others once it has been silent for `lingerMs`, so
   * that requests in transit are still read. Resolves when all are closed.
   */
  drain(lingerMs: number): Promise<void>
}

/** Tracks a server's connections; to be called before `takeUpgrades`. */
export function trackConnections(server: Server): Connections {
  const open = new Set<Socket>()
  /** How many requests of a connection are being answered. */
  const waiting = new WeakMap<Duplex, number>()
  let endWhenSilent: ((socket: Socket) => void) | undefined

  /** A connection whose upgrade was declined is announced again, and must not be watched twice. */
  const watched = new WeakSet<Socket>()
  server.on("connection", (socket: Socket) => {
    open.add(socket)
    if (watched.has(socket)) return
    watched.add(socket)
    socket.once("close", () => open.delete(socket))
  })
  // Sockets close their connections themselves.
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
      // http.Server.close (Node 19 and later) first destroys all idle connections, also those whose
      // next request has arrived but was not read yet.
      return new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    },
  }
}
