/** Listens: addresses, time limits against slow clients, graceful shutdown. */
import { once } from "node:events"
import { stat, unlink } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { connect } from "node:net"
import type { Dispatch } from "../dispatch.ts"
import { type Connections, openConnections } from "./connections.ts"
import type { Sockets } from "./sockets.ts"
import { answerUnreadable } from "./unreadable.ts"
import { takeUpgrades } from "./upgrades.ts"

/** Where to listen, and how long clients may take. */
type ListenOptions = {
  dispatch: Dispatch
  host: string
  /** 0: any free port. */
  port: number
  /** Path of a Unix socket, instead of host and port. */
  socketPath?: string | undefined
  limits?: Partial<TimeLimits>
  /** Accepts WebSockets; absent: they are ignored. */
  sockets?: Sockets | undefined
  /** Called near the deadline of a stop, to end long answers. */
  abortStreams?: (() => void) | undefined
}

export type TimeLimits = {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number
  /** From the first byte of a request to the end of its body. */
  requestMs: number
  /** Idle time before a kept-alive connection is closed; longer than that of common load balancers. */
  keepAliveMs: number
  /** Silence on a connection, even while its request is being answered. */
  silenceMs: number
  /** Silence on a kept-alive connection before a stop closes it. */
  lingerMs: number
}

export type Listener = {
  /** `http://host:port`, or the path of the socket. */
  address: string
  port: number | undefined
  /** True from the moment `stop` was called. */
  isStopping(): boolean
  /**
   * Accepts no more connections, finishes the requests on the open ones, then closes those. What is not
   * done after `deadlineMs` is cut off.
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

/**
 * Time for the body of a request where uploads have so many megabytes at most. Five minutes after the address of an
 * upload has expired, none may be under way.
 */
export function requestMsFor(maxUpload: number): number {
  return Math.min(Math.max(60, 6 * maxUpload), 300) * 1_000
}

/** Shares of a stop's deadline: the longest silence to wait for, and when streams are aborted. */
const lingerShare = 0.25
const abortShare = 0.8

/** Starts to listen. Rejects when the address is taken. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { dispatch, sockets, abortStreams } = options
  const limits = { ...defaultLimits, ...options.limits }
  const server = createLimited(limits)
  const connections = openConnections(server, dispatch)
  answerUnreadable(server, connections)
  if (sockets) takeUpgrades(server, connections, sockets)
  await open(server, options)
  return {
    ...addressOf(server, options),
    isStopping: connections.isDraining,
    stop: async (deadlineMs) => {
      const { lingerMs } = limits
      const closing = close({ server, connections, lingerMs, abortStreams }, deadlineMs)
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
    if (!isTaken || socketPath === undefined) throw error
    await deleteStaleSocket(socketPath)
    await bind(server, { path: socketPath })
  }
}

async function bind(server: Server, target: { host: string; port: number } | { path: string }) {
  server.listen(target)
  try {
    // Rejects with the error event of the server instead.
    await once(server, "listening")
  } catch (error) {
    // The resolver reports a host that is not found, as for the database.
    const isHost = error instanceof Error && "hostname" in error
    throw isHost ? Object.assign(error, { syscall: "listen", address: error.hostname }) : error
  }
}

/** Deletes the socket of a killed process; one with a listener stays. */
export async function deleteStaleSocket(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isSocket() && !(await isAnswered(path))) await unlink(path)
}

async function isAnswered(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath)
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
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
  Pick<TimeLimits, "lingerMs"> & { server: Server; connections: Connections }

async function close(closing: Closing, deadlineMs: number): Promise<void> {
  const { server, connections, lingerMs, abortStreams } = closing
  const closed = connections.drain(Math.min(lingerMs, deadlineMs * lingerShare))
  // A turn is finished even when its client has left: it was accepted.
  const finished = closed.then(() => connections.settle())
  const aborting = setTimeout(() => abortStreams?.(), deadlineMs * abortShare)
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs)
  })
  await Promise.race([finished, deadline])
  clearTimeout(aborting)
  clearTimeout(timer)
  server.closeAllConnections()
  await closed
  // This stops the timer that checks the time limits.
  server.close()
}
