/** CSV: a library reads back every cell, and no cell is a formula. */
import { parse } from "csv-parse/sync"
import fc from "fast-check"
import { expect, test } from "vitest"
import { csvRow, plainCell } from "./csv.ts"

const written = (cells: readonly string[]) => [...csvRow(cells)].join("")

test("a library reads back every cell", () => {
  const hostile = fc.constantFrom('"', ",", "\r\n", "\n", "\r", "\t", " ", "=", "'", "ا", "\u202e")
  const cell = fc.oneof(
    fc.string(),
    fc.array(hostile).map((parts) => parts.join("")),
  )
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 })
  fc.assert(
    fc.property(rows, (table) => {
      const text = table.map(written).join("")
      const read = parse(text, { relaxColumnCount: true, recordDelimiter: "\r\n" })
      expect(read).toEqual(table.map((row) => row.map(plainCell)))
    }),
    { seed: 7 },
  )
})

test("a cell stays one where spreadsheets split at several separators", () => {
  expect(written(["a;=1+1", "a\t=1+1", "a b"])).toBe('"a;=1+1","a\t=1+1",a b\r\n')
})

test.each([
  '"',
  ",",
  ";",
  "\t",
  "\r",
  "\n",
  "\r\n",
])("a cell with %j alone is quoted", (separator) => {
  const quoted = separator.replaceAll('"', '""')
  for (const cell of [`a${separator}b`, `a${separator}`]) {
    expect(written([cell])).toBe(`"${cell.replace(separator, quoted)}"\r\n`)
  }
})

test("a long cell comes in slices that split no character", () => {
  const cells = ["short", `=x${'"😀'.repeat(60_000)}`]
  const pieces = [...csvRow(cells)]
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_001)
  expect(pieces.every((piece) => !/[\uD800-\uDBFF]$/.test(piece))).toBe(true)
  expect(parse(pieces.join(""))).toEqual([cells.map(plainCell)])
})

test("formulas get a leading apostrophe", () => {
  for (const text of [
    '=HYPERLINK("https://evil.example","x")',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    " =1",
    "\n=1",
    "＝1+1",
    "＋1",
    "－1",
    "＠x",
  ]) {
    expect(plainCell(text)).toBe(`'${text}`)
  }
})

test("numbers and other texts stay unchanged", () => {
  for (const text of ["-5", "+49301234", "-1.234,56", "a=1", "'=1", "", "0"]) {
    expect(plainCell(text)).toBe(text)
  }
})
