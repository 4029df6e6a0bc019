/** The picture choice input shows the right pictures and finds the chosen ones. */
import { describe, expect, it } from "vitest"
import { type BlockOf, type SceneParts, testScene } from "../../../../../test/support/context.ts"
import { pictureChoiceInputBlock, pictureChoiceInputBlockSchema } from "./block.ts"

type PictureChoiceInputBlock = BlockOf<typeof pictureChoiceInputBlock>
type Parts = Pick<PictureChoiceInputBlock, "items" | "options">

const block = (parts: Parts): PictureChoiceInputBlock => ({
  id: "c",
  type: "picture choice input",
  ...parts,
})

const ask = (parts: Parts, variables: SceneParts["variables"] = {}) =>
  pictureChoiceInputBlock.ask(block(parts), testScene({ variables }))

const reply = (parts: Parts, text: string, variables: SceneParts["variables"] = {}) =>
  pictureChoiceInputBlock.reply(block(parts), { type: "text", text }, testScene({ variables }))

const dynamic = {
  options: {
    dynamicItems: {
      isEnabled: true,
      titlesVariableId: "vT",
      descriptionsVariableId: "vD",
      pictureSrcsVariableId: "vP",
    },
  },
}

describe("18.9 the display of a picture choice", () => {
  it("replaces variables in its items and hides those whose condition is false", () => {
    const condition = { comparisons: [] }
    const items = [
      { id: "a", title: "{{N}}", pictureSrc: "https://e.com/{{N}}", description: "of {{N}}" },
      { id: "b", displayCondition: { isEnabled: true, condition } },
    ]
    expect(ask({ items }, { N: "x" })).toMatchObject({
      items: [{ id: "a", title: "x", pictureSrc: "https://e.com/x", description: "of x" }],
    })
  })

  it("makes an item of each source, with title and description of the same place", () => {
    const variables = { P: ["p0", null, "p2"], T: ["t0", "t1", "t2"], D: "d0" }
    expect(ask({ ...dynamic, items: [{ id: "s" }] }, variables)).toMatchObject({
      items: [
        { id: "0", pictureSrc: "p0", title: "t0", description: "d0" },
        { id: "2", pictureSrc: "p2", title: "t2", description: "" },
      ],
    })
  })

  it("shows its stored items while its list of sources is unset", () => {
    expect(ask({ ...dynamic, items: [{ id: "s", title: "{{N}}" }] })).toEqual({})
  })

  it("shows its own items unless dynamic ones are enabled", () => {
    const dynamicItems = { ...dynamic.options.dynamicItems, isEnabled: false }
    const asked = ask({ options: { dynamicItems }, items: [{ id: "s", title: "S" }] }, { P: ["p"] })
    expect(asked).toMatchObject({ items: [{ id: "s" }] })
  })

  it("shows nothing without items", () => {
    expect(ask({})).toEqual({ items: [], options: undefined })
  })
})

describe("18.9 a reply to a picture choice", () => {
  const items = [
    { id: "a", title: "Cat", pictureSrc: "https://e.com/cat.png", outgoingEdgeId: "eA" },
    { id: "b", title: "", pictureSrc: "https://e.com/dog.png" },
    { id: "c", title: "Owl", value: "o" },
  ]

  it.each([
    ["Cat", "Cat", "eA"],
    ["a", "Cat", "eA"],
    ["https://e.com/dog.png", "https://e.com/dog.png", undefined],
    ["Owl", "o", undefined],
  ])("takes %j as %j", (text, accept, edge) => {
    expect(reply({ items }, text)).toEqual({ accept, edge })
  })

  it.each(["cat", "https://e.com/cat.png", "1", ""])("asks again after %j", (text) => {
    expect(reply({ items }, text)).toBe("retry")
  })

  it("takes several", () => {
    const options = { isMultipleChoice: true }
    expect(reply({ items, options }, "owl, 1, https://e.com/dog.png")).toEqual({
      accept: "Cat, https://e.com/dog.png, o",
    })
  })

  it("takes dynamic items and follows the edge of a stored one of the same title", () => {
    const variables = { P: ["p0", "p1"], T: ["t0", "Cat"] }
    expect(reply({ ...dynamic, items }, "1", variables)).toEqual({ accept: "Cat", edge: "eA" })
    expect(reply({ ...dynamic, items }, "t0", variables)).toEqual({ accept: "t0", edge: undefined })
  })

  it("4.6 follows the edge of a stored picture without a title by its address", () => {
    const untitled = [{ id: "a", pictureSrc: "https://e.com/{{N}}.png", outgoingEdgeId: "eA" }]
    const variables = { P: ["https://e.com/cat.png"], N: "cat" }
    const accepted = { accept: "https://e.com/cat.png", edge: "eA" }
    expect(reply({ ...dynamic, items: untitled }, "0", variables)).toEqual(accepted)
  })

  it("prefers a title that looks like the id of a dynamic item", () => {
    const several = { options: { ...dynamic.options, isMultipleChoice: true } }
    const variables = { P: ["p0", "p1", "p2"], T: ["2", "1", "1 bed"] }
    expect(reply(dynamic, "2", variables)).toMatchObject({ accept: "2" })
    expect(reply(dynamic, "0", variables)).toMatchObject({ accept: "2" })
    expect(reply(several, "1 bed", variables)).toEqual({ accept: "1 bed" })
    const pages = ["https://e.com/1.png", "https://e.com/2.png"]
    expect(reply(several, pages[0] ?? "", { P: pages })).toEqual({ accept: pages[0] })
  })
})

describe("18.9 pictureChoiceInputBlock", () => {
  it("keeps every member that exports carry", () => {
    const stored = {
      id: "c",
      type: "picture choice input",
      outgoingEdgeId: "e",
      items: [
        {
          id: "a",
          blockId: "c",
          outgoingEdgeId: "e1",
          pictureSrc: "p",
          title: "t",
          description: "d",
          value: "v",
          displayCondition: { isEnabled: false },
        },
      ],
      options: {
        variableId: "v",
        isMultipleChoice: true,
        isSearchable: true,
        buttonLabel: "Go",
        searchInputPlaceholder: "Find",
        ...dynamic.options,
      },
    }
    expect(pictureChoiceInputBlockSchema.parse(stored)).toEqual(stored)
    expect(pictureChoiceInputBlock.edges?.(pictureChoiceInputBlockSchema.parse(stored))).toEqual([
      "e1",
    ])
  })
})
