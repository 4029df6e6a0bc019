/** A copy-on-write list with look-up by id. */
import { firstBy } from "../../lib/groupBy.ts"

export type WorkingList<T> = {
  /** The current list; the given one while unchanged. */
  elements(): readonly T[]
  /** The first element with that id. */
  find(id: string): T | undefined
  /** Replaces an element with one of the same id. */
  replace(former: T, element: T): void
  /** Adds an element with a new id; absent or too large an index means the end. */
  insert(element: T, index: number | undefined): void
  /** Removes an element and returns its index. */
  remove(element: T): number
}

/** An element to put, the one it replaces, and its target index. */
type Placed<T> = { element: T; former: T | undefined; index: number | undefined }

/** Adds or replaces an element, perhaps at another index. Returns the former index if it moved. */
export function putInto<T>(
  list: WorkingList<T>,
  { element, former, index }: Placed<T>,
): { index?: number } {
  if (former === undefined) list.insert(element, index)
  else if (index === undefined) list.replace(former, element)
  else {
    const place = list.remove(former)
    list.insert(element, index)
    return { index: place }
  }
  return {}
}

/** An index pays off after this many searches: most calls make a single edit of a large draft. */
export const searchesBeforeIndex = 8

export function createWorkingList<T extends { id: string }>(given: readonly T[]): WorkingList<T> {
  let copy: T[] | undefined
  let byId: Map<string, T> | undefined
  let searches = 0
  const elements = () => copy ?? given
  const own = () => {
    copy ??= [...given]
    return copy
  }
  return {
    elements,
    find(id) {
      if (++searches === searchesBeforeIndex) {
        const index = firstBy(elements(), (element) => element.id)
        // Of several elements with one id, removing the first reveals the second.
        if (index.size === elements().length) byId = index
      }
      return byId ? byId.get(id) : elements().find((element) => element.id === id)
    },
    replace(former, element) {
      const list = own()
      list[list.indexOf(former)] = element
      byId?.set(element.id, element)
    },
    insert(element, index) {
      own().splice(index ?? elements().length, 0, element)
      byId?.set(element.id, element)
    },
    remove(element) {
      const index = elements().indexOf(element)
      own().splice(index, 1)
      byId?.delete(element.id)
      return index
    },
  }
}
