/** Finds what stands in JSON that others wrote, without trusting its shape. */

/** What stands at a place in JSON, undefined when there is no such place. */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string | number, unknown>)[key]
  }
  return found
}

/** A text at a place in JSON; undefined when there is something else. */
export function pickText(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = pick(value, ...path)
  return typeof found === "string" ? found : undefined
}

/** A list at a place in JSON; empty when there is something else. */
export function pickList(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = pick(value, ...path)
  return Array.isArray(found) ? found : []
}
