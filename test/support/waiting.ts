/**
 * Waiting in tests, the only file in which time passes; and clients that wait for calls from outside:
 * by events and by WebSocket.
 */
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { onTestFinished, vi } from "vitest"
import { WebSocket } from "ws"
import { maxMs, patiently } from "./patience.ts"

/** Waits until expectations hold. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, patiently)

/** Waits until something holds, as long as that takes on a machine that is busy with other work. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + maxMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It never came about: ${holds}`)
    await sleep(5)
  }
}

/** Whether there is no such process any more. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

/** Waits until a process is gone. */
export const untilGone = (pid: number): Promise<void> => until(() => isGone(pid))

/** Something that a test lets happen when it wants to. */
export function openLatch(): { isOpen: Promise<void>; open: () => void } {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return { isOpen, open: () => open() }
}

/** An event as it was sent. */
export type HeardEvent = { id: string; data: string }

/** A client of the events of one session. */
export type Waiter = {
  status: number
  headers: Headers
  /** The event, once the stream has ended; undefined: it ended without one. */
  event: Promise<HeardEvent | undefined>
  /** Goes away. */
  leave(): void
}

/** Connects to the events of a session; resolves once the headers have arrived. */
export async function waitForEvent(
  address: string,
  sessionId: string,
  headers: Record<string, string> = {},
): Promise<Waiter> {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const { signal } = controller
  const path = `/api/v1/sessions/${sessionId}/events`
  const response = await fetch(address + path, { headers, signal })
  const event = response.text().then(parseEvent, () => undefined)
  const leave = () => controller.abort()
  return { status: response.status, headers: response.headers, event, leave }
}

function parseEvent(text: string): HeardEvent | undefined {
  const fields = /^id: (.*)\ndata: (.*)\n\n$/m.exec(text)
  return fields ? { id: fields[1] ?? "", data: fields[2] ?? "" } : undefined
}

/** A client of a room. */
export type RoomClient = {
  socket: WebSocket
  /** What it heard so far. */
  heard: string[]
  /** Resolves with the close code. */
  closed: Promise<number>
}

/** Joins a room over a WebSocket; resolves once it is open, rejects with the refused status. */
export async function joinRoom(
  address: string,
  room: string,
  headers: Record<string, string> = {},
): Promise<RoomClient> {
  const url = `${address.replace("http", "ws")}/parties/main/${room}/webhooks`
  const socket = new WebSocket(url, { headers })
  onTestFinished(() => socket.terminate())
  const heard: string[] = []
  socket.on("message", (data) => heard.push(String(data)))
  const closed = once(socket, "close").then(([code]) => Number(code))
  closed.catch(() => {})
  await once(socket, "open")
  return { socket, heard, closed }
}
