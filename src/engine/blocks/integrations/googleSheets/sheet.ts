/** A tab of a Google spreadsheet: the requests that read and write it (Sheets API v4) and its rows. */
import type { Call, HttpRequest } from "../../../calls.ts"
import { pick, pickList, pickText } from "../../json.ts"
import { cellPasses } from "../../tableFilter.ts"
import type { SheetCell, SheetFilter } from "./schema.ts"

/** Where a tab is and who may open it. */
export type Tab = { credentialsId: string; spreadsheetId: string; sheetId: number }

/** What was read: titles of the columns and the rows below them. */
export type Sheet = {
  /** Name of the tab as addresses need it. */
  name: string
  titles: string[]
  rows: string[][]
}

const timeoutMs = 60_000

/** Reads the titles, and unless only these are wanted, every row. */
export function readCall(tab: Tab, reads: "titles" | "rows"): Call<"http"> {
  const rows = reads === "titles" ? { startRowIndex: 0, endRowIndex: 1 } : {}
  const gridRange = { sheetId: tab.sheetId, ...rows }
  return callOf(tab, "values:batchGetByDataFilter", {
    dataFilters: [{ gridRange }],
    majorDimension: "ROWS",
  })
}

/** Adds a row below the last one. */
export function appendCall(tab: Tab, sheet: Sheet, cells: [number, string][]): Call<"http"> {
  const row: (string | null)[] = sheet.titles.map(() => null)
  for (const [column, value] of cells) row[column] = value
  const range = encodeURIComponent(`${sheet.name}!A1`)
  const call = callOf(tab, `values/${range}:append`, { values: [row] })
  const query: HttpRequest["query"] = [["valueInputOption", "USER_ENTERED"]]
  return { ...call, carry: "written", request: { ...call.request, query } }
}

/** Overwrites cells of the rows with these indexes. */
export function updateCall(
  tab: Tab,
  rows: readonly number[],
  cells: [number, string][],
): Call<"http"> {
  const data = rows.flatMap((row) =>
    cells.map(([column, value]) => {
      const gridRange = {
        sheetId: tab.sheetId,
        // The first row holds the titles.
        startRowIndex: row + 1,
        endRowIndex: row + 2,
        startColumnIndex: column,
        endColumnIndex: column + 1,
      }
      return { dataFilter: { gridRange }, values: [[value]] }
    }),
  )
  const body = { valueInputOption: "USER_ENTERED", data }
  return { ...callOf(tab, "values:batchUpdateByDataFilter", body), carry: "written" }
}

/** What a read answered. */
export function readSheet(data: unknown): Sheet {
  const range = pick(data, "valueRanges", 0, "valueRange")
  const [titles = [], ...rows] = pickList(range, "values").map((row) =>
    Array.isArray(row) ? row.map(String) : [],
  )
  const address = pickText(range, "range") ?? ""
  return { name: address.slice(0, address.lastIndexOf("!")), titles, rows }
}

/** Text of a cell; empty when there is no such column. */
export function cellOf(sheet: Sheet, row: readonly string[], column: string | undefined): string {
  return column === undefined ? "" : (row[sheet.titles.indexOf(column)] ?? "")
}

/** Indexes of the rows that a filter means. Without comparisons: all; only AND asks for all of them. */
export function matchingRows(
  sheet: Sheet,
  filter: SheetFilter | undefined,
  referenceCell: SheetCell | undefined,
): number[] {
  const { comparisons = [], logicalOperator } = filter ?? {}
  const matches = (row: string[]): boolean => {
    if (filter === undefined && referenceCell?.column !== undefined) {
      return cellOf(sheet, row, referenceCell.column) === (referenceCell.value ?? "")
    }
    if (comparisons.length === 0) return true
    const results = comparisons.map(({ column, comparisonOperator, value = "" }) =>
      cellPasses(comparisonOperator, cellOf(sheet, row, column), value),
    )
    return logicalOperator === "AND" ? results.every(Boolean) : results.some(Boolean)
  }
  return sheet.rows.flatMap((row, index) => (matches(row) ? [index] : []))
}

function callOf(tab: Tab, path: string, json: object): Call<"http"> {
  const root = "https://sheets.googleapis.com/v4/spreadsheets"
  return {
    kind: "http",
    carry: "read",
    credential: { id: tab.credentialsId, type: "google sheets" },
    timeoutMs,
    request: {
      method: "POST",
      url: `${root}/${encodeURIComponent(tab.spreadsheetId)}/${path}`,
      headers: [["Authorization", ["Bearer ", { secret: "access_token" }]]],
      body: { text: JSON.stringify(json), contentType: "application/json" },
    },
  }
}
