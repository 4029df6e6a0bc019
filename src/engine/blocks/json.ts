/** Reads JSON that others wrote, without trusting its shape. */

/** A body as data: parsed when it is JSON, whole numbers beyond safety as digits; else the text. */
export function readBody(text: string): unknown {
  try {
    return JSON.parse(hugeNumber.test(text) ? quoteHugeNumbers(text) : text)
  } catch {
    return text
  }
}

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

const hugeNumber = /\d{16}/

// Texts are matched first, so that digits inside of them are left alone.
function quoteHugeNumbers(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (found) =>
    /^-?\d+$/.test(found) && !Number.isSafeInteger(Number(found)) ? `"${found}"` : found,
  )
}
