/** Reads rows of a Google spreadsheet into variables, adds one, or overwrites cells. */
import { spend } from "../../../budget/fuel.ts"
import type { Outcome } from "../../../calls.ts"
import type { Log } from "../../../schema/log.ts"
import { interpolate, interpolateWith } from "../../../variables/interpolate.ts"
import { interpolateStructure } from "../../../variables/interpolateStructure.ts"
import { isVisitorInput } from "../../../variables/interpolateUrl.ts"
import { readApiAnswer } from "../../api.ts"
import type { BlockContext, Step } from "../../block.ts"
import { action } from "../../defineBlock.ts"
import { choose } from "../../tableFilter.ts"
import {
  type GoogleSheetsBlock,
  googleSheetsBlockSchema,
  type SheetCell,
  type SheetsOptions,
} from "./schema.ts"
import * as tabs from "./sheet.ts"

export const googleSheetsBlock = action(googleSheetsBlockSchema, {
  catalogue: {
    label: "Google Sheets",
    description: "Reads rows of a spreadsheet, adds one, or overwrites cells",
    category: "data",
    icon: "sheet",
    defaults: { options: { action: "Get data from sheet" } },
  },
  upgrade: { from5 },
  needsCredentials: ({ options }) => options?.action !== undefined,
  run,
  resume: { sheet: answered },
})

const cellUnits = 10

const reading = "While reading the sheet"
const writing = "While writing to the sheet"

function run({ options: raw }: GoogleSheetsBlock, context: BlockContext): Step<"sheet"> {
  if (!raw?.action) return {}
  const options = interpolateStructure(raw, context, { dropsEmpty: true })
  if (options.action === "Get data from sheet" && !options.sheetId) return {}
  const tab = tabOf(options)
  if (!tab) {
    const description = "The sheet needs an account, a document and a tab"
    return { log: [{ status: "error", description }] }
  }
  // Without one, every row of the sheet would be overwritten.
  if (options.action === "Update a row" && !selectsRows(options)) {
    return { log: [{ status: "error", description: "No filter says which rows to update" }] }
  }
  const reads = options.action === "Insert a row" ? "titles" : "rows"
  return { next: { call: tabs.readCall(tab, reads) } }
}

function tabOf({ credentialsId, spreadsheetId, sheetId }: SheetsOptions): tabs.Tab | undefined {
  if (!credentialsId || !spreadsheetId || !sheetId || !/^\d+$/.test(sheetId)) return undefined
  return { credentialsId, spreadsheetId, sheetId: Number(sheetId) }
}

function selectsRows({ filter, referenceCell }: SheetsOptions): boolean {
  return filter ? Boolean(filter.comparisons?.length) : referenceCell?.column !== undefined
}

function answered(
  { options: raw }: GoogleSheetsBlock,
  outcome: Outcome<"sheet">,
  context: BlockContext,
): Step<"sheet"> {
  const isWritten = context.carry === "written"
  const answer = readApiAnswer(outcome, isWritten ? writing : reading)
  const options = interpolateStructure(raw ?? {}, context, { dropsEmpty: true })
  if ("log" in answer) {
    const ends = answer.isUnauthorized && options.action === "Get data from sheet"
    return { log: [answer.log], ...(ends ? { next: "end" } : {}) }
  }
  if (isWritten) return { log: [writtenLog(options)] }
  const tab = tabOf(options)
  const sheet = tabs.readSheet(answer.data)
  if (options.action === "Get data from sheet") return extract(options, sheet, context)
  if (!tab) return {}
  const cells = cellsOf(raw ?? {}, sheet, context)
  const logs = missingColumns(options, sheet, writing)
  if (cells.length === 0) return { log: logs }
  if (options.action === "Insert a row") {
    return { log: logs, next: { call: tabs.appendCall(tab, sheet, cells) } }
  }
  // A missing column is empty in every row, so "Is empty" and "Not equal" would match all.
  if (comparedColumns(options).some((column) => tabs.columnAt(sheet, column) < 0))
    return { log: logs }
  const rows = tabs.matchingRows(sheet, options.filter, options.referenceCell, context.fuel)
  if (rows.length === 0) return { log: [...logs, noRows] }
  spend(context.fuel, cellUnits * rows.length * cells.length)
  return { log: logs, next: { call: tabs.updateCall(tab, rows, cells) } }
}

