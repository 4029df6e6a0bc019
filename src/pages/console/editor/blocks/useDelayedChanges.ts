/** Shows changes of an element at once, and saves them together when people pause. */
import { useCallback, useEffect, useRef, useState } from "react"
import { type Path, withValue } from "./blockSchema.ts"

const pauseMs = 500
/** Those who type without a pause are saved nevertheless. */
const patienceMs = 2_000

type Change = { path: Path; value: unknown }

/**
 * The element with the changes that are not saved yet. `save` gets the element as it was when its author began, with
 * these members changed, and that element if others have changed it since.
 */
export function useDelayedChanges<Value>(
  value: Value,
  save: (next: Value, former: Value | undefined) => void,
): { value: Value; change(path: Path, next: unknown): void; flush(): void } {
  const [, show] = useState(0)
  const changes = useRef<Change[]>([])
  const latest = useRef({ value, save })
  latest.current = { value, save }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const since = useRef(0)
  const former = useRef(value)

  const changed = (element: Value) =>
    changes.current.reduce<unknown>(
      (before, { path, value: next }) => withValue(before, path, next),
      element,
    ) as Value
  const flush = useCallback(() => {
    clearTimeout(timer.current)
    if (changes.current.length === 0) return
    const before = former.current
    const next = changed(before)
    changes.current = []
    // What was typed and deleted at once is no change.
    if (JSON.stringify(next) === JSON.stringify(before)) return
    latest.current.save(next, before === latest.current.value ? undefined : before)
  }, [])
  const change = useCallback((path: Path, next: unknown) => {
    if (changes.current.length === 0) {
      since.current = Date.now()
      former.current = latest.current.value
    }
    const last = changes.current.at(-1)
    if (last?.path.join("/") === path.join("/")) last.value = next
    else changes.current.push({ path, value: next })
    clearTimeout(timer.current)
    const left = since.current + patienceMs - Date.now()
    timer.current = setTimeout(flush, Math.max(0, Math.min(pauseMs, left)))
    show((count) => count + 1)
  }, [])
  useEffect(() => flush, [])
  return { value: changed(value), change, flush }
}
