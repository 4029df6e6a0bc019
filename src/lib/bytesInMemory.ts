/** Estimates what values take in memory, for caches that are bounded by it. */

/** An object with more members than this is a table of its own. */
const maxSharedMembers = 100

/**
 * About as many bytes as a value takes that was parsed from JSON. The length of the JSON is no measure:
 * a list of empty objects takes twenty times its text, a long text as much as it has characters.
 */
export function bytesInMemory(value: unknown): number {
  return bytesOf(value, new Set())
}

function bytesOf(value: unknown, shapes: Set<string>): number {
  if (typeof value === "string") return 24 + 2 * value.length
  if (typeof value !== "object" || value === null) return 8
  const isList = Array.isArray(value)
  const members: unknown[] = isList ? value : Object.values(value)
  const own = 56 + 8 * members.length + (isList ? 0 : bytesOfNames(Object.keys(value), shapes))
  return members.reduce<number>((sum, member) => sum + bytesOf(member, shapes), own)
}

/** Small objects with the same names in the same order share what V8 keeps about these names. */
function bytesOfNames(names: readonly string[], shapes: Set<string>): number {
  const table = names.length > maxSharedMembers ? 50 * names.length : 0
  const shape = JSON.stringify(names)
  if (shapes.has(shape)) return table
  shapes.add(shape)
  return table + 120 * names.length + 2 * shape.length
}
