/** Compares JSON values, and changes the texts in them. */

/** A JSON object. */
export type Members = Record<string, unknown>

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A member of an object, without what it inherits; undefined: it has none. */
export function memberOf(members: Members, key: string): unknown {
  return Object.hasOwn(members, key) ? members[key] : undefined
}

/** The keys of two objects, each once. */
export function keysOf(before: Members, after: Members): string[] {
  const keys = Object.keys(after)
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) keys.push(key)
  return keys
}

/** Whether two JSON values are equal; the order of members does not matter. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isEqual(each, other[index]))
  }
  if (!isMembers(one) || !isMembers(other)) return false
  return keysOf(one, other).every((key) => isEqual(memberOf(one, key), memberOf(other, key)))
}

/** The same JSON with each text changed. */
export function mapTexts(json: unknown, change: (text: string) => string): unknown {
  if (typeof json === "string") return change(json)
  if (Array.isArray(json)) return json.map((each) => mapTexts(each, change))
  if (typeof json !== "object" || json === null) return json
  return Object.fromEntries(
    Object.entries(json).map(([name, member]) => [name, mapTexts(member, change)]),
  )
}
