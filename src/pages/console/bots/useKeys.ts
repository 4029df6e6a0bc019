/** Keys that act on a view, as long as no one types and no dialog is open. */
import { useEffect, useRef } from "react"

/** Calls what a key stands for, by `KeyboardEvent.key`: `{ c: openDialog }`. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = Object.hasOwn(current.current, event.key) && current.current[event.key]
      const { target, ctrlKey, metaKey, altKey } = event
      if (!act || ctrlKey || metaKey || altKey) return
      if (target instanceof Element && target.closest(takesKeys)) return
      event.preventDefault()
      act()
    }
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  }, [])
}

const takesKeys =
  "input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]"
