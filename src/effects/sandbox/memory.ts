/** Limits the memory that all waiting scripts hold together. */
import type { Party } from "../../lib/party.ts"

const megabyte = 1024 * 1024

/** Bytes that every script may hold while it waits, and its machine afterwards. One with more is hungry. */
export const modestBytes = 32 * megabyte

/** The failure of a script that ran out of memory. */
export const tookTooMuch = "The script used too much memory"

export type Memory = ReturnType<typeof openMemory>

/** Counts the bytes that hungry scripts hold while they wait, with a limit for all together. */
export function openMemory(maxHungryBytes: number) {
  const held = new Map<object, { owner: string; bytes: number }>()
  const sumOf = (all: readonly { bytes: number }[]) =>
    all.reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    /** Sets the bytes of a holder. Returns false if all, or those of its owner, would hold too much together. */
    hold(holder: object, { owner }: Party, wants: number) {
      held.delete(holder)
      if (wants <= modestBytes) return true
      const others = [...held.values()]
      const free = maxHungryBytes - sumOf(others)
      const own = sumOf(others.filter((each) => each.owner === owner))
      // With a further script, an owner leaves as much for others as it takes.
      if ((own > 0 ? 2 * wants : wants) > free) return false
      held.set(holder, { owner, bytes: wants })
      return true
    },
    /** Forgets a holder. */
    release: (holder: object) => void held.delete(holder),
  }
}