function extract(options: SheetsOptions, sheet: tabs.Sheet, context: BlockContext): Step<"sheet"> {
  const found = tabs.matchingRows(sheet, options.filter, options.referenceCell, context.fuel)
  const rows = choose(found, options.totalRowsToExtract, () => context.world.random())
  const logs = missingColumns(options, sheet, reading)
  if (rows.length === 0) return { log: [...logs, noRows] }
  const titleUnits = cellUnits + (sheet.titles.length >> 4)
  spend(context.fuel, titleUnits * rows.length * (options.cellsToExtract?.length ?? 0))
  return {
    log: logs,
    set: (options.cellsToExtract ?? []).flatMap(({ column, variableId }) => {
      if (!column || !variableId) return []
      const values = rows.map((row) => tabs.cellOf(sheet, sheet.rows[row] ?? [], column))
      return [{ variableId, value: rows.length === 1 ? values[0] : values }]
    }),
  }
}

/** Cells to write by the index of their column. */
function cellsOf(raw: SheetsOptions, sheet: tabs.Sheet, context: BlockContext): [number, string][] {
  return writtenCells(raw).flatMap((cell): [number, string][] => {
    const column = interpolate(cell.column, context)
    const value = asTyped(cell.value, context)
    const at = column && value ? tabs.columnAt(sheet, column) : -1
    return at >= 0 ? [[at, value]] : []
  })
}

function writtenCells(options: SheetsOptions): SheetCell[] {
  if (options.action === "Insert a row") return options.cellsToInsert ?? []
  return options.action === "Update a row" ? (options.cellsToUpsert ?? []) : []
}

function comparedColumns({ filter, referenceCell }: SheetsOptions): string[] {
  const compared = filter ? (filter.comparisons ?? []) : [referenceCell ?? {}]
  return compared.flatMap(({ column }) => column ?? [])
}

/** Logs the columns that the options need and the sheet lacks. */
function missingColumns(options: SheetsOptions, sheet: tabs.Sheet, activity: string): Log[] {
  const { action, cellsToExtract = [] } = options
  const isRead = action === "Get data from sheet"
  const cells = isRead ? cellsToExtract : writtenCells(options).filter(({ value }) => value)
  const needed = [
    ...cells.flatMap(({ column }) => column ?? []),
    ...(action === "Insert a row" ? [] : comparedColumns(options)),
  ]
  const titles = new Set(sheet.titles)
  const missing = [...new Set(needed)].filter((column) => !titles.has(column.trim()))
  if (missing.length === 0) return []
  const description = `The sheet has no column ${missing.map((name) => `"${name}"`).join(", ")}`
  return [{ status: "error", description, context: activity }]
}

/**
 * The value as a person would type it. Formulas from variables would run with the rights of the sheet's
 * owner, so they become text (a leading apostrophe); only the author's stay formulas.
 */
function asTyped(written: string | undefined, context: BlockContext): string {
  if (written?.startsWith("=")) return formula(written, context)
  const value = interpolate(written, context)
  const isFormula = /^[=+]/.test(value) || (value.startsWith("-") && Number.isNaN(Number(value)))
  return isFormula ? `'${value}` : value
}

/** The author's formula, with the words of visitors as a number, a text, or part of a text. */
function formula(written: string, context: BlockContext): string {
  let isInText = false
  return interpolateWith(written, context, {
    literal(stretch) {
      if (stretch.split('"').length % 2 === 0) isInText = !isInText
    },
    value(printed, token) {
      if (!isVisitorInput(token, context)) return printed
      const escaped = printed.replaceAll('"', '""')
      if (isInText) return escaped
      return /^-?\d+(?:\.\d+)?$/.test(printed) ? printed : `"${escaped}"`
    },
  })
}

function writtenLog({ action }: SheetsOptions): Log {
  const description =
    action === "Insert a row" ? "Row added to the sheet" : "Rows of the sheet updated"
  return { status: "success", description }
}

const noRows: Log = { status: "info", description: "No row of the sheet matches" }

/** Versions 4 and 5: a reference cell becomes a filter; `newId` makes the id of the comparison that replaces it. */
function from5(block: GoogleSheetsBlock, newId: () => string): GoogleSheetsBlock {
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
