/** NocoDB records. */
import { describe, expect, it } from "vitest"
import { httpCallOf, testScene } from "../../../../../test/support/context.ts"
import { nocodbBlock } from "./block.ts"
import type { NocodbBlock, NocodbOptions } from "./schema.ts"

const blockOf = (options: NocodbOptions): NocodbBlock =>
  nocodbBlock.schema.parse({
    id: "b",
    type: "nocodb",
    options: { credentialsId: "c", tableId: "t", ...options },
  })

const sceneWith = (carry?: unknown, variables = {}) => ({ ...testScene({ variables }), carry })
const answerOf = (data: unknown) => ({ status: 200, text: JSON.stringify(data) })
const people = [
  { Id: 1, Name: "Ann", Age: 41 },
  { Id: 2, Name: "Smith, Bob", Age: null },
]

describe("21.14 searching records", () => {
  const search: NocodbOptions = {
    action: "Search Records",
    viewId: "v",
    filter: {
      joiner: "OR",
      comparisons: [
        { input: "Name", value: "{{N}}" },
        { input: "Name", operator: "Starts with", value: "A" },
        { input: "Age", operator: "Is set" },
      ],
    },
    responseMapping: [
      { fieldName: "Name", variableId: "vN" },
      { fieldName: "Nope", variableId: "vX" },
    ],
  }

  it("filters at the server", () => {
    const call = httpCallOf(nocodbBlock.run(blockOf(search), sceneWith(undefined, { N: "Ann" })))
    expect(call?.request).toEqual({
      method: "GET",
      url: [
        { secret: "baseUrl", fallback: "https://app.nocodb.com", as: "base" },
        "/api/v2/tables/t/records",
      ],
      headers: [["xc-token", [{ secret: "apiKey" }]]],
      query: [
        ["limit", "1000"],
        ["viewId", "v"],
        ["where", "(Name,eq,Ann)~or(Name,like,A%)~or(Age,notblank)"],
      ],
    })
  })

  it.each([
    ["OR", "(Name,eq,Ann)~or(Age,gt,40)", ["Ann", "B,ob"]],
    ["AND", "(Name,eq,Ann)~and(Age,gt,40)", []],
    [undefined, "(Name,eq,Ann)~and(Age,gt,40)", []],
  ] as const)("joins conditions by %s, at the server and here", (joiner, where, found) => {
    const filterFor = (name: string) => ({
      ...(joiner && { joiner }),
      comparisons: [
        { input: "Name", operator: "Equal to" as const, value: name },
        { input: "Age", operator: "Greater than" as const, value: "40" },
      ],
    })
    const responseMapping = [{ fieldName: "Name", variableId: "vN" }]
    const filter = filterFor("Ann")
    const call = httpCallOf(
      nocodbBlock.run(blockOf({ ...search, filter, responseMapping }), sceneWith()),
    )
    expect(call?.request.query).toContainEqual(["where", where])
    const records = [
      { Id: 1, Name: "Ann", Age: 12 },
      { Id: 2, Name: "B,ob", Age: 41 },
      { Id: 3, Name: "Cy", Age: 7 },
    ]
    const here = blockOf({ ...search, filter: filterFor("A,nn"), responseMapping })
    const named = records.map((each) => (each.Id === 1 ? { ...each, Name: "A,nn" } : each))
    const step = nocodbBlock.resume.http(here, answerOf({ list: named }), sceneWith())
    const names = found.map((name) => (name === "Ann" ? "A,nn" : name))
    expect(step.set?.flatMap(({ value }) => value) ?? []).toEqual(names)
  })

  it("filters here when a value could be read as more conditions", () => {
    const N = "x)~or(Id,gt,0"
    const filter = { comparisons: [{ input: "Name", value: "{{N}}" }] }
    const block = blockOf({ ...search, filter })
    const call = httpCallOf(nocodbBlock.run(block, sceneWith(undefined, { N })))
    expect(call?.request.query).toEqual([
      ["limit", "1000"],
      ["viewId", "v"],
    ])
    const none = nocodbBlock.resume.http(block, answerOf({ list: people }), sceneWith(null, { N }))
    expect(none.log?.[0]?.status).toBe("info")
    const bob = sceneWith(null, { N: "Smith, Bob" })
    const found = nocodbBlock.resume.http(block, answerOf({ list: people }), bob)
    expect(found.set).toEqual([{ variableId: "vN", value: "Smith, Bob" }])
  })

  it.each([
    ["Equal to", "(Name,eq,a_b%)"],
    ["Not equal", "(Name,neq,a_b%)"],
    ["Contains", undefined],
    ["Starts with", undefined],
    ["Ends with", undefined],
  ] as const)("reads an underscore as a pattern only where the server does: %s", (operator, where) => {
    const filter = { comparisons: [{ input: "Name", operator, value: "a_b%" }] }
    const call = httpCallOf(nocodbBlock.run(blockOf({ ...search, filter }), sceneWith()))
    expect(Object.fromEntries(call?.request.query ?? []).where).toBe(where)
  })

  it("reads page after page, at most ten pages", () => {
    const block = blockOf({ ...search, filter: { comparisons: [{ input: "Name", value: "A,B" }] } })
    const row = { Id: 1, Name: "A,B", Unused: "x" }
    const offsets: unknown[] = []
    let step = nocodbBlock.run(block, sceneWith())
    for (let call = httpCallOf(step); call; call = httpCallOf(step)) {
      offsets.push(Object.fromEntries(call.request.query ?? []).offset)
      expect(JSON.stringify(call.carry)).not.toContain("Unused")
      const data = { list: [row, { Name: "C" }], pageInfo: { totalRows: 900 } }
      step = nocodbBlock.resume.http(block, answerOf(data), sceneWith(call.carry))
    }
    expect(offsets).toEqual([undefined, "2", "4", "6", "8", "10", "12", "14", "16", "18"])
    expect(step.set).toEqual([{ variableId: "vN", value: Array(10).fill("A,B") }])
  })

  it.each([
    ["at the last page", [{ Name: "Ann" }], 1, "Ann"],
    ["at an empty page", [], 9, undefined],
    [
      "with a thousand records",
      Array(1_001).fill({ Name: "Ann" }),
      5_000,
      Array(1_000).fill("Ann"),
    ],
  ])("reads no further %s", (_, list, totalRows, value) => {
    const block = blockOf({ ...search, filter: {} })
    const data = { list, pageInfo: { totalRows } }
    const step = nocodbBlock.resume.http(block, answerOf(data), sceneWith(null))
    expect(httpCallOf(step)).toBeUndefined()
    expect(step.set?.[0]?.value).toEqual(value)
  })

  it("keeps a list or one value per field, and logs a field that does not exist", () => {
    const all = nocodbBlock.resume.http(
      blockOf({ ...search, filter: {} }),
      answerOf({ list: people }),
      sceneWith(null),
    )
    expect(all.set).toEqual([{ variableId: "vN", value: ["Ann", "Smith, Bob"] }])
    expect(all.log?.[0]?.description).toBe('The table has no field "Nope"')
    const first = nocodbBlock.resume.http(
      blockOf({ ...search, filter: {}, returnType: "First" }),
      answerOf({ list: people }),
      sceneWith(null),
    )
    expect(first.set).toEqual([{ variableId: "vN", value: "Ann" }])
  })
})

