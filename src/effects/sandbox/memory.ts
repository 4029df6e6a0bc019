/** Limits the memory that all waiting scripts hold together. */

const megabyte = 1024 * 1024

/** Bytes that every script may hold while it waits, and its machine afterwards. One with more is hungry. */
export const modestBytes = 32 * megabyte

/** The failure of a script that ran out of memory. */
export const tookTooMuch = "The script used too much memory"

/** Counts the bytes that hungry scripts hold while they wait. */
export type Memory = {
  /** Sets the bytes of a holder. Returns false if all would hold too much together. */
  hold(holder: object, bytes: number): boolean
  /** Forgets a holder. */
  release(holder: object): void
}

/** Opens the count, with a limit for all hungry scripts together. */
export function openMemory(maxHungryBytes: number): Memory {
  const held = new Map<object, number>()
  return {
    hold(holder, bytes) {
      held.delete(holder)
      if (bytes <= modestBytes) return true
      const others = [...held.values()].reduce((sum, each) => sum + each, 0)
      if (others + bytes > maxHungryBytes) return false
      held.set(holder, bytes)
      return true
    },
    release: (holder) => void held.delete(holder),
  }
}
