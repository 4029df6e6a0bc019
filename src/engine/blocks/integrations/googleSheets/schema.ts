/** Stored form of the Google Sheets block. */
import { z } from "zod"
import { comparisonOperators } from "../../../schema/condition.ts"
import { idSchema, variableIdSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"

const column = z.string().optional().describe("Title of the column: its cell in the first row")

const cellSchema = z
  .object({
    id: idSchema.optional().describe("Id of the cell"),
    column,
    value: z.string().optional().describe("Value; may hold {{variables}}"),
  })
  .meta({ id: "SheetCell", description: "A cell to compare with or to write" })

export type SheetCell = z.infer<typeof cellSchema>

const filterSchema = z
  .object({
    logicalOperator: z
      .enum(["AND", "OR"])
      .optional()
      .describe("AND: all must hold; OR or absent: any"),
    comparisons: z
      .array(
        z.object({
          id: idSchema.optional().describe("Id of the comparison"),
          column,
          comparisonOperator: z.enum(comparisonOperators).optional().describe("How to compare"),
          value: z.string().optional().describe("Text to compare with; may hold {{variables}}"),
        }),
      )
      .optional()
      .describe("None: every row"),
  })
  .meta({ id: "SheetFilter", description: "Which rows are meant" })

export type SheetFilter = z.infer<typeof filterSchema>

const optionsSchema = z
  .object({
    credentialsId: z.string().optional().describe("Credential of type google sheets"),
    spreadsheetId: z.string().optional().describe("Id of the document"),
    sheetId: z.string().optional().describe("Number of the tab"),
    action: z
      .enum(["Get data from sheet", "Insert a row", "Update a row"])
      .optional()
      .describe("What to do"),
    filter: filterSchema.optional(),
    referenceCell: cellSchema
      .optional()
      .describe("Versions below 6: the row with exactly this cell"),
    cellsToExtract: z
      .array(
        z.object({
          id: idSchema.optional().describe("Id of the entry"),
          column,
          variableId: variableIdSchema.optional(),
        }),
      )
      .optional()
      .describe("Get: columns and the variables that receive them"),
    totalRowsToExtract: z
      .enum(["All", "First", "Last", "Random"])
      .optional()
      .describe("Get: which of the rows found; default All"),
    cellsToInsert: z.array(cellSchema).optional().describe("Insert: cells of the new row"),
    cellsToUpsert: z.array(cellSchema).optional().describe("Update: cells to overwrite"),
  })
  .meta({ id: "GoogleSheetsOptions", description: "What to read or write" })

export type SheetsOptions = z.infer<typeof optionsSchema>

export const googleSheetsBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Google Sheets").describe("Google Sheets"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "GoogleSheetsBlock", description: "Reads or writes rows of a spreadsheet" })

export type GoogleSheetsBlock = z.infer<typeof googleSheetsBlockSchema>
