/** Prints tables. */
import { visible } from "../app/visible.ts"

/** Rows as lines, every column as wide as its widest cell; every cell is one line of plain text. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => visible(inOneLine(cell))))
  const count = Math.max(...cells.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, place) =>
    Math.max(...cells.map((row) => row[place]?.length ?? 0)),
  )
  return cells
    .map((row) => row.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
}

/** A text without breaks. */
export function inOneLine(text: string): string {
  return text.replace(/\s+/gu, " ")
}
