/** Connections that do little: idle ones, and those of clients that never come to the point. */
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

/** What the members of a crowd do. */
export type Habit = {
  /** What each sends first. */
  begin: string
  /** What each sends again and again afterwards; absent: nothing. */
  drip?: string
  /** Time between two drips, in milliseconds. */
  everyMs?: number
}

/** So many connections of one habit; whoever is cut off comes back. */
export type Crowd = {
  /** How many are connected now. */
  open(): number
  /** How many were ended by the server so far. */
  ended(): number
  /** Those among them that were told why, with status 408. */
  told(): number
  /** Longest time that a connection has lived, in seconds. */
  longestSeconds(): number
  close(): void
}

const batchSize = 50
const batchPauseMs = 20
const comeBackMs = 250

/** Opens a crowd, a few at a time; resolves when all are connected. */
export async function openCrowd(address: string, size: number, habit: Habit): Promise<Crowd> {
  const port = Number(new URL(address).port)
  const counts = { ended: 0, told: 0, longestMs: 0 }
  const members = new Map<Socket, number>()
  let isClosed = false

  const join = () => {
    if (isClosed) return
    const socket = connect(port, "127.0.0.1")
    let timer: NodeJS.Timeout | undefined
    let wasTold = false
    socket.once("connect", () => {
      members.set(socket, performance.now())
      socket.write(habit.begin)
      const { drip, everyMs } = habit
      if (drip !== undefined) timer = setInterval(() => socket.write(drip), everyMs)
    })
    socket.on("data", (data) => {
      wasTold ||= data.includes("HTTP/1.1 408 ")
    })
    // The server ends its side: so does the client.
    socket.once("end", () => socket.destroy())
    socket.on("error", () => {})
    socket.once("close", () => {
      clearInterval(timer)
      const since = members.get(socket)
      members.delete(socket)
      if (isClosed) return
      if (since !== undefined) counts.longestMs = Math.max(counts.longestMs, agedMs(since))
      counts.ended += 1
      if (wasTold) counts.told += 1
      setTimeout(join, comeBackMs)
    })
  }

  for (let opened = 0; opened < size; opened++) {
    if (opened % batchSize === batchSize - 1) await sleep(batchPauseMs)
    join()
  }
  while (members.size < size) await sleep(20)
  return {
    open: () => members.size,
    ended: () => counts.ended,
    told: () => counts.told,
    longestSeconds: () => Math.max(counts.longestMs, ...[...members.values()].map(agedMs)) / 1_000,
    close() {
      isClosed = true
      for (const socket of members.keys()) socket.destroy()
    },
  }
}

function agedMs(since: number): number {
  return performance.now() - since
}
