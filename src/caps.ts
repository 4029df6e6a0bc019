/** Bounds how much may be open at a time. */

/** A bound: what counts together, and the most of it. */
type Bound = { name: string; most: number }

/**
 * Makes a cap. It counts something in under several names, or throws what `refuse` makes of the bound
 * that is reached; it returns the function that counts it out, which may be called twice.
 */
export function openCap() {
  const open = new Map<string, number>()
  return <Each extends Bound>(bounds: readonly Each[], refuse: (full: Each) => Error) => {
    const full = bounds.find(({ name, most }) => (open.get(name) ?? 0) >= most)
    if (full) throw refuse(full)
    for (const { name } of bounds) open.set(name, (open.get(name) ?? 0) + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      for (const { name } of bounds) {
        const left = (open.get(name) ?? 0) - 1
        if (left > 0) open.set(name, left)
        else open.delete(name)
      }
    }
  }
}
