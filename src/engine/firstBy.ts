/** Looks a list up by a key of its items. */

/** The first item of each key. */
export function firstBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item> {
  const found = new Map<Key, Item>()
  for (const item of items) {
    const key = keyOf(item)
    if (!found.has(key)) found.set(key, item)
  }
  return found
}
