/** Gives the focus back when a dialog closes that exists only while it is open. */
import { useLayoutEffect, useState } from "react"

/** To what had the focus before, unless something else has taken it since. */
export function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement)
  useLayoutEffect(
    () => () => {
      // Once the dialog is out of the page, and before another key can be pressed.
      queueMicrotask(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement)
          before.focus()
      })
    },
    [before],
  )
}
