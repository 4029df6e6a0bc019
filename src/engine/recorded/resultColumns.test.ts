/** Tests of the columns of results and of their cells. */
import { expect, test } from "vitest"
import { ask, bot, group, idOf, say } from "../../../test/support/bots.ts"
import { prepareBot } from "../bot.ts"
import { type Column, cellsOf, collectColumns, type ResultInTable } from "./resultColumns.ts"

const titles = (columns: readonly Column[]) => columns.map(({ title }) => title)
const prepared = (flow: ReturnType<typeof bot>, version = "v") => prepareBot(flow, version, "bot")
const facts = ["id", "created", "completed", "version"]
const laterFacts = ["ended", "seconds"]

const result: ResultInTable = {
  id: "r",
  createdAt: "2026-01-02T03:04:05.678Z",
  isCompleted: true,
  versionNumber: 3,
  answers: [],
  variables: [],
}

test("inputs come in the order of the chat, named by group and variable; then the variables", () => {
  const flow = bot(
    group("Start", say("Hi"), ask.text({ saves: "Name", to: "Last" })),
    group("Lost", ask.text()),
    group("Last", ask.email({ saves: "Mail" }), ask.text()),
  )
  const collection = collectColumns()
  collection.add(prepared(flow))
  expect(titles(collection.arranged(null))).toEqual([
    ...facts,
    ...["Start: Name", "Last: Mail", "Last", "Lost"],
    ...["Name", "Mail"],
    ...laterFacts,
  ])
})

test("later facts do not change the positions and titles of older columns", () => {
  const collection = collectColumns()
  collection.add(prepared(bot({ variables: { seconds: null } }, group("ended", ask.text()))))
  expect(titles(collection.arranged(null))).toEqual([
    ...[...facts, "ended", "seconds"],
    ...["ended (2)", "seconds (2)"],
  ])
})

test("other versions add only new columns, and equal titles are numbered", () => {
  const collection = collectColumns()
  collection.add(prepared(bot(group("A", ask.text({ id: "new" })))))
  collection.add(prepared(bot(group("A", ask.text({ id: "old" }), ask.text({ id: "new" }))), "w"))
  collection.add(prepared(bot(group("A (2)", ask.text({ id: "older" }))), "x"))
  expect(titles(collection.arranged(null))).toEqual([
    ...[...facts, "A", "A (2)", "A (2) (2)"],
    ...laterFacts,
  ])
})

test("a linked bot adds new names, but no variables with a known id", () => {
  const named = (...names: string[]) => {
    const variables = names.map((name, index) => ({ id: `v${index}`, name }))
    return { ...bot(group("g")), variables }
  }
  const collection = collectColumns()
  collection.add(prepared(named("A", "B")))
  collection.add(prepareBot(named("B", "C", "D"), "v", "kid"), { isLinked: true })
  collection.add(prepareBot(named("B", "Renamed", "Renamed too"), "w", "kid"), { isLinked: true })
  const columns = collection.arranged(null).filter(({ kind }) => kind === "variable")
  expect(columns.map(({ id, title }) => [id, title])).toEqual([
    ["v0", "A"],
    ["v1", "B"],
    ["v1@kid", "C"],
    ["v2", "D"],
  ])
})

test("preferences put columns first and hide others, with any names", () => {
  const collection = collectColumns()
  collection.add(prepared(bot(group("A", ask.text({ id: "input", saves: "Name" })))))
  const preferences = {
    columnsOrder: [idOf("Name"), "gone", "input"],
    columnsVisibility: { id: false, createdAt: true, versionNumber: false },
    columnsWidth: {},
  }
  const columns = collection.arranged(preferences)
  expect(titles(columns)).toEqual(["Name", "A: Name", "created", "completed", "ended", "seconds"])
})

test("several answers are joined, files are addresses, lists are joined, and the rest is empty", () => {
  const columns: Column[] = [
    { id: "id", title: "ID", kind: "fact" },
    { id: "isCompleted", title: "Completed", kind: "fact" },
    { id: "versionNumber", title: "Version", kind: "fact" },
    { id: "a", title: "A", kind: "input" },
    { id: "b", title: "B", kind: "input" },
    { id: "a", title: "Variable", kind: "variable" },
    { id: "list", title: "List", kind: "variable" },
  ]
  const answers = [
    { blockId: "a", content: "one" },
    { blockId: "gone", content: "x" },
    { blockId: "a", content: "two", attachedFileUrls: ["https://f.example/1"] },
    { blockId: "a", content: "", attachedFileUrls: ["https://f.example/2"] },
  ]
  const variables = [{ id: "list", name: "List", value: ["a", null, "b"] }]
  expect(cellsOf({ ...result, answers, variables }, columns)).toEqual([
    "r",
    "yes",
    "3",
    "one, https://f.example/1, two, https://f.example/2",
    "",
    "",
    "a, , b",
  ])
})
