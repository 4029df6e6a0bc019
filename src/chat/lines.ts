/** Who waits for one thing, in lines by owner: owners take turns, however many of theirs wait. */

/** The lines of one thing. */
type Lines = {
  add(owner: string, start: () => void): void
  /** How many of an owner wait. */
  length(owner: string): number
  /** Takes the next one out. Returns undefined when nobody waits. */
  next(): (() => void) | undefined
}

/** Opens the lines, which are empty. */
export function openLines(): Lines {
  /** The first owner is the next one. */
  const lines = new Map<string, (() => void)[]>()
  return {
    add(owner, start) {
      const line = lines.get(owner)
      if (line) line.push(start)
      else lines.set(owner, [start])
    },
    length: (owner) => lines.get(owner)?.length ?? 0,
    next() {
      const [first] = lines
      if (first === undefined) return undefined
      const [owner, line] = first
      lines.delete(owner)
      const start = line.shift()
      // Behind the other owners.
      if (line.length > 0) lines.set(owner, line)
      return start
    },
  }
}
