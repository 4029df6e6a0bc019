/** The choice input shows the right buttons and finds the chosen ones. */
import { describe, expect, it } from "vitest"
import { type BlockOf, type SceneParts, testScene } from "../../../../../test/support/context.ts"
import { choiceInputBlock, choiceInputBlockSchema } from "./block.ts"

type ChoiceInputBlock = BlockOf<typeof choiceInputBlock>

type Parts = Pick<ChoiceInputBlock, "items" | "options">

const block = (parts: Parts): ChoiceInputBlock => ({ id: "c", type: "choice input", ...parts })

const ask = (parts: Parts, variables: SceneParts["variables"] = {}) =>
  choiceInputBlock.ask(block(parts), testScene({ variables }))

const reply = (parts: Parts, text: string, variables: SceneParts["variables"] = {}) =>
  choiceInputBlock.reply(block(parts), { type: "text", text }, testScene({ variables }))

const isSet = (variableId: string) => ({
  isEnabled: true,
  condition: { comparisons: [{ id: "1", variableId, comparisonOperator: "Is set" as const }] },
})

const dynamic = { options: { dynamicVariableId: "vL" } }

describe("18.8 the display of a choice input", () => {
  it("replaces variables in its items and options", () => {
    const items = [{ id: "a", content: "Hi {{N}}", value: "{{N}}!" }]
    const asked = ask({ items, options: { buttonLabel: "Go {{N}}" } }, { N: "Ann" })
    expect(asked).toEqual({
      items: [{ id: "a", content: "Hi Ann", value: "Ann!" }],
      options: { buttonLabel: "Go Ann" },
    })
  })

  it("hides items whose display condition is false", () => {
    const items = [
      { id: "a", content: "A", displayCondition: isSet("vX") },
      { id: "b", content: "B", displayCondition: isSet("vY") },
      { id: "c", content: "C", displayCondition: { ...isSet("vX"), isEnabled: false } },
      { id: "d", content: "D", displayCondition: { isEnabled: true } },
    ]
    expect(ask({ items }, { Y: "1" })).toMatchObject({
      items: [{ id: "b" }, { id: "c" }, { id: "d" }],
    })
  })

  it.each([
    [
      ["x", "", null, "y", "x"],
      ["x", "y"],
    ],
    ['["x", 1, "y", {"a":1}]', ["x", "1", "y", '{"a":1}']],
    ["alone", ["alone"]],
    ["[alone", ["[alone"]],
    [[], []],
  ])("shows the elements of %j as %j", (value, contents) => {
    const items = contents.map((content, index) => ({ id: `choice${index}`, content }))
    expect(ask({ ...dynamic, items: [{ id: "s", content: "S" }] }, { L: value })).toMatchObject({
      items,
    })
  })

  it("shows its stored items while its list variable is unset", () => {
    const items = [{ id: "s", content: "Hi {{N}}" }]
    expect(ask({ ...dynamic, items }, { N: "Ann" })).toEqual({})
    expect(reply({ ...dynamic, items }, "Hi {{N}}", { N: "Ann" })).toMatchObject({
      accept: "Hi {{N}}",
    })
  })

  it("offers no item without a label, be it of a variable", () => {
    const items = [
      { id: "a", content: "{{X}}", value: "a" },
      { id: "b", content: " " },
      { id: "c", content: "C" },
      { id: "d" },
    ]
    expect(ask({ items })).toMatchObject({ items: [{ id: "c" }] })
    expect(ask({ ...dynamic, items })).toEqual({ items: [items[0], items[2]] })
    expect(ask({ ...dynamic, items: [{ id: "d" }] })).toEqual({ items: [] })
    expect(ask(dynamic, { L: [" ", "x"] })).toMatchObject({ items: [{ content: "x" }] })
    for (const text of ["a", "d"]) expect(reply({ items }, text)).toBe("retry")
  })

  it("has no items without a list of items", () => {
    expect(ask({})).toEqual({ items: [], options: undefined })
    expect(reply({}, "x")).toBe("retry")
  })
})

