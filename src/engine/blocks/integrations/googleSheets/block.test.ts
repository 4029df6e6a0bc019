/** Rows of spreadsheets. */
import { describe, expect, it } from "vitest"
import { testScene } from "../../../../../test/support/context.ts"
import type { Step } from "../../block.ts"
import { googleSheetsBlock } from "./block.ts"
import type { GoogleSheetsBlock, SheetsOptions } from "./schema.ts"

const blockOf = (options?: SheetsOptions): GoogleSheetsBlock =>
  googleSheetsBlock.schema.parse({ id: "b", type: "Google Sheets", options })

const place = { credentialsId: "c", spreadsheetId: "doc", sheetId: "7" }

const answer = {
  status: 200,
  text: JSON.stringify({
    valueRanges: [
      {
        valueRange: {
          range: "'My tab'!A1:C9",
          // People leave white space around titles without seeing it.
          values: [["Name ", "Age"], ["Ann", "41"], ["Bob"], ["annie", "7"]],
        },
      },
    ],
  }),
}

const callOf = ({ next }: Step<"sheet">) =>
  typeof next === "object" && "call" in next ? next.call : undefined

const context = testScene({ variables: { N: undefined, A: undefined, V: "=1+1" } })
const resume = (options: SheetsOptions, at = context) =>
  googleSheetsBlock.resume.sheet(blockOf(options), answer, at)

describe("20.7 getting data", () => {
  const get: SheetsOptions = {
    ...place,
    action: "Get data from sheet",
    cellsToExtract: [
      { column: "Name", variableId: "vN" },
      { column: "Age", variableId: "vA" },
    ],
  }

  it("needs a tab, an account and a document", () => {
    expect(googleSheetsBlock.run(blockOf(), context)).toEqual({})
    expect(googleSheetsBlock.run(blockOf({ ...get, sheetId: "" }), context)).toEqual({})
    const step = googleSheetsBlock.run(blockOf({ ...get, credentialsId: "" }), context)
    expect(step.log?.[0]?.status).toBe("error")
  })

  it("asks for the whole tab with the account", () => {
    const step = googleSheetsBlock.run(blockOf(get), context)
    expect(callOf(step)).toMatchObject({
      credential: { id: "c", type: "google sheets" },
      spreadsheetId: "doc",
      reads: { sheetId: 7 },
    })
  })

  it("takes lists from all rows and single values from one", () => {
    expect(resume(get).set).toEqual([
      { variableId: "vN", value: ["Ann", "Bob", "annie"] },
      { variableId: "vA", value: ["41", "", "7"] },
    ])
    expect(resume({ ...get, totalRowsToExtract: "First" }).set?.[0]?.value).toBe("Ann")
    expect(resume({ ...get, totalRowsToExtract: "Last" }).set?.[0]?.value).toBe("annie")
    expect(resume({ ...get, totalRowsToExtract: "Random" }).set?.[0]?.value).toBe("Bob")
  })

  it.each([
    ['=HYPERLINK("https://x.example/{{A}}","{{A}}")', '")&IMPORTDATA("https://y.example', [2, 2]],
    ["={{A}}*2", "IMPORTDATA(A1)", [1, 0]],
    ["=SUM(1,{{A}})", '1,A1:A9)&"', [1, 0]],
  ])("keeps the words of a visitor one text within the author's formula %s", (value, said) => {
    const cells = { action: "Insert a row" as const, cellsToInsert: [{ column: "Name", value }] }
    const scene = testScene({ variables: { A: said }, plain: ["A"] })
    const call = callOf(
      googleSheetsBlock.resume.sheet(blockOf({ ...get, ...cells }), answer, scene),
    )
    const row = call && "row" in call ? call.row : undefined
    const written = row?.[0] ?? ""
    // Without its texts, a formula has only the author's part.
    const bare = written.replaceAll(/"(?:[^"]|"")*"/g, "T")
    expect(bare).toBe(value.replaceAll(/"[^"]*"/g, "T").replaceAll("{{A}}", "T"))
    const number = testScene({ variables: { A: "-1.5" }, plain: ["A"] })
    const other = callOf(
      googleSheetsBlock.resume.sheet(blockOf({ ...get, ...cells }), answer, number),
    )
    expect(other && "row" in other ? other.row?.[0] : "").toBe(value.replaceAll("{{A}}", "-1.5"))
  })

  it("joins comparisons by any, unless the filter says AND", () => {
    const comparisons = [
      { column: "Name", comparisonOperator: "Contains" as const, value: "ann" },
      { column: "Age", comparisonOperator: "Greater than" as const, value: "10" },
    ]
    expect(resume({ ...get, filter: { comparisons } }).set?.[0]?.value).toEqual(["Ann", "annie"])
    expect(resume({ ...get, filter: { comparisons, logicalOperator: "AND" } }).set?.[0]).toEqual({
      variableId: "vN",
      value: "Ann",
    })
  })

  it("finds the row of a reference cell, and logs when none matches", () => {
    const found = resume({ ...get, referenceCell: { column: "Name", value: "Bob" } })
    expect(found.set?.[0]?.value).toBe("Bob")
    const none = resume({ ...get, referenceCell: { column: "Name", value: "Nobody" } })
    expect(none.set).toBeUndefined()
    expect(none.log?.[0]?.status).toBe("info")
  })

  it("reports missing columns, those of filters included", () => {
    const cellsToExtract = [
      { column: " Name", variableId: "vN" },
      { column: "Town", variableId: "vA" },
    ]
    expect(resume({ ...get, cellsToExtract, totalRowsToExtract: "First" })).toMatchObject({
      log: [{ status: "error", description: 'The sheet has no column "Town"' }],
      set: [{ value: "Ann" }, { value: "" }],
    })
    const comparisons = [{ column: "Tow", comparisonOperator: "Is set" as const }]
    expect(resume({ ...get, filter: { comparisons } }).log).toMatchObject([
      { description: 'The sheet has no column "Tow"' },
      { status: "info" },
    ])
    expect(resume(get).log).toEqual([])
  })

  it("ends the path when the account is unusable, but not when the sheet refuses", () => {
    const lost = { failed: true as const, description: "gone", reason: "credentials" as const }
    expect(googleSheetsBlock.resume.sheet(blockOf(get), lost, context).next).toBe("end")
    const refused = googleSheetsBlock.resume.sheet(blockOf(get), { status: 403, text: "" }, context)
    expect(refused.next).toBeUndefined()
    expect(refused.log?.[0]?.status).toBe("error")
  })
})

