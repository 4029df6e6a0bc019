/** Reads JSON that others wrote, without losing digits. */

/**
 * The value of a JSON text, or the text itself when it is none. Numbers that JavaScript cannot hold
 * stay digits: whole ones beyond safety (an id), and those beyond the largest.
 */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(hugeNumber.test(text) ? quoteHugeNumbers(text) : text)
  } catch {
    return text
  }
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
