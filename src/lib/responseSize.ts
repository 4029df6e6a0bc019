/** Limits the size of one response: a list ends where it would be larger, and says so. */

/** About how many bytes the entries of a response take, and the rows behind them. */
export const maxBytes = 16_000_000

/**
 * The first entries that fit into a response. The very first always fits, so that every page leads on.
 */
export function fitting<Entry>(entries: readonly Entry[], most = maxBytes): Entry[] {
  const room = createRoom(most)
  const end = entries.findIndex((entry, place) => !room.takes(entry) && place > 0)
  return end < 0 ? [...entries] : entries.slice(0, end)
}

/** Room for parts of an answer that are made one after the other. */
export type Room = ReturnType<typeof createRoom>

export function createRoom(most = maxBytes) {
  let left = most
  return {
    /** Whether there is room for a part as JSON, which is then taken. */
    takes(part: unknown) {
      left -= Buffer.byteLength(JSON.stringify(part) ?? "")
      return left >= 0
    },
    isFull: () => left <= 0,
  }
}
