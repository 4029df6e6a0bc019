/** Prints tables. */
import { visible } from "../app/visible.ts"
import { inOneLine } from "../workshop/report/failureLines.ts"
import { print } from "./command.ts"

/** Prints rows, the first of which has the titles. */
export function printTable(rows: readonly (readonly string[])[]): void {
  for (const line of columns(rows)) print(line)
}

/** Rows as lines, every column as wide as its widest cell; every cell is one line of plain text. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => visible(inOneLine(cell))))
  const widths: number[] = []
  for (const row of cells) {
    for (const [place, { length }] of row.entries()) {
      widths[place] = Math.max(widths[place] ?? 0, length)
    }
  }
  return cells
    .map((row) => row.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
}
