/** Dispatches the requests of a server's connections, and closes these at the end, never mid-request. */
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { Dispatch } from "../dispatch.ts"

export type Connections = ReturnType<typeof openConnections>

/** Max pipelined requests per connection: all are read in one go. */
const maxPipelined = 100

export function openConnections(server: Server, dispatch: Dispatch) {
  const open = new Set<Socket>()
  /** The unfinished responses of each connection, in order. */
  const pending = new WeakMap<Duplex, ServerResponse[]>()
  let running = 0
  const settled: (() => void)[] = []
  let endWhenSilent: ((socket: Socket) => void) | undefined

  server.on("connection", (socket: Socket) => {
    // A connection whose upgrade was declined is announced again.
    if (open.has(socket)) return
    open.add(socket)
    socket.once("close", () => {
      open.delete(socket)
      closeAll(pending.get(socket) ?? [])
    })
  })
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const responses = pending.get(socket) ?? []
    // The last response closes the connection; later requests are not answered.
    if (responses.length === maxPipelined) return
    pending.set(socket, responses)
    responses.push(response)
    response.once("close", () => {
      responses.splice(responses.indexOf(response), 1)
      endWhenSilent?.(socket)
    })
    const isLast = endWhenSilent !== undefined || responses.length === maxPipelined
    if (isLast) response.setHeader("connection", "close")
    running += 1
    void dispatch(request, response).finally(() => {
      running -= 1
      if (running === 0) for (const resolve of settled.splice(0)) resolve()
    })
  }
  // With this listener, `Expect: 100-continue` is granted only where a body is wanted.
  server.on("request", onRequest).on("checkContinue", onRequest)

  const responsesOn = (connection: Duplex): readonly ServerResponse[] =>
    pending.get(connection) ?? []
  return {
    /** Returns the response to the last request of a connection, unless it is complete. */
    responseOn: (connection: Duplex) => responsesOn(connection).at(-1),
    /** Forgets a connection that speaks another protocol from now on. */
    release: (connection: Duplex) => void open.delete(connection as Socket),
    /** True from the moment `drain` was called. */
    isDraining: () => endWhenSilent !== undefined,
    /**
     * Accepts no new connections, and closes each open one after a silence of `lingerMs`, so that requests
     * in transit are still read. Resolves when all are closed.
     */
    drain(lingerMs: number) {
      const isIdle = (socket: Socket) => open.has(socket) && responsesOn(socket).length === 0
      endWhenSilent = (socket) => endAfterSilence(socket, lingerMs, isIdle)
      for (const response of [...open].flatMap(responsesOn)) {
        if (!response.headersSent) response.setHeader("connection", "close")
      }
      for (const socket of open) endWhenSilent(socket)
      // http.Server.close (Node 19 and later) first destroys all idle connections, even those whose next
      // request has arrived but has not been read.
      return new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    },
    /** Resolves when all requests are done, including those of clients that have left. */
    settle: () =>
      new Promise<void>((resolve) => {
        if (running === 0) resolve()
        else settled.push(resolve)
      }),
  }
}

/**
 * Says of each response to a connection that is gone that it is closed, too: node:http does so for the one
 * that it is writing, and forgets those that wait behind it.
 */
function closeAll(responses: readonly ServerResponse[]): void {
  for (const response of [...responses]) {
    response.destroy()
    response.emit("close")
  }
}

/** Ends a connection after a silence of `lingerMs`, unless a request is being answered by then. */
function endAfterSilence(
  socket: Socket,
  lingerMs: number,
  isIdle: (socket: Socket) => boolean,
): void {
  const { bytesRead } = socket
  setTimeout(() => {
    if (!isIdle(socket)) return
    if (socket.bytesRead > bytesRead) endAfterSilence(socket, lingerMs, isIdle)
    else socket.destroySoon()
  }, lingerMs)
}
