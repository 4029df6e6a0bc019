/** The rows of a long list that are on the screen; more are read before people reach the last one. */
import { useVirtualizer } from "@tanstack/react-virtual"
import { type RefObject, useEffect } from "react"

/** Rows before the last one at which more are read. */
const ahead = 30

export type MoreRows = { isThere: boolean; isLoading: boolean; load(): void }

type Options = {
  frame: RefObject<HTMLElement | null>
  count: number
  /** Of a row, until it is measured. */
  height: number
  more: MoreRows
}

export function useRowsOnScreen({ frame, count, height, more }: Options) {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const isNearEnd = (items.at(-1)?.index ?? -1) >= count - ahead
  useEffect(() => {
    if (isNearEnd && more.isThere && !more.isLoading) more.load()
  })
  return {
    items,
    /** Heights of what is above and below. */
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtual.measureElement,
  }
}
