/** What may be asked of a Google spreadsheet. */

/** One request; values are taken as if a person typed them. */
export type SheetRequest = { spreadsheetId: string } & (
  | { reads: GridRange }
  /** A row below the last one of the table at a range; null leaves a cell as it is. */
  | { appendsTo: string; row: (string | null)[] }
  | { overwrites: { gridRange: GridRange; value: string }[] }
)

/** A part of a tab (Sheets API v4): indexes start at 0, ends are not included. */
type GridRange = {
  sheetId: number
  startRowIndex?: number
  endRowIndex?: number
  startColumnIndex?: number
  endColumnIndex?: number
}
