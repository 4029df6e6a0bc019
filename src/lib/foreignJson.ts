/** Reads JSON that others wrote, without losing digits and without trusting its shape. */

/** Real data has fewer levels, and recursive code would run out of stack far beyond it. */
const maxDepth = 200

/**
 * The value of a JSON text, or the text itself when it is not JSON or nested too deeply. Numbers that
 * JavaScript cannot represent stay digits: unsafe integers, such as ids, and what is too large.
 */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) return text
  try {
    return JSON.parse(hugeNumber.test(text) ? quoteHugeNumbers(text) : text)
  } catch {
    return text
  }
}

/** Whether a JSON text is nested too deeply; asked before parsing, which would be expensive. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === openList || code === openObject) depth += 1
    else if (code === closeList || code === closeObject) depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}

const [quote, backslash] = [0x22, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Where the closing quote of a string is; the end of the text when there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quote) return at
  }
  return text.length
}

const hugeNumber = /\d{16}|\d[eE]\+?\d{2}/

// Texts are matched first, so that digits inside of them are left alone.
function quoteHugeNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (found) => {
    if (found.startsWith('"')) return found
    const number = Number(found)
    const isLost = /^-?\d+$/.test(found) && !Number.isSafeInteger(number)
    return isLost || !Number.isFinite(number) ? `"${found}"` : found
  })
}

/** The value at a path in JSON; undefined when there is none. */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string | number, unknown>)[key]
  }
  return found
}

/** The text at a path in JSON; undefined when there is something else. */
export function pickText(value: unknown, ...path: (string | number)[]): string | undefined {
  const found = pick(value, ...path)
  return typeof found === "string" ? found : undefined
}

/** The list at a path in JSON; empty when there is something else. */
export function pickList(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = pick(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Puts a value where a path of keys leads; what stands in the way gives way. */
export function putAt(root: object, path: readonly string[], value: unknown): void {
  const [key = "", ...others] = path
  const known = pick(root, key)
  const inner = typeof known === "object" && known !== null ? known : {}
  Object.defineProperty(root, key, {
    value: others.length === 0 ? value : inner,
    enumerable: true,
    writable: true,
    configurable: true,
  })
  if (others.length > 0) putAt(inner, others, value)
}
