/** Bots from files of many origins. */
import { describe, expect, test } from "vitest"
import { flowOfImport, importedBotSchema, readImport } from "./importedBot.ts"

const at = { x: 0, y: 0 }
const event = { id: "ev", type: "start", graphCoordinates: at }
const startBlock = { id: "s", type: "start", label: "Start" }

describe("1.1 a file", () => {
  test("with only a start event is a bot", () => {
    expect(importedBotSchema.parse({ events: [{ id: "ev", type: "start" }] })).toEqual({
      version: "6.1",
      name: "My bot",
      events: [event],
      groups: [],
      edges: [],
      variables: [],
      theme: {},
      settings: {},
      icon: null,
      folderId: null,
      resultsTablePreferences: null,
      selectedThemeTemplateId: null,
    })
  })

  test("may have null for absent members", () => {
    const members = ["name", "groups", "edges", "variables", "theme", "settings", "version"]
    const nulls = Object.fromEntries(members.map((member) => [member, null]))
    const bot = importedBotSchema.parse({ ...nulls, events: [event] })
    expect(bot).toMatchObject({ version: "6.1", name: "My bot", groups: [], settings: {} })
  })

  test("may have null at any depth, except in blocks of unknown types", () => {
    const bot = importedBotSchema.parse({
      events: [{ ...event, outgoingEdgeId: null }],
      groups: [
        {
          ...{ id: "g", title: null, graphCoordinates: null },
          blocks: [
            { id: "t", type: "text", outgoingEdgeId: null, content: { richText: [{ url: null }] } },
            { id: "i", type: "text input", options: { variableId: null, labels: null } },
            { id: "c", type: "choice input", options: null, items: [{ id: "x", content: null }] },
            { id: "h", type: "hologram", options: { size: null } },
          ],
        },
      ],
      variables: [{ id: "v", name: "L", value: ["a", null] }],
      theme: { general: { font: null } },
    })
    expect(bot.events).toEqual([event])
    expect(bot.groups).toEqual([
      {
        ...{ id: "g", title: "Group #1", graphCoordinates: at },
        blocks: [
          { id: "t", type: "text", content: { richText: [{ url: null }] } },
          { id: "i", type: "text input", options: {} },
          { id: "c", type: "choice input", items: [{ id: "x" }] },
          { id: "h", type: "hologram", options: { size: null } },
        ],
      },
    ])
    expect(bot.variables).toEqual([{ id: "v", name: "L", value: ["a", null] }])
    expect(bot.theme).toEqual({ general: {} })
  })

  test("without version and events is version 3", () => {
    expect(importedBotSchema.parse({ groups: [{ id: "g", blocks: [startBlock] }] })).toMatchObject({
      version: "3",
      events: null,
      groups: [{ id: "g", title: "Group #1", graphCoordinates: at }],
    })
  })

  test("may have edges that name a block alone", () => {
    const { version, edges } = importedBotSchema.parse({
      events: [{ ...event, outgoingEdgeId: "e" }],
      groups: [{ id: "g", title: "G", blocks: [{ id: "b", type: "text", content: {} }] }],
      edges: [{ id: "e", from: { eventId: "ev" }, to: { blockId: "b" } }],
    })
    expect({ version, edges }).toEqual({
      version: "6.1",
      edges: [{ id: "e", from: { eventId: "ev" }, to: { groupId: "g", blockId: "b" } }],
    })
    expect(() =>
      importedBotSchema.parse({
        events: [event],
        edges: [{ id: "e", from: { eventId: "ev" }, to: { blockId: "nowhere" } }],
      }),
    ).toThrow()
  })

  test("may name its version as a number", () => {
    expect(importedBotSchema.parse({ version: 6, events: [event] }).version).toBe("6")
  })

  test("loses members that an import does not take", () => {
    const bot = importedBotSchema.parse({
      events: [event],
      publicId: "taken",
      riskLevel: 5,
      typebotId: "x",
    })
    for (const member of ["publicId", "riskLevel", "typebotId"]) {
      expect(bot).not.toHaveProperty(member)
    }
  })

  test("of an unknown version, without shape or with a wrong start is refused", () => {
    const refused = [
      { version: "6.2", events: [event] },
      { version: "2", groups: [] },
      { version: { toString: 1, valueOf: 1 }, groups: [] },
      { events: [{ ...event, type: "command" }] },
      { events: [event, { ...event, id: "second" }] },
      { events: [event], groups: {} },
      { events: [event], name: "" },
      "text",
      [],
    ]
    for (const raw of refused) expect(importedBotSchema.safeParse(raw).success).toBe(false)
  })
})

