/** Writes tables as CSV (RFC 4180) that spreadsheets open as plain text. */

/** Tells spreadsheets that the text is UTF-8. */
export const byteOrderMark = "\ufeff"

/** A row with its line end, in pieces: a chat that loops leaves megabytes of answers in one cell. */
export function* csvRow(cells: readonly string[]): Generator<string> {
  for (const [index, cell] of cells.entries()) {
    if (index > 0) yield ","
    yield* csvCell(plainCell(cell))
  }
  yield "\r\n"
}

// Semicolons and tabs, too: some spreadsheets split at all of these, and what follows may be a formula.
const separator = /[",;\t\r\n]/

/** Longer cells are quoted without looking for separators, this many characters at a time. */
const sliceLength = 50_000

function* csvCell(text: string): Generator<string> {
  const isPlain = text.length <= sliceLength && !separator.test(text) && text === text.trim()
  if (isPlain) return yield text
  yield '"'
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = endOfSlice(text, start + sliceLength)
    yield text.slice(start, end).replaceAll('"', '""')
  }
  yield '"'
}

/** Halves of a surrogate pair stay together, because slices may be encoded one by one. */
function endOfSlice(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end + 1 : end
}

/** What begins a formula in some spreadsheet; full-width forms and leading white space count. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r]/
const number = /^[+-]?\d+(?:[.,]\d+)*$/

/** A text that no spreadsheet runs: one that it would take for a formula has an apostrophe in front. */
export function plainCell(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text
}
