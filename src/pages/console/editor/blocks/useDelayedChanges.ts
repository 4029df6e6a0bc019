/** Shows changes of an element at once, and saves them together when people pause. */
import { useCallback, useEffect, useRef, useState } from "react"
import { type Path, withValue } from "./blockSchema.ts"

const pauseMs = 500
/** Those who type without a pause are saved nevertheless. */
const patienceMs = 2_000

type Change = { path: Path; value: unknown }

/**
 * The element with the changes that are not saved yet. What is saved is the element as it is then, with these
 * members changed: what others changed in it meanwhile stays.
 */
export function useDelayedChanges<Value>(
  value: Value,
  save: (next: Value) => void,
): { value: Value; change(path: Path, next: unknown): void; flush(): void } {
  const [, show] = useState(0)
  const changes = useRef<Change[]>([])
  const latest = useRef({ value, save })
  latest.current = { value, save }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const since = useRef(0)

  const changed = () =>
    changes.current.reduce<unknown>(
      (before, { path, value: next }) => withValue(before, path, next),
      latest.current.value,
    ) as Value
  const flush = useCallback(() => {
    clearTimeout(timer.current)
    if (changes.current.length === 0) return
    const next = changed()
    changes.current = []
    // What was typed and deleted at once is no change.
    if (JSON.stringify(next) !== JSON.stringify(latest.current.value)) latest.current.save(next)
  }, [])
  const change = useCallback((path: Path, next: unknown) => {
    if (changes.current.length === 0) since.current = Date.now()
    const last = changes.current.at(-1)
    if (last?.path.join("/") === path.join("/")) last.value = next
    else changes.current.push({ path, value: next })
    clearTimeout(timer.current)
    const left = since.current + patienceMs - Date.now()
    timer.current = setTimeout(flush, Math.max(0, Math.min(pauseMs, left)))
    show((count) => count + 1)
  }, [])
  useEffect(() => flush, [])
  return { value: changed(), change, flush }
}
