/** Computes what belongs to an object once, and forgets it with the object. */

/** The function, remembering its result for every object that it was given. */
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
