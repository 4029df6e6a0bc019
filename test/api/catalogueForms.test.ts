/**
 * A library that knows nothing of this service makes a form of every schema of the catalogue. Filled at
 * random, it yields what the API takes; what is spoilt at one place is refused by both, and there.
 */
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { type CatalogueEntry, catalogueEntries } from "../../src/authoring/catalogue/catalogue.ts"
import type { JsonSchema } from "../../src/authoring/catalogue/editorSchema.ts"
import { flattenIssues } from "../../src/authoring/lint/issues.ts"
import { validateChanges } from "../../src/authoring/upgrade/validateFlow.ts"
import { newBotSchema } from "../../src/bots/botInput.ts"
import { fillForm, renderForm } from "../support/forms.mjs"
import { hostileObject } from "../support/hostile.ts"
import { judgeOf, pathsIn, placeOf, spoils, spoilt } from "../support/jsonSchema.ts"
import { testServer } from "../support/server.ts"

const entries = [...catalogueEntries()]
const named = entries.map((entry) => [`${entry.kind} ${entry.type}`, entry] as const)

type Part = Record<string, unknown>

/** Anything that fits the schema of a type. */
function anyPart({ type, schema }: CatalogueEntry): fc.Arbitrary<Part> {
  const known = { edges: ["e1"], groups: ["g1"], blocks: ["b1"], bots: ["current"] }
  return hostileObject(schema, known).map((part) => ({ ...part, id: "new", type }))
}

/** A bot with this block or event, and the place where it is. */
function botWith({ kind, type }: CatalogueEntry, part: Part): { bot: Part; at: string } {
  const graphCoordinates = { x: 0, y: 0 }
  const start = { id: "start", type: "start", graphCoordinates }
  if (kind !== "event") {
    const group = { id: "g1", title: "Group", graphCoordinates, blocks: [part] }
    return { bot: { events: [start], groups: [group] }, at: "/groups/0/blocks/0" }
  }
  const isStart = type === "start"
  return { bot: { events: isStart ? [part] : [start, part] }, at: `/events/${isStart ? 0 : 1}` }
}

/** The places within a block or event at which the API refuses it. */
function refusedAt(entry: CatalogueEntry, part: Part): string[] {
  const { bot, at } = botWith(entry, part)
  const read = validateChanges(newBotSchema, bot)
  if (read.success) return []
  return flattenIssues(read.error.issues, bot).map(({ path }) => placeOf(path).slice(at.length))
}

describe.each(named)("the form of %s", (_, entry) => {
  const parts = anyPart(entry)
  const judge = judgeOf(entry.schema)

  it("shows every option by its title", () => {
    const formData = { id: "new", ...entry.defaults }
    const page = renderForm(entry.schema, formData)
    const shown = (schema: JsonSchema): JsonSchema[] =>
      Object.values((schema.properties ?? {}) as Record<string, JsonSchema>).flatMap((member) => [
        member,
        ...shown(member),
      ])
    for (const { title } of shown(entry.schema)) expect(page).toContain(String(title))
  })

  it("yields what the API takes, however it is filled", () => {
    fc.assert(
      fc.property(parts, (sent) => {
        const { part, errors } = fillForm(entry.schema, sent)
        expect(errors).toEqual([])
        expect(refusedAt(entry, part)).toEqual([])
      }),
      { numRuns: 15 },
    )
  })

  it("is refused where the API refuses what it holds, and nowhere else", () => {
    fc.assert(
      fc.property(parts, fc.nat(), fc.constantFrom(...spoils), (sent, nth, spoil) => {
        // Of another type, it is another block.
        const paths = pathsIn(sent).filter((path) => path[0] !== "type")
        const spoiled = spoilt(sent, paths[nth % paths.length] ?? [], spoil)
        const [ofSchema, ofApi] = [judge(spoiled), refusedAt(entry, spoiled)]
        expect({ spoiled, isRefused: ofSchema.length > 0, ofApi }).toEqual({
          spoiled,
          isRefused: ofApi.length > 0,
          ofApi: ofApi.length > 0 ? expect.arrayContaining([expect.toSatisfy(isIn(ofSchema))]) : [],
        })
      }),
      { numRuns: 60 },
    )
  })
})

const isIn = (places: readonly string[]) => (place: string) => places.includes(place)

test("a new bot takes each new block and event, and each that a form was filled with at random", async () => {
  const server = await testServer()
  const { body } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = body.workspaces as { id: string }[]
  const create = (bot: Part) =>
    server.send("POST", "/api/v1/bots", { body: { workspaceId: workspace?.id, bot } })
  for (const entry of entries) {
    const [random = {}] = fc.sample(anyPart(entry), { numRuns: 1 })
    for (const sent of [{ id: "new", ...entry.defaults }, random]) {
      const { part } = fillForm(entry.schema, sent)
      const reply = await create(botWith(entry, part).bot)
      expect({ type: entry.type, reply }).toMatchObject({ reply: { status: 200 } })
    }
    const { bot, at } = botWith(entry, { ...random, outgoingEdgeId: 5 })
    const refusal = await create(bot)
    expect(refusal).toMatchObject({
      status: 400,
      body: { issues: [{ pointer: `/bot${at}/outgoingEdgeId` }] },
    })
    expect(judgeOf(entry.schema)({ ...random, outgoingEdgeId: 5 })).toEqual(["/outgoingEdgeId"])
  }
})
