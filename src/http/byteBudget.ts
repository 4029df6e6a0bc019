/** Bounds memory that callers make a process hold: of one address, and of all together. */
import { networkOf } from "../lib/party.ts"

/** How much there is, and which part of it one address, or IPv6 network, may hold. */
type Bounds = {
  maxBytes: number
  /** One address holds at most this part: 4 for a quarter. */
  shares: number
  /** The error for a caller who wants more, or for one of too many callers. */
  refuse(isShareUsed: boolean): Error
}

export type ByteBudget = Readonly<ReturnType<typeof createByteBudget>>

export function createByteBudget({ maxBytes, shares, refuse }: Bounds) {
  const shareBytes = Math.floor(maxBytes / shares)
  const heldByCaller = new Map<string, number>()
  const budget = {
    /** How much is held; while that is nothing, there is room for all. */
    heldBytes: 0,
    /** Throws unless an address may hold this many more bytes; without a number: any. */
    requireRoom(ip: string, bytes = 1) {
      const held = (heldByCaller.get(networkOf(ip)) ?? 0) + bytes
      const isShareUsed = held > shareBytes
      const free = maxBytes - budget.heldBytes
      // Each reservation leaves as much, and three times what the caller holds: many callers leave some, too.
      const isLeft = 2 * bytes <= free && (held <= bytes || 3 * held <= free - bytes)
      if (isShareUsed || !isLeft) throw refuse(isShareUsed)
    },
    /** Counts bytes that an address holds, however many; a negative number gives back. */
    add(ip: string, bytes: number) {
      const caller = networkOf(ip)
      const held = (heldByCaller.get(caller) ?? 0) + bytes
      budget.heldBytes += bytes
      if (held > 0) heldByCaller.set(caller, held)
      else heldByCaller.delete(caller)
    },
  }
  return budget
}
