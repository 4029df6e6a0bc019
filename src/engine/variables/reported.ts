/** Reads what a client reports as the outcome of something it did. */

/** The parsed text when it is JSON, else the text; digits that a number would lose stay a text. */
export function readReported(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    const losesDigits = typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER
    return losesDigits ? text.trim() : value
  } catch {
    return text
  }
}
