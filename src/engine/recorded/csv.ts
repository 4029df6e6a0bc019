/** Writes tables as CSV (RFC 4180) that spreadsheets open as plain text. */

/** Marks the text as UTF-8 for spreadsheets. */
export const byteOrderMark = "\ufeff"

/** Yields a row with its line end in pieces: a looping chat leaves megabytes in one cell. */
export function* csvRow(cells: readonly string[]): Generator<string> {
  for (const [index, cell] of cells.entries()) {
    if (index > 0) yield ","
    yield* csvCell(plainCell(cell))
  }
  yield "\r\n"
}

// Some spreadsheets also split at semicolons and tabs, and the next cell may be a formula.
const separator = /[",;\t\r\n]/

/** Longer cells are quoted without a search for separators, this many characters at a time. */
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

/** Keeps surrogate pairs together: slices may be encoded one by one. */
function endOfSlice(text: string, end: number): number {
  return /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end + 1 : end
}

/** The beginning of a formula in some spreadsheet, with full-width forms and leading white space. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r]/
const number = /^[+-]?\d+(?:[.,]\d+)*$/

/** Prefixes an apostrophe to texts that spreadsheets would run as a formula. */
export function plainCell(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text
}
