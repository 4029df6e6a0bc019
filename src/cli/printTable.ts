/** Prints tables. */
import { visible } from "../lib/visible.ts"
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
    for (const [place, cell] of row.entries()) {
      widths[place] = Math.max(widths[place] ?? 0, widthOf(cell))
    }
  }
  return cells.map((row) => {
    const padded = row.map((cell, place) => cell + " ".repeat((widths[place] ?? 0) - widthOf(cell)))
    return padded.join("  ").trimEnd()
  })
}

const signs = new Intl.Segmenter()

/** Signs that take the room of two letters in a terminal: East Asian scripts and pictures. */
const wide =
  /^(?![\uff61-\uffdc])(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{Emoji_Presentation}\u3000-\u30ff\uff01-\uff60\uffe0-\uffe6]|.\ufe0f)/u

/** How many letters of a terminal a text takes; marks over a letter take none. */
function widthOf(text: string): number {
  let width = 0
  for (const { segment } of signs.segment(text)) width += wide.test(segment) ? 2 : 1
  return width
}
