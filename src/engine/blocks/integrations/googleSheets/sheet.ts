/** A tab of a Google spreadsheet: the calls that read and write it, and its rows. */

import { pick, pickList, pickText } from "../../../../lib/foreignJson.ts"
import { type Fuel, readingUnits, spend } from "../../../budget/fuel.ts"
import type { Call, SheetRequest } from "../../../calls.ts"
import { cellPasses } from "../../tableFilter.ts"
import type { SheetCell, SheetFilter } from "./schema.ts"

/** A tab and the account that opens it. */
export type Tab = { credentialsId: string; spreadsheetId: string; sheetId: number }

/** Contents of a tab: titles of the columns and the rows below them. */
export type Sheet = {
  /** Name of the tab, for addresses. */
  name: string
  titles: string[]
  rows: string[][]
}

/** Reads the titles and, unless only those are wanted, every row. */
export function readCall(tab: Tab, reads: "titles" | "rows"): Call<"sheet"> {
  const { spreadsheetId, sheetId } = tab
  const rows = reads === "titles" ? { startRowIndex: 0, endRowIndex: 1 } : {}
  return callOf(tab, "read", { spreadsheetId, reads: { sheetId, ...rows } })
}

/** Adds a row below the last one. */
export function appendCall(tab: Tab, sheet: Sheet, cells: [number, string][]): Call<"sheet"> {
  const row: (string | null)[] = sheet.titles.map(() => null)
  for (const [column, value] of cells) row[column] = value
  const { spreadsheetId } = tab
  return callOf(tab, "written", { spreadsheetId, appendsTo: `${sheet.name}!A1`, row })
}

/** Overwrites cells of the rows with these indexes. */
export function updateCall(
  tab: Tab,
  rows: readonly number[],
  cells: [number, string][],
): Call<"sheet"> {
  const { spreadsheetId, sheetId } = tab
  const overwrites = rows.flatMap((row) =>
    cells.map(([column, value]) => {
      const gridRange = {
        sheetId,
        // The first row holds the titles.
        startRowIndex: row + 1,
        endRowIndex: row + 2,
        startColumnIndex: column,
        endColumnIndex: column + 1,
      }
      return { gridRange, value }
    }),
  )
  return callOf(tab, "written", { spreadsheetId, overwrites })
}

/** Reads the answer to a `readCall`. */
export function readSheet(data: unknown): Sheet {
  const range = pick(data, "valueRanges", 0, "valueRange")
  const [titles = [], ...rows] = pickList(range, "values").map((row) =>
    Array.isArray(row) ? row.map(String) : [],
  )
  const address = pickText(range, "range") ?? ""
  const name = address.slice(0, address.lastIndexOf("!"))
  // White space around a title is invisible, and editors do not offer it.
  return { name, titles: titles.map((title) => title.trim()), rows }
}

/** Index of a column by its title; -1 when missing. */
export function columnAt({ titles }: Sheet, column: string): number {
  return titles.indexOf(column.trim())
}

/** Text of a cell; empty when the column is missing. */
export function cellOf(sheet: Sheet, row: readonly string[], column: string | undefined): string {
  return column === undefined ? "" : (row[columnAt(sheet, column)] ?? "")
}

/**
 * Indexes of the rows that pass a filter; without comparisons all of them do. A row must pass every
 * comparison with AND, else one.
 */
export function matchingRows(
  sheet: Sheet,
  filter: SheetFilter | undefined,
  referenceCell: SheetCell | undefined,
  fuel: Fuel,
): number[] {
  const { comparisons = [], logicalOperator } = filter ?? {}
  const matches = (row: string[]): boolean => {
    spend(fuel, 2 + comparisons.length * readingUnits(sheet.titles.length))
    if (filter === undefined && referenceCell?.column !== undefined) {
      return cellOf(sheet, row, referenceCell.column) === (referenceCell.value ?? "")
    }
    if (comparisons.length === 0) return true
    const results = comparisons.map(
      ({ column, comparisonOperator, value = "" }) =>
        column !== undefined &&
        cellPasses(comparisonOperator, cellOf(sheet, row, column), value, fuel),
    )
    return logicalOperator === "AND" ? results.every(Boolean) : results.some(Boolean)
  }
  return sheet.rows.flatMap((row, index) => (matches(row) ? [index] : []))
}

function callOf(tab: Tab, carry: "read" | "written", request: SheetRequest): Call<"sheet"> {
  const credential = { id: tab.credentialsId, type: "google sheets" }
  return { kind: "sheet", carry, credential, ...request }
}
