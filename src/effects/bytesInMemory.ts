/** Estimates what values take in memory, for caches that are bounded by it. */

/**
 * About as many bytes as a value takes that was parsed from JSON. The length of the JSON tells little:
 * a list of empty objects takes twenty times its text, a long text as much as it has characters.
 */
export function bytesInMemory(value: unknown): number {
  if (typeof value === "string") return 24 + 2 * value.length
  if (typeof value !== "object" || value === null) return 8
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return members.reduce<number>((sum, member) => sum + 8 + bytesInMemory(member), 56)
}
