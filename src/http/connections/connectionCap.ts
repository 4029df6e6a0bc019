/** Counts connections that stay open, so that no address takes them all. */
import { tooManyRequests } from "../../shared/errors.ts"

/** Counts a connection of an address; refuses with 429 when there are too many. Returns what ends it. */
export type ConnectionCap = (ip: string) => () => void

/** Most connections that stay open. */
export type ConnectionLimits = { perAddress: number; inAll: number }

const defaultLimits: ConnectionLimits = { perAddress: 500, inAll: 20_000 }

/** Makes the count of one process. */
export function createConnectionCap(limits: Partial<ConnectionLimits> = {}): ConnectionCap {
  const { perAddress, inAll } = { ...defaultLimits, ...limits }
  const open = new Map<string, number>()
  let all = 0
  return (ip) => {
    const own = open.get(ip) ?? 0
    if (own >= perAddress || all >= inAll) throw tooManyRequests(10)
    open.set(ip, own + 1)
    all += 1
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      all -= 1
      const left = (open.get(ip) ?? 1) - 1
      if (left > 0) open.set(ip, left)
      else open.delete(ip)
    }
  }
}
