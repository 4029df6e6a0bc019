/** How much memory scripts hold, alone and together. */

const megabyte = 1024 * 1024

/** Bytes that any script may hold while it waits, and its machine after it; what has more is hungry. */
export const modestBytes = 32 * megabyte

/** What is said of a script that wanted more than there is for it. */
export const tookTooMuch = "The script used too much memory"

/** Counts what hungry scripts hold while they wait for answers. */
export type Memory = {
  /** Notes what somebody holds now; false: together they would hold too much. */
  hold(holder: object, bytes: number): boolean
  /** Forgets somebody. */
  release(holder: object): void
}

/** Opens a count; hungry scripts together never hold more bytes than that. */
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