describe("21.14 creating a record", () => {
  const block = blockOf({
    action: "Create Record",
    fields: [
      { key: "Name", value: "Ann" },
      { key: "Orders", value: "7, 8" },
      { key: "Empty", value: "{{Unset}}" },
    ],
  })

  it("writes plain fields and then links relations", () => {
    const columns = httpCallOf(nocodbBlock.run(block, sceneWith()))
    expect(JSON.stringify(columns?.request.url)).toContain("/api/v2/meta/tables/t")
    const meta = { columns: [{ title: "Orders", id: "col", uidt: "Links" }] }
    const create = httpCallOf(
      nocodbBlock.resume.http(block, answerOf(meta), sceneWith(columns?.carry)),
    )
    expect(create?.request.body).toMatchObject({ text: '{"Name":"Ann"}' })
    const link = httpCallOf(
      nocodbBlock.resume.http(block, answerOf({ Id: 5 }), sceneWith(create?.carry)),
    )
    expect(JSON.stringify(link?.request.url)).toContain("/api/v2/tables/t/links/col/records/5")
    expect(link?.request.body).toMatchObject({ text: '[{"Id":"7"},{"Id":"8"}]' })
    expect(nocodbBlock.resume.http(block, answerOf(true), sceneWith(link?.carry))).toEqual({})
  })

  it("links by ids with a lone surrogate", () => {
    const carry = { step: "created", links: [{ columnId: "\ud83d", ids: ["7"] }] }
    const link = httpCallOf(nocodbBlock.resume.http(block, answerOf({ Id: 5 }), sceneWith(carry)))
    expect(JSON.stringify(link?.request.url)).toContain("/links/%EF%BF%BD/records/5")
  })

  it("writes every field without access to the columns", () => {
    const refused = { status: 403, text: "" }
    const step = nocodbBlock.resume.http(block, refused, sceneWith({ step: "columns" }))
    expect(httpCallOf(step)?.request.body).toMatchObject({ text: '{"Name":"Ann","Orders":"7, 8"}' })
  })
})

