/** Matches values against partial descriptions: omitted members match anything. */

/** `*` in an expected text matches anything. */
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

/** Takes time linear in both texts, for any number of stars. */
export function fitsText(pattern: string, text: string): boolean {
  const [first = "", ...others] = pattern.split("*")
  if (others.length === 0) return pattern === text
  const last = others.pop() ?? ""
  if (!text.startsWith(first) || text.length < first.length + last.length) return false
  let from = first.length
  for (const part of others) {
    const found = findText(text, part, from)
    if (found < 0) return false
    from = found + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}

/** Max length of patterns that V8 searches, at worst in proportion to both lengths. */
const shortLength = 64

/** The index of a text in another; -1: none. Takes time linear in both (Knuth, Morris, Pratt). */
export function findText(text: string, sought: string, from = 0): number {
  if (sought.length <= shortLength) return text.indexOf(sought, from)
  const code = (index: number) => sought.charCodeAt(index)
  /** For each character, the length of the preceding prefix of the sought text. */
  const overlaps = new Uint32Array(sought.length + 1)
  const goOn = (known: number, next: number) => {
    let length = known
    while (length > 0 && code(length) !== next) length = overlaps[length] ?? 0
    return code(length) === next ? length + 1 : 0
  }
  for (let index = 1; index < sought.length; index++) {
    overlaps[index + 1] = goOn(overlaps[index] ?? 0, code(index))
  }
  let found = 0
  for (let index = from; index < text.length; index++) {
    found = goOn(found, text.charCodeAt(index))
    if (found === sought.length) return index + 1 - found
  }
  return -1
}