describe("1.5 the flow of a file", () => {
  const flowOf = (raw: object) => flowOfImport(importedBotSchema.parse(raw), () => "new")

  test("is brought up to date", () => {
    const flow = flowOf({ version: "5", groups: [{ id: "g", blocks: [startBlock] }] })
    expect(flow).toMatchObject({ version: "6.1", groups: [], events: [{ id: "g" }] })
  })

  test("of version 6 keeps its version, which determines its look", () => {
    expect(flowOf({ version: "6", events: [event] }).version).toBe("6")
  })

  test("that claims version 6 but starts at a block is read as version 5", () => {
    const flow = flowOf({ version: "6", groups: [{ id: "g", blocks: [startBlock] }] })
    expect(flow).toMatchObject({ version: "6.1", events: [{ id: "g" }] })
  })

  test("needs a start", () => {
    const refusal = "Invalid bot file: start event is missing"
    expect(() => flowOf({ version: "6", groups: [] })).toThrow(refusal)
    expect(() => flowOf({ version: "4" })).toThrow(refusal)
    const places = ["6", "4"].map((version) => {
      const bot = importedBotSchema.parse({ version, groups: [] })
      try {
        return flowOfImport(bot, () => "new", ["bot"])
      } catch (error) {
        return error
      }
    })
    const at = (part: string) => ({
      path: ["bot", part],
      pointer: `/bot/${part}`,
      code: "no-start",
    })
    expect(places).toMatchObject([{ issues: [at("events")] }, { issues: [at("groups")] }])
  })
})

describe("completing a hostile file", () => {
  const many = 100_000
  let looks = 0
  const watched = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get(target, name) {
        if (Object.hasOwn(target, name) && name !== "length") looks += 1
        return Reflect.get(target, name)
      },
    })
  const looksAt = (bot: object) => {
    looks = 0
    readImport(bot)
    return looks
  }
  const strange = () =>
    watched(Object.fromEntries(Array.from({ length: many }, (_, n) => [`m${n}`, 0])))
  const group = { id: "g", title: "A", graphCoordinates: { x: 0, y: 0 }, blocks: [] }
  const few = 100

  test("reads no unknown members", () => {
    expect(looksAt(strange())).toBeLessThan(few)
    expect(looksAt({ groups: [strange()] })).toBeLessThan(few)
  })

  test.each([
    ["edges", {}],
    ["edges", { version: "3" }],
    ["events", { version: "6" }],
    ["variables", {}],
  ])("reads none of too many %s: %j", (name, bot) => {
    const list = watched(Array.from({ length: many }, () => ({})))
    expect(looksAt({ ...bot, groups: [group], [name]: list })).toBeLessThan(few)
  })

  test("counts too many blocks, and reads none", () => {
    const blocks = watched(Array.from({ length: many }, () => ({})))
    expect(looksAt({ groups: [{ ...group, blocks }] })).toBeLessThan(few)
    const groups = watched(Array.from({ length: many }, () => ({ ...group, blocks: [{}] })))
    // Once for the completion and once for the validation.
    expect(looksAt({ groups })).toBeLessThan(2 * many + few)
  })

  test("copies no object without null", () => {
    const options = strange()
    const block = { id: "b", type: "text input", options }
    expect(looksAt({ groups: [{ ...group, blocks: [block] }] })).toBeLessThan(many + few)
  })
})