describe("21.14 updating records", () => {
  const update: NocodbOptions = {
    action: "Update Existing Record",
    filter: { comparisons: [{ input: "Name", operator: "Is set" }] },
    updates: [
      { fieldName: "Age", value: "5" },
      { fieldName: "Note", value: "{{Unset}}" },
    ],
  }

  it("overwrites all matches, and clears fields for empty values", () => {
    const search = httpCallOf(nocodbBlock.run(blockOf(update), sceneWith()))
    const step = nocodbBlock.resume.http(
      blockOf(update),
      answerOf({ list: people }),
      sceneWith(search?.carry),
    )
    const call = httpCallOf(step)
    expect(call?.request.method).toBe("PATCH")
    expect(call?.request.body).toMatchObject({
      text: '[{"Id":1,"Age":"5","Note":null},{"Id":2,"Age":"5","Note":null}]',
    })
    const done = nocodbBlock.resume.http(blockOf(update), answerOf([]), sceneWith(call?.carry))
    expect(done).toEqual({})
  })

  it("overwrites those of every page, each by its id as the table spells it", () => {
    const block = blockOf(update)
    const page = (list: object[]) => answerOf({ list, pageInfo: { totalRows: 2 } })
    const first = httpCallOf(nocodbBlock.run(block, sceneWith()))
    const second = httpCallOf(
      nocodbBlock.resume.http(block, page([{ id: 1 }]), sceneWith(first?.carry)),
    )
    const step = nocodbBlock.resume.http(block, page([{ id: 2 }]), sceneWith(second?.carry))
    expect(httpCallOf(step)?.request.body).toMatchObject({
      text: '[{"id":1,"Age":"5","Note":null},{"id":2,"Age":"5","Note":null}]',
    })
  })

  it.each([
    "Contains",
    "Starts with",
    "Ends with",
    "Greater than",
    "Less than",
  ] as const)("changes no record without a value that it %s", (operator) => {
    const filter = { comparisons: [{ input: "Name", operator, value: "{{Unset}}" }] }
    const block = blockOf({ ...update, filter })
    const search = httpCallOf(nocodbBlock.run(block, sceneWith()))
    expect(Object.fromEntries(search?.request.query ?? [])).not.toHaveProperty("where")
    const step = nocodbBlock.resume.http(
      block,
      answerOf({ list: people }),
      sceneWith(search?.carry),
    )
    expect(step).toEqual({ log: [{ status: "info", description: expect.any(String) }] })
  })

  it("reports matching records without an id, which cannot be changed", () => {
    const search = httpCallOf(nocodbBlock.run(blockOf(update), sceneWith()))
    const list = [{ customer: 7, Name: "Ann" }]
    const step = nocodbBlock.resume.http(
      blockOf(update),
      answerOf({ list }),
      sceneWith(search?.carry),
    )
    expect(httpCallOf(step)).toBeUndefined()
    expect(step.log).toMatchObject([
      { status: "error", description: "The records cannot be changed without an Id" },
    ])
  })

  it("never changes a table without a filter", () => {
    const step = nocodbBlock.run(blockOf({ ...update, filter: { comparisons: [] } }), sceneWith())
    expect(step.log?.[0]?.description).toBe("No filter is given")
  })
})
