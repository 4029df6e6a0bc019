/** The listening server: addresses, time limits against slow clients, graceful shutdown. */
import { unlink } from "node:fs/promises"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { connect, type Socket } from "node:net"
import type { Dispatch } from "../dispatch.ts"
import { type Connections, trackConnections } from "./connections.ts"
import type { Sockets } from "./sockets.ts"
import { answerUnreadable } from "./unreadable.ts"
import { takeUpgrades } from "./upgrades.ts"

/** Where to listen, and how long clients may take. */
export type ListenOptions = {
  dispatch: Dispatch
  host: string
  /** 0 takes any free port. */
  port: number
  /** Path of a Unix socket, instead of host and port. */
  socketPath?: string | undefined
  limits?: Partial<TimeLimits>
  /** Accepts WebSockets; absent: they are ignored. */
  sockets?: Sockets | undefined
  /** Called when the deadline of a stop is near: ends answers that would go on for long. */
  abortStreams?: (() => void) | undefined
}

/** Time limits on clients. */
export type TimeLimits = {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number
  /** From the first byte of a request to the end of its body. */
  requestMs: number
  /** Idle time before a kept connection is closed; longer than that of usual load balancers. */
  keepAliveMs: number
  /** Silence on a connection, also while its request is being answered. */
  silenceMs: number
  /** Silence on a kept connection before a stop closes it. */
  lingerMs: number
}

/** A server that listens. */
export type Listener = {
  /** `http://host:port`, or the path of the socket. */
  address: string
  port: number | undefined
  /** True from the moment `stop` was called. */
  isStopping(): boolean
  /**
   * Accepts no more connections, finishes the requests on the open ones, then closes these. What is
   * not done after `deadlineMs` is cut off.
   */
  stop(deadlineMs: number): Promise<void>
}

const defaultLimits: TimeLimits = {
  headersMs: 15_000,
  requestMs: 60_000,
  keepAliveMs: 70_000,
  silenceMs: 300_000,
  lingerMs: 1_000,
}

/** Requests that a connection may send without awaiting answers: all are read in one go. */
const maxPipelined = 100

/** Shares of the time that a stop may take: the longest silence, and when streams are aborted. */
const lingerShare = 0.25
const abortShare = 0.8

/** Starts to listen. Rejects when the address is taken. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const running = new Map<Promise<void>, ServerResponse>()
  let isStopping = false
  const limits = { ...defaultLimits, ...options.limits }
  const server = createLimited(limits)
  const connections = trackConnections(server)
  /** Requests of each connection that are being answered. */
  const pipelined = new WeakMap<Socket, number>()
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const count = (pipelined.get(socket) ?? 0) + 1
    // The last one that is answered closes the connection.
    if (count > maxPipelined) return
    pipelined.set(socket, count)
    if (isStopping || count === maxPipelined) response.setHeader("connection", "close")
    const work = options.dispatch(request, response)
    running.set(work, response)
    void work.finally(() => {
      running.delete(work)
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1)
    })
  }
  // With a listener of its own, `Expect: 100-continue` is granted only where a body is wanted.
  server.on("request", onRequest).on("checkContinue", onRequest)
  answerUnreadable(server)
  const { sockets, abortStreams } = options
  if (sockets) takeUpgrades(server, sockets)
  await open(server, options)
  return {
    ...addressOf(server, options),
    isStopping: () => isStopping,
    stop: async (deadlineMs) => {
      isStopping = true
      for (const response of running.values()) {
        if (!response.headersSent) response.setHeader("connection", "close")
      }
      const { lingerMs } = limits
      const closing = close({ server, connections, running, lingerMs, abortStreams }, deadlineMs)
      await Promise.all([sockets?.close(), closing])
    },
  }
}

function createLimited(limits: TimeLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: Math.min(5_000, limits.headersMs),
  })
  server.setTimeout(limits.silenceMs)
  return server
}

async function open(server: Server, options: ListenOptions): Promise<void> {
  const { host, port, socketPath } = options
  try {
    await bind(server, socketPath === undefined ? { host, port } : { path: socketPath })
  } catch (error) {
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    if (!isTaken || socketPath === undefined || (await isAnswered(socketPath))) throw error
    // Left over from a process that was killed.
    await unlink(socketPath)
    await bind(server, { path: socketPath })
  }
}

function bind(server: Server, target: { host: string; port: number } | { path: string }) {
  return new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(target, () => {
      server.off("error", reject)
      resolve()
    })
  })
}

function isAnswered(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })
}

function addressOf(server: Server, options: ListenOptions): Pick<Listener, "address" | "port"> {
  const bound = server.address()
  if (bound === null || typeof bound === "string") {
    return { address: options.socketPath ?? options.host, port: undefined }
  }
  const host = bound.family === "IPv6" ? `[${bound.address}]` : bound.address
  return { address: `http://${host}:${bound.port}`, port: bound.port }
}

type Closing = Pick<ListenOptions, "abortStreams"> &
  Pick<TimeLimits, "lingerMs"> & {
    server: Server
    connections: Connections
    running: ReadonlyMap<Promise<void>, ServerResponse>
  }

async function close(closing: Closing, deadlineMs: number): Promise<void> {
  const { server, connections, running, lingerMs, abortStreams } = closing
  const closed = connections.drain(Math.min(lingerMs, deadlineMs * lingerShare))
  const finished = async () => {
    await closed
    // A turn is finished even when its client has left: it was accepted.
    await Promise.all(running.keys())
  }
  const aborting = setTimeout(() => abortStreams?.(), deadlineMs * abortShare)
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs)
  })
  await Promise.race([finished(), deadline])
  clearTimeout(aborting)
  clearTimeout(timer)
  server.closeAllConnections()
  await closed
  // All that is left is the timer that checks the time limits.
  server.close()
}
