/** Limits the memory that waiting scripts hold, alone and together. */

const megabyte = 1024 * 1024

/** Bytes that any script may hold while it waits, and its machine after it; one with more is hungry. */
export const modestBytes = 32 * megabyte

/** The failure of a script that ran out of memory. */
export const tookTooMuch = "The script used too much memory"

/** Counts the bytes that hungry scripts hold while they wait. */
export type Memory = {
  /** Sets what a holder holds. Returns false when all would hold too much together. */
  hold(holder: object, bytes: number): boolean
  /** Forgets a holder. */
  release(holder: object): void
}

/** Opens a count with a limit for all hungry scripts together. */
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
