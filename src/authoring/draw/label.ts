/** Writes any text so that Mermaid shows it as it is. */

/** Longest text of a label's line, in characters. */
const maxLength = 60

/**
 * One line of a label, cut when it is long. Letters, digits and few signs are written as they are,
 * all others by their code points (Mermaid 11, "Entity codes to escape characters"), so that
 * nothing of the text is syntax of Mermaid, Markdown or HTML.
 */
export function labelLine(text: string): string {
  // The rest of a text that will be cut anyway need not be looked at.
  const start = text.slice(0, 4 * maxLength)
  const characters = Array.from(start.replace(/[\s\p{Cc}]+/gu, " ").trim())
  const isLong = characters.length > maxLength || start.length < text.length
  const shown = isLong ? [...characters.slice(0, maxLength - 1), "…"] : characters
  return shown.join("").replace(/[^\p{L}\p{M}\p{N} ,!?_…]/gu, written)
}

/** The label of a node or an edge, of written lines; those without text are left out. */
export function labelOf(lines: readonly string[]): string {
  return `"${lines.filter((line) => line !== "").join("<br/>")}"`
}

function written(sign: string, at: number, text: string): string {
  // A full stop behind a number makes a list.
  if (sign === "." && /\p{L}/u.test(text[at - 1] ?? "")) return sign
  // Half a surrogate pair is no character.
  return `#${/\p{Surrogate}/u.test(sign) ? 0xfffd : sign.codePointAt(0)};`
}
