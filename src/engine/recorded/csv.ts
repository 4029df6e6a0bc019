/** Writes tables as CSV (RFC 4180) that spreadsheets open as plain text. */

/** Tells spreadsheets that the text is UTF-8. */
export const byteOrderMark = "\ufeff"

/** A row with its line end. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`
}

// Semicolons and tabs, too: some spreadsheets split at all of these, and what follows may be a formula.
const separator = /[",;\t\r\n]/

function csvCell(text: string): string {
  const plain = plainCell(text)
  return separator.test(plain) || plain !== plain.trim()
    ? `"${plain.replaceAll('"', '""')}"`
    : plain
}

/** What begins a formula in some spreadsheet, also in its wide form and behind white space. */
const formula = /^\s*[=+\-@＝＋－＠]|^[\t\r]/
const number = /^[+-]?\d+(?:[.,]\d+)*$/

/** A text that no spreadsheet runs: one that it would take for a formula has an apostrophe in front. */
export function plainCell(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text
}
