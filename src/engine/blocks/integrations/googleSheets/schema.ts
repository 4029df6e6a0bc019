/** Stored form of the Google Sheets block. */
import { z } from "zod"
import { comparisonOperatorSchema, logicalOperatorSchema } from "../../../schema/condition.ts"
import { idSchema, namedObject, optional, variableIdSchema } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { rowChoices } from "../../tableFilter.ts"

const column = optional.text("Title of the column: its cell in the first row")

const cellSchema = namedObject("SheetCell", "A cell to compare with or to write", {
  id: idSchema.optional().describe("Id of the cell"),
  column,
  value: optional.template("Value"),
})

export type SheetCell = z.infer<typeof cellSchema>

const filterSchema = namedObject("SheetFilter", "Filter of the rows", {
  logicalOperator: logicalOperatorSchema
    .optional()
    .describe("AND: all must hold; OR or absent: any"),
  comparisons: optional.list(
    "Comparisons with a row; none: every row",
    z.object({
      id: idSchema.optional().describe("Id of the comparison"),
      column,
      comparisonOperator: comparisonOperatorSchema.optional(),
      value: optional.template("Text to compare with"),
    }),
  ),
})

export type SheetFilter = z.infer<typeof filterSchema>

export const googleSheetsBlockSchema = blockSchemaOf("Google Sheets", {
  options: optional.named("GoogleSheetsOptions", "What to read or write", {
    credentialsId: optional.hinted("Credential of type google sheets", {
      credentials: "google sheets",
    }),
    spreadsheetId: optional.text("Id of the document"),
    sheetId: optional.text("Number of the tab"),
    action: optional.oneOf("What to do", ["Get data from sheet", "Insert a row", "Update a row"]),
    filter: filterSchema.optional(),
    referenceCell: cellSchema
      .optional()
      .describe("Versions below 6: the row with exactly this cell"),
    cellsToExtract: optional.entries("Get: columns and the variables that receive them", {
      column,
      variableId: variableIdSchema.optional(),
    }),
    totalRowsToExtract: optional.oneOf("Get: which of the rows found", rowChoices, "All"),
    cellsToInsert: optional.list("Insert: cells of the new row", cellSchema),
    cellsToUpsert: optional.list("Update: cells to overwrite", cellSchema),
  }),
}).meta({ id: "GoogleSheetsBlock" })

export type GoogleSheetsBlock = z.infer<typeof googleSheetsBlockSchema>
export type SheetsOptions = NonNullable<GoogleSheetsBlock["options"]>
