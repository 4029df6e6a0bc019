/** Computes a value once for each object, and forgets it together with the object. */

/** The same function, which remembers its result for each object. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    let entry = known.get(key)
    if (!entry) {
      entry = { value: make(key) }
      known.set(key, entry)
    }
    return entry.value
  }
}
