/** Which of several things are chosen, in the order in which they are offered. */
import { useState } from "preact/hooks"

export type Selection<T> = {
  chosen: readonly T[]
  has(id: string): boolean
  toggle(id: string): void
}

export function useSelection<T extends { id: string }>(items: readonly T[]): Selection<T> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    chosen: items.filter(({ id }) => ids.has(id)),
    has: (id) => ids.has(id),
    toggle: (id) =>
      setIds((present) => {
        const others = [...present].filter((each) => each !== id)
        return new Set(present.has(id) ? others : [...others, id])
      }),
  }
}
