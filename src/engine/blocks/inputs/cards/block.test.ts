/** Cards show one or many, and save the parts of the chosen one. */
import { describe, expect, it } from "vitest"
import { type SceneParts, testScene } from "../../../../../test/support/context.ts"
import { type CardsBlock, cardsBlock, cardsBlockSchema } from "./block.ts"

type Parts = Pick<CardsBlock, "items" | "options">

const block = (parts: Parts): CardsBlock => ({ id: "c", type: "cards", ...parts })

const ask = (parts: Parts, variables: SceneParts["variables"] = {}) =>
  cardsBlock.ask(block(parts), testScene({ variables }))

const reply = (parts: Parts, text: string, variables: SceneParts["variables"] = {}) =>
  cardsBlock.reply(block(parts), { type: "text", text }, testScene({ variables }))

const template = {
  id: "k",
  title: "{{T}}",
  imageUrl: "{{I}}",
  description: "of {{N}}",
  options: { internalValue: "i-{{N}}" },
  paths: [
    { id: "p", text: "Buy {{N}}", outgoingEdgeId: "eP" },
    { id: "q", text: "No" },
  ],
}

describe("18.10 the display of cards", () => {
  it("replaces variables and hides cards whose condition is false", () => {
    const displayCondition = { isEnabled: true, condition: { comparisons: [] } }
    const hidden = { id: "h", options: { displayCondition } }
    expect(ask({ items: [template, hidden] }, { T: "t", I: "i", N: "n" })).toMatchObject({
      items: [
        {
          id: "k",
          title: "t",
          imageUrl: "i",
          description: "of n",
          options: { internalValue: "i-n" },
          paths: [
            { id: "p", text: "Buy n", outgoingEdgeId: "eP" },
            { id: "q", text: "No" },
          ],
        },
      ],
    })
  })

  it("makes a card of each title of a list", () => {
    const asked = ask({ items: [template] }, { T: ["t0", "{{N}}"], I: ["i0"], N: "n" })
    const paths = (index: number) => [
      { id: `dynamic-card-${index}-path-0`, text: "Buy n", outgoingEdgeId: "eP" },
      { id: `dynamic-card-${index}-path-1`, text: "No" },
    ]
    const both = { id: "k", description: "of n", options: { internalValue: "i-n" } }
    expect(asked).toEqual({
      options: undefined,
      items: [
        { ...both, title: "t0", imageUrl: "i0", paths: paths(0) },
        { ...both, title: "{{N}}", imageUrl: undefined, paths: paths(1) },
      ],
    })
  })

  it("makes a card of each picture when the title is not a list", () => {
    expect(ask({ items: [template] }, { T: "t", I: ["i0", "i1"] })).toMatchObject({
      items: [
        { title: "t", imageUrl: "i0" },
        { title: "t", imageUrl: "i1" },
      ],
    })
  })

  it("gives each card its own internal value", () => {
    const card = { ...template, options: { internalValue: "{{Ids}}" } }
    expect(ask({ items: [card] }, { T: ["t0", "t1"], Ids: ["i0"] })).toMatchObject({
      items: [
        { title: "t0", options: { internalValue: "i0" } },
        { title: "t1", options: { internalValue: undefined } },
      ],
    })
  })

  it("does not expand one card among several", () => {
    const asked = ask(
      { items: [template, { id: "z", title: "Z" }, { id: "n", description: "no label" }] },
      { T: ["t0", "t1"] },
    )
    expect(asked).toMatchObject({ items: [{ title: '["t0","t1"]' }, { id: "z" }] })
  })

  it("shows nothing without cards", () => {
    expect(ask({})).toEqual({ items: [], options: undefined })
    expect(reply({}, "x")).toBe("retry")
  })
})

describe("18.10 a reply to cards", () => {
  const items = [
    {
      id: "a",
      title: "Cat",
      paths: [{ id: "a1", text: "Pet", outgoingEdgeId: "eA" }, { id: "a2" }],
    },
    { id: "b", imageUrl: "https://e.com/b.png", description: null, paths: [{ id: "b1" }] },
    { id: "n", description: "nameless", paths: [{ id: "n1" }] },
    { id: "d", title: "Dog" },
  ]

  it.each([
    ["a1", "Cat", "eA"],
    ["a2", "Cat", undefined],
    [" cat ", "Cat", "eA"],
    ["b1", "https://e.com/b.png", undefined],
    ["dog", "Dog", undefined],
  ])("takes %j as %j", (text, accept, edge) => {
    expect(reply({ items }, text)).toEqual({ accept, edge, set: [] })
  })

  it.each(["Pet", "", "n1", "a", "https://e.com/b.png"])("asks again after %j", (text) => {
    expect(reply({ items }, text)).toBe("retry")
  })

  it("asks again after a voice clip and without a message", () => {
    const audio = { type: "audio" as const, url: "https://e.com/a.mp3" }
    expect(cardsBlock.reply(block({ items }), audio, testScene())).toBe("retry")
    expect(cardsBlock.reply(block({ items }), undefined, testScene())).toBe("retry")
  })

  it("identifies a button by the id in the reply", () => {
    const message = { type: "text" as const, text: "Pet", metadata: { replyId: "a1" } }
    expect(cardsBlock.reply(block({ items }), message, testScene())).toMatchObject({ edge: "eA" })
  })

  it("saves the parts of the chosen card that have a value", () => {
    const saveResponseMapping = [
      { field: "Title" as const, variableId: "v1" },
      { field: "Image URL" as const, variableId: "v2" },
      { field: "Description" as const, variableId: "v3" },
      { field: "Button" as const, variableId: "v4" },
      { field: "Internal Value" as const, variableId: "v5" },
      { field: "Title" as const },
      { variableId: "v6" },
    ]
    const variables = { T: ["t0", "t1"], I: ["i0"], N: "n" }
    const parts = { items: [template], options: { saveResponseMapping } }
    expect(reply(parts, "dynamic-card-1-path-0", variables)).toEqual({
      accept: "t1",
      edge: "eP",
      set: [
        { variableId: "v1", value: "t1" },
        { variableId: "v3", value: "of n" },
        { variableId: "v4", value: "Buy n" },
        { variableId: "v5", value: "i-n" },
      ],
    })
    const plain = {
      items: [{ ...template, options: { internalValue: "" } }],
      options: parts.options,
    }
    expect(reply(plain, "p", { T: "t" })).toMatchObject({
      set: [
        { variableId: "v1", value: "t" },
        { variableId: "v2", value: "" },
        { variableId: "v3", value: "of " },
        { variableId: "v4", value: "Buy " },
      ],
    })
  })
})

describe("18.10 cardsBlock", () => {
  it("declares its buttons' edges as paths, which progress does not follow", () => {
    expect(cardsBlock.edges).toBeUndefined()
  })

  it("keeps every member that exports carry", () => {
    const stored = {
      id: "c",
      type: "cards",
      outgoingEdgeId: "e",
      items: [
        { ...template, options: { internalValue: "i", displayCondition: { isEnabled: false } } },
      ],
      options: { variableId: "v", saveResponseMapping: [{ field: "Button", variableId: "w" }] },
    }
    expect(cardsBlockSchema.parse(stored)).toEqual(stored)
  })
})
