/** Limits connections that stay open, so that no address takes them all. */
import { tooManyRequests } from "../../shared/errors.ts"

/** Counts a connection of an address, or refuses it with 429. Returns the function that releases it. */
export type ConnectionCap = (ip: string) => () => void

/** Most connections that may be open. */
export type ConnectionLimits = { perAddress: number; inAll: number }

const defaultLimits: ConnectionLimits = { perAddress: 500, inAll: 20_000 }

/** The cap of one process. */
export function createConnectionCap(limits: Partial<ConnectionLimits> = {}): ConnectionCap {
  const { perAddress, inAll } = { ...defaultLimits, ...limits }
  const open = new Map<string, number>()
  let all = 0
  return (ip) => {
    const own = open.get(ip) ?? 0
    if (own >= perAddress || all >= inAll) throw tooManyRequests(10)
    open.set(ip, own + 1)
    all += 1
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      all -= 1
      const left = (open.get(ip) ?? 1) - 1
      if (left > 0) open.set(ip, left)
      else open.delete(ip)
    }
  }
}