describe("20.7 writing", () => {
  const cells = [
    { column: "Age", value: "5" },
    { column: "Name", value: "{{V}}" },
    { column: "Missing", value: "x" },
    { column: "Age", value: "" },
  ]

  it("appends a row under the titles and defuses formulas from variables", () => {
    const step = resume({ ...place, action: "Insert a row", cellsToInsert: cells })
    expect(callOf(step)).toMatchObject({ appendsTo: "'My tab'!A1", row: ["'=1+1", "5"] })
    expect(step.log?.[0]?.description).toBe('The sheet has no column "Missing"')
  })

  it("leaves the author's own formulas and negative numbers alone", () => {
    const cellsToInsert = [
      { column: "Name", value: "=A1" },
      { column: "Age", value: "-5" },
    ]
    const step = resume({ ...place, action: "Insert a row", cellsToInsert })
    expect(callOf(step)).toMatchObject({ row: ["=A1", "-5"] })
  })

  it("overwrites cells of every matching row", () => {
    const step = resume({
      ...place,
      action: "Update a row",
      cellsToUpsert: [{ column: "Age", value: "9" }],
      filter: { comparisons: [{ column: "Name", comparisonOperator: "Contains", value: "ann" }] },
    })
    const cell = (row: number) => ({
      gridRange: {
        sheetId: 7,
        startRowIndex: row,
        endRowIndex: row + 1,
        startColumnIndex: 1,
        endColumnIndex: 2,
      },
      value: "9",
    })
    expect(callOf(step)).toMatchObject({ overwrites: [cell(1), cell(3)] })
  })

  it("never overwrites rows without a filter", () => {
    const update: SheetsOptions = {
      ...place,
      action: "Update a row",
      cellsToUpsert: [{ column: "Age", value: "9" }],
    }
    for (const filter of [undefined, {}, { comparisons: [] }]) {
      const step = googleSheetsBlock.run(blockOf({ ...update, filter }), context)
      expect(step.next).toBeUndefined()
      expect(step.log?.[0]?.description).toBe("No filter says which rows to update")
    }
    const referenceCell = { column: "Name", value: "Bob" }
    expect(
      callOf(googleSheetsBlock.run(blockOf({ ...update, referenceCell }), context)),
    ).toBeDefined()
  })

  const updating = (comparisons: NonNullable<SheetsOptions["filter"]>["comparisons"]) =>
    resume({
      ...place,
      action: "Update a row",
      cellsToUpsert: [{ column: "Age", value: "9" }],
      filter: { comparisons },
    })

  it.each([
    ["Not equal", "done"],
    ["Does not contain", "done"],
    ["Is empty", undefined],
    ["Equal to", "{{N}}"],
  ] as const)("overwrites nothing where a column is gone: %s %s", (comparisonOperator, value) => {
    const comparisons = [{ column: "Gone", comparisonOperator, value }]
    const step = updating(comparisons)
    expect(step.next).toBeUndefined()
    expect(step.log).toMatchObject([
      { status: "error", description: 'The sheet has no column "Gone"' },
    ])
  })

  it("overwrites nothing for a comparison without a column", () => {
    const comparisons = [{ comparisonOperator: "Not equal" as const, value: "done" }]
    const step = updating(comparisons)
    expect(step.next).toBeUndefined()
    expect(step.log?.[0]?.status).toBe("info")
  })

  it("logs when no row matches, and success after writing", () => {
    const options: SheetsOptions = {
      ...place,
      action: "Update a row",
      cellsToUpsert: [{ column: "Age", value: "9" }],
      referenceCell: { column: "Name", value: "Nobody" },
    }
    expect(resume(options).log?.[0]?.status).toBe("info")
    const written = { ...context, carry: "written" }
    expect(resume(options, written).log?.[0]?.status).toBe("success")
  })
})
