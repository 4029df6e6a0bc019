/** Whether a value is what somebody described: members that are not named may be anything. */

/** `*` in an expected text stands for anything. */
export function fits(expected: unknown, actual: unknown): boolean {
  if (typeof expected === "string") return typeof actual === "string" && fitsText(expected, actual)
  if (typeof expected !== "object" || expected === null) return Object.is(expected, actual)
  if (typeof actual !== "object" || actual === null) return false
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false
    return expected.every((each, index) => fits(each, actual[index]))
  }
  return Object.entries(expected).every(
    ([key, value]) => Object.hasOwn(actual, key) && fits(value, Reflect.get(actual, key)),
  )
}

/** Takes time in proportion to both texts, however many stars there are. */
export function fitsText(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*")
  if (others.length === 0) return pattern === text
  const last = others.pop() ?? ""
  if (!text.startsWith(first) || text.length < first.length + last.length) return false
  let from = first.length
  for (const part of others) {
    const found = text.indexOf(part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
