/** The schema of bot files agrees with imports. */
import { readFileSync } from "node:fs"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { convertedFile, fixtureBot, fixtureNames } from "../../../test/support/fixtureBots.ts"
import { judgeOf, pathsIn, placeOf, spoils, spoilt } from "../../../test/support/jsonSchema.ts"
import { flattenIssues } from "../lint/issues.ts"
import { readImport } from "../upgrade/importedBot.ts"
import { botFileSchemaOf } from "./botFileSchema.ts"
import { catalogueEntries } from "./catalogue.ts"

const judge = judgeOf(botFileSchemaOf([...catalogueEntries()]))
const graphCoordinates = { x: 0, y: 0 }
const start = { id: "start", type: "start" }

/** The places at which an import refuses a file. */
function refusedAt(bot: object): string[] {
  const read = readImport(structuredClone(bot))
  return read.success ? [] : flattenIssues(read.error.issues, bot).map(({ path }) => placeOf(path))
}

test.each(fixtureNames)("it accepts the file %s, and its imported form", (name) => {
  const converted = JSON.parse(readFileSync(convertedFile(name), "utf8"))
  for (const bot of [fixtureBot(name), converted]) {
    expect(refusedAt(bot)).toEqual([])
    expect(judge(bot)).toEqual([])
  }
})

test("it refuses a file with one broken place if an import does, at that place", () => {
  const bots = fixtureNames.map((name) => fixtureBot(name))
  fc.assert(
    fc.property(
      fc.constantFrom(...bots),
      fc.nat(),
      fc.constantFrom(...spoils),
      (bot, nth, spoil) => {
        const paths = pathsIn(bot)
        const spoiled = spoilt(bot, paths[nth % paths.length] ?? [], spoil)
        const [ofSchema, ofImport] = [judge(spoiled), refusedAt(spoiled)]
        const both = ofImport.filter((place) => ofSchema.includes(place))
        expect({ ofImport, isRefused: ofSchema.length > 0, both: both.length > 0 }).toEqual({
          ofImport,
          isRefused: ofImport.length > 0,
          both: ofImport.length > 0,
        })
      },
    ),
    { numRuns: 3_000 },
  )
})

describe("it accepts files that an import completes", () => {
  const cases: [string, object][] = [
    ["an empty object", {}],
    ["its own name in `$schema`", { $schema: "https://bots.example.com/schemas/bot.json" }],
    ["groups with an id alone", { version: "6.1", events: [start], groups: [{ id: "g" }] }],
    ["a version that is a number", { version: 6.1, events: [start] }],
    ["events anywhere", { events: [start, { id: "a", type: "reply" }] }],
    [
      "edges that name a block alone",
      {
        events: [start],
        groups: [{ id: "g", blocks: [{ id: "b", type: "text" }] }],
        edges: [{ id: "e", from: { eventId: "start" }, to: { blockId: "b" } }],
      },
    ],
    ["blocks of unknown types", { groups: [{ id: "g", blocks: [{ id: "b", type: "hologram" }] }] }],
    ["null for absent members", { name: null, groups: null, theme: null, events: null }],
    ["edges of any form in old versions", { version: "4", edges: [{ id: 5 }] }],
    ["events of any form in old versions", { version: "5", events: "none" }],
  ]
  it.each(cases)("%s", (_, bot) => {
    expect(judge(bot)).toEqual([])
    expect(refusedAt(bot)).toEqual([])
  })
})

describe("it refuses files that no import accepts", () => {
  const placed = { ...start, graphCoordinates }
  const cases: [string, object, string][] = [
    ["events without a start", { version: "6.1", events: [] }, "/events"],
    ["two starts", { events: [placed, { ...placed, id: "b" }] }, "/events"],
    ["a start that is not the first", { events: [{ id: "a", type: "idle" }, placed] }, "/events"],
    ["events of unknown types", { events: [placed, { id: "a", type: "x" }] }, "/events/1/type"],
    [
      "edges from nowhere",
      { events: [placed], edges: [{ id: "e", from: {}, to: { groupId: "g" } }] },
      "/edges/0/from",
    ],
    [
      "edges to nowhere",
      { events: [placed], edges: [{ id: "e", from: { blockId: "b" }, to: {} }] },
      "/edges/0/to/groupId",
    ],
    ["an unknown version", { version: "7" }, "/version"],
  ]
  it.each(cases)("%s", (_, bot, place) => {
    expect(judge(bot)).toContain(place)
    expect(refusedAt(bot)).toContain(place)
  })
})
