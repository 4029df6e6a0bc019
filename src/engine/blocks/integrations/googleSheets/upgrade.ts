/** Brings Google Sheets blocks of versions 4 and 5 up to date: a reference cell becomes a filter. */
import type { GoogleSheetsBlock, SheetsOptions } from "./schema.ts"

/** The block without reference cell; `newId` makes the id of the comparison that replaces it. */
export function from5(block: GoogleSheetsBlock, newId: () => string): GoogleSheetsBlock {
  if (block.options?.referenceCell === undefined) return block
  const { referenceCell, ...options } = block.options
  if (options.filter !== undefined || !readsRows(options)) return { ...block, options }
  const { column, value } = referenceCell
  const comparison = { id: newId(), column, comparisonOperator: "Equal to" as const, value }
  return { ...block, options: { ...options, filter: { comparisons: [comparison] } } }
}

function readsRows({ action }: SheetsOptions): boolean {
  return action === "Get data from sheet" || action === "Update a row"
}