describe("18.8 a reply to a single choice", () => {
  const items = [
    { id: "a", content: "Yes", outgoingEdgeId: "eA" },
    { id: "b", content: "No" },
    { id: "c", content: "Maybe", value: "mb", outgoingEdgeId: "eC" },
  ]

  it.each([
    [" No ", "No", undefined],
    ["b", "No", undefined],
    ["Yes", "Yes", "eA"],
    ["Maybe", "mb", "eC"],
    [" mb", "mb", "eC"],
  ])("takes %j as %j", (text, accept, edge) => {
    expect(reply({ items }, text)).toEqual({ accept, edge })
  })

  it.each(["yes", "2", " b ", "", "Yes, No"])("asks again after %j", (text) => {
    expect(reply({ items }, text)).toBe("retry")
  })

  it("identifies an item by the id in the reply", () => {
    const message = { type: "text" as const, text: "whatever", metadata: { replyId: "a" } }
    expect(choiceInputBlock.reply(block({ items }), message, testScene())).toEqual({
      accept: "Yes",
      edge: "eA",
    })
  })

  it("takes the clicked item among several of one value, as in a quiz", () => {
    const quiz = [
      { id: "a", content: "London", value: "0", outgoingEdgeId: "eA" },
      { id: "b", content: "Berlin", value: "0", outgoingEdgeId: "eB" },
      { id: "c", content: "Paris", value: "1", outgoingEdgeId: "eC" },
    ]
    const clicked = { type: "text" as const, text: "0", metadata: { replyId: "b" } }
    expect(choiceInputBlock.reply(block({ items: quiz }), clicked, testScene())).toEqual({
      accept: "0",
      edge: "eB",
    })
    expect(reply({ items: quiz }, "0")).toEqual({ accept: "0", edge: "eA" })
  })

  it("asks again after a voice clip and without a message", () => {
    const audio = { type: "audio" as const, url: "https://e.com/a.mp3" }
    expect(choiceInputBlock.reply(block({ items }), audio, testScene())).toBe("retry")
    expect(choiceInputBlock.reply(block({ items }), undefined, testScene())).toBe("retry")
  })

  it("tries the longest label first", () => {
    const twins = [
      { id: "s", content: "b", value: "x" },
      { id: "l", content: "long", value: "b" },
    ]
    expect(reply({ items: twins }, "b")).toMatchObject({ accept: "b" })
  })

  it("does not let an empty reply choose an item without a label", () => {
    expect(reply({ items: [{ id: "a", content: "", value: "" }, { id: "b" }] }, "")).toBe("retry")
    expect(reply({ items: [{ id: "b" }] }, "b")).toBe("retry")
  })

  it("does not take an item that is hidden", () => {
    const hidden = [{ id: "a", content: "A", displayCondition: isSet("vX") }]
    expect(reply({ items: hidden }, "A")).toBe("retry")
  })

  it("follows the edge of a stored item of the same label when the chosen one has none", () => {
    const stored = [{ id: "s", content: "{{N}}", outgoingEdgeId: "eS" }]
    const variables = { L: ["Ann", "Bob"], N: "Ann" }
    expect(reply({ ...dynamic, items: stored }, "Ann", variables)).toEqual({
      accept: "Ann",
      edge: "eS",
    })
    expect(reply({ ...dynamic, items: stored }, "choice1", variables)).toEqual({
      accept: "Bob",
      edge: undefined,
    })
  })
})

describe("18.8 a reply to a multiple choice", () => {
  const many = {
    options: { isMultipleChoice: true },
    items: [
      { id: "a", content: "Red", outgoingEdgeId: "eA" },
      { id: "b", content: " Dark Red " },
      { id: "c", content: "Blue", value: "bl" },
    ],
  }

  it.each([
    ["1, 3", "Red, bl"],
    ["bl", "bl"],
    ["Dark Red and Red", "Red, Dark Red"],
    ["c b", "Dark Red, bl"],
  ])("takes %j as %j", (text, accept) => {
    expect(reply(many, text)).toEqual({ accept })
  })

  it("saves the label of an item whose value was emptied", () => {
    const items = [
      { id: "a", content: "Red", value: "" },
      { id: "b", content: "Blue", value: "{{X}}" },
    ]
    expect(reply({ ...many, items }, "Blue, Red")).toEqual({ accept: "Red, Blue" })
  })

  it("asks again when the reply names no item", () => {
    expect(reply(many, "nope")).toBe("retry")
  })
})

describe("18.8 choiceInputBlock", () => {
  it("declares the edges of its items", () => {
    const items = [{ id: "a", outgoingEdgeId: "e1" }, { id: "b" }]
    expect(choiceInputBlock.edges?.(block({ items }))).toEqual(["e1", undefined])
  })

  it("keeps every member that exports carry", () => {
    const stored = {
      id: "c",
      type: "choice input",
      outgoingEdgeId: "e",
      items: [
        {
          id: "a",
          blockId: "c",
          outgoingEdgeId: "e1",
          content: "A",
          value: "v",
          displayCondition: isSet("vX"),
        },
      ],
      options: {
        variableId: "v",
        isMultipleChoice: true,
        buttonLabel: "Go",
        dynamicVariableId: "d",
        isSearchable: true,
        searchInputPlaceholder: "Find",
        areInitialSearchButtonsVisible: false,
      },
    }
    expect(choiceInputBlockSchema.parse(stored)).toEqual(stored)
  })
})
