/** Examples of each edit, and refused edits. */
import { describe, expect, test } from "vitest"
import { graphCoordinates, shop, text } from "../../../test/support/shopDraft.ts"
import { applyEdits, maxEdits } from "./applyEdits.ts"
import type { Draft } from "./draft.ts"
import { EditProblem } from "./editProblem.ts"
import { type Edit, editSchema } from "./editSchema.ts"

const make = (...edits: Edit[]): Draft => applyEdits(shop, edits).draft

/** The titles of groups with the ids of their blocks. */
const outline = ({ groups }: Draft) =>
  groups.map(({ title, blocks }) => `${title}: ${blocks.map(({ id }) => id).join(" ")}`)
const edgesOf = ({ edges }: Draft) => edges.map(({ id }) => id)

/** The edges that the choice of Hello names. */
const namedBy = ({ groups }: Draft) =>
  groups
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => ("items" in block ? (block.items as { outgoingEdgeId?: string }[]) : []))
    .map(({ outgoingEdgeId }) => outgoingEdgeId)

describe("groups", () => {
  test("one is added with its blocks, at the end or at an index", () => {
    const group = { id: "new", title: "New", graphCoordinates, blocks: [text("a", "A")] }
    expect(outline(make({ type: "group.put", group }))).toEqual([
      "Hello: hi ask",
      "Thanks: bye",
      "New: a",
    ])
    expect(outline(make({ type: "group.put", group, index: 0 }))[0]).toBe("New: a")
  })

  test("an existing one gets another title and place, and keeps its blocks", () => {
    const group = { id: "hello", title: "Welcome", graphCoordinates: { x: 5, y: 5 }, blocks: [] }
    const draft = make({ type: "group.put", group })
    expect(outline(draft)).toEqual(["Welcome: hi ask", "Thanks: bye"])
    expect(draft.groups[0]?.graphCoordinates).toEqual({ x: 5, y: 5 })
  })

  test("one is removed with its blocks and with the edges from and to it", () => {
    const draft = make({ type: "group.remove", groupId: "thanks" })
    expect([outline(draft), edgesOf(draft)]).toEqual([["Hello: hi ask"], ["begin"]])
    expect(namedBy(draft)).toEqual([undefined, undefined])
    const empty = make({ type: "group.remove", groupId: "hello" })
    expect(edgesOf(empty)).toEqual([])
    expect(empty.events?.[0]?.outgoingEdgeId).toBeUndefined()
  })
})

describe("blocks", () => {
  test("one is added at an index or at the end, or replaced where it is", () => {
    const put = (id: string, index?: number) =>
      outline(
        make({
          ...{ type: "block.put", groupId: "hello", block: text(id, "Changed") },
          ...(index === undefined ? {} : { index }),
        }),
      )[0]
    expect(put("new", 1)).toBe("Hello: hi new ask")
    expect(put("new")).toBe("Hello: hi ask new")
    expect(put("new", 99)).toBe("Hello: hi ask new")
    expect(put("hi", 1)).toBe("Hello: hi ask")
  })

  test("one keeps unknown members", () => {
    const block = editSchema.parse({
      type: "block.put",
      groupId: "hello",
      block: { id: "new", type: "hologram", depth: { of: 3 } },
    })
    expect(make(block).groups[0]?.blocks[2]).toEqual({
      id: "new",
      type: "hologram",
      depth: { of: 3 },
    })
  })

  test("one moves within its group, or to another with the ends of edges to it", () => {
    expect(
      outline(make({ type: "block.move", blockId: "hi", groupId: "hello", index: 1 }))[0],
    ).toBe("Hello: ask hi")
    const edge = {
      id: "begin",
      from: { eventId: "start" },
      to: { groupId: "hello", blockId: "hi" },
    }
    const draft = make(
      { type: "edge.put", edge },
      { type: "block.move", blockId: "hi", groupId: "thanks", index: 0 },
    )
    expect(outline(draft)).toEqual(["Hello: ask", "Thanks: hi bye"])
    expect(draft.edges[0]?.to).toEqual({ groupId: "thanks", blockId: "hi" })
  })

  test("one is removed with the edges from it and to it", () => {
    const draft = make({ type: "block.remove", blockId: "ask" })
    expect([outline(draft)[0], edgesOf(draft)]).toEqual(["Hello: hi", ["begin"]])
  })
})

describe("edges", () => {
  const edge = (itemId: string) => ({
    id: "agree",
    from: { blockId: "ask", itemId },
    to: { groupId: "hello" },
  })

  test("one is drawn and named where it leaves; drawn from elsewhere, no longer where it left", () => {
    const refuse = { ...edge("no"), id: "refuse" }
    expect(namedBy(make({ type: "edge.put", edge: refuse }))).toEqual(["agree", "refuse"])
    expect(namedBy(make({ type: "edge.put", edge: edge("no") }))).toEqual([undefined, "agree"])
    expect(make({ type: "edge.put", edge: edge("yes") }).edges[1]?.to.groupId).toBe("hello")
  })

  test("one leaves an event, a block, or a path of an item", () => {
    const items = [{ id: "card", paths: [{ id: "buy" }, { id: "look" }] }]
    const draft = make(
      { type: "block.put", groupId: "hello", block: { id: "cards", type: "cards", items } },
      {
        type: "edge.put",
        edge: {
          id: "bought",
          from: { blockId: "cards", itemId: "card", pathId: "buy" },
          to: { groupId: "thanks", blockId: "bye" },
        },
      },
    )
    expect(draft.groups[0]?.blocks[2]).toMatchObject({
      items: [{ paths: [{ id: "buy", outgoingEdgeId: "bought" }, { id: "look" }] }],
    })
  })

  test("one is removed, and no longer named", () => {
    const draft = make({ type: "edge.remove", edgeId: "agree" })
    expect([edgesOf(draft), namedBy(draft)]).toEqual([["begin"], [undefined, undefined]])
  })

  test("one alone changes the list of edges and nothing else", () => {
    const draft = make({ type: "edge.remove", edgeId: "agree", isAlone: true })
    expect([edgesOf(draft), namedBy(draft)]).toEqual([["begin"], ["agree", undefined]])
  })
})

test("variables are added, replaced and removed", () => {
  const put = (variable: { id: string; name: string }) =>
    make({ type: "variable.put", variable, index: 0 }).variables.map(({ name }) => name)
  expect(put({ id: "mail", name: "Mail" })).toEqual(["Mail", "Name"])
  expect(put({ id: "name", name: "First name" })).toEqual(["First name"])
  expect(make({ type: "variable.remove", variableId: "name" }).variables).toEqual([])
})

test("events are added, replaced, and removed with the edges from them", () => {
  const event = { id: "help", type: "command" as const, graphCoordinates }
  const edge = { id: "helped", from: { eventId: "help" }, to: { groupId: "hello" } }
  const draft = make({ type: "event.put", event }, { type: "edge.put", edge })
  expect(draft.events?.[1]?.outgoingEdgeId).toBe("helped")
  const { draft: without } = applyEdits(draft, [{ type: "event.remove", eventId: "help" }])
  expect(without).toEqual(shop)
})

test("themes and settings are merged: null removes, and a part without members goes", () => {
  const theme = { customCss: null, chat: { roundness: "large", inputs: { color: "red" } } } as const
  const draft = make({ type: "theme.merge", theme })
  expect(draft.theme).toEqual({ chat: { roundness: "large", inputs: { color: "red" } } })
  const less = { chat: { inputs: { color: null }, roundness: null } }
  expect(applyEdits(draft, [{ type: "theme.merge", theme: less }]).draft.theme).toEqual({})
  const settings = { general: { language: "de" } }
  expect(make({ type: "settings.merge", settings }).settings).toEqual(settings)
})

test("members of the bot are set; those left out stay", () => {
  const draft = make({ type: "bot.set", name: "Store", publicId: null })
  expect(draft).toEqual({ ...shop, name: "Store", publicId: null })
})

test("inverses are in the order in which they undo", () => {
  const { inverses } = applyEdits(shop, [
    { type: "group.remove", groupId: "thanks" },
    { type: "bot.set", name: "Store" },
  ])
  expect(inverses).toEqual([
    { type: "bot.set", name: "Shop" },
    { type: "group.put", group: shop.groups[1], index: 1 },
    { type: "edge.put", edge: shop.edges[1], index: 1 },
  ])
})

test("unchanged parts are shared, and members outside a draft are kept", () => {
  const { draft } = applyEdits({ ...shop, id: "bot" }, [
    { type: "block.put", groupId: "hello", block: text("hi", "Hello") },
  ])
  expect(draft.id).toBe("bot")
  expect(draft.groups[1]).toBe(shop.groups[1])
  expect(draft.groups[0]?.blocks[1]).toBe(shop.groups[0]?.blocks[1])
  expect(draft.edges).toBe(shop.edges)
})

test("the maximum of one call changes the largest bots, and is undone", () => {
  const groups = Array.from({ length: 500 }, (_, at) => ({
    ...{ id: `g${at}`, title: "Group", graphCoordinates },
    blocks: Array.from({ length: 10 }, (_, nth) => text(`b${at}.${nth}`, "Hi")),
  }))
  const large = { ...shop, groups: [...shop.groups, ...groups] }
  const edits = groups.map(({ id, blocks }, at): Edit => {
    if (at % 5 === 0) return { type: "group.remove", groupId: id }
    const blockId = blocks[3]?.id ?? ""
    if (at % 5 === 1) return { type: "block.move", blockId, groupId: "thanks", index: 0 }
    if (at % 5 === 2) return { type: "block.remove", blockId }
    if (at % 5 === 3) return { type: "block.put", groupId: id, block: text(blockId, "Hello") }
    const edge = { id: `e${at}`, from: { blockId }, to: { groupId: "hello" } }
    return { type: "edge.put", edge }
  })
  expect(edits).toHaveLength(maxEdits)
  const { draft, inverses } = applyEdits(large, edits)
  expect(draft.groups).toHaveLength(402)
  expect(draft.groups[1]?.blocks).toHaveLength(101)
  expect(draft.edges).toHaveLength(102)
  expect(applyEdits(draft, inverses).draft).toEqual(large)
})

test("a block with many edges comes back once", () => {
  const ids = Array.from({ length: 100 }, (_, at) => `${at}`)
  const items = ids.map((id) => ({ id, content: "Tea", outgoingEdgeId: `e${id}` }))
  const block = { id: "menu", type: "choice input" as const, items }
  const leads = (to: { groupId: string; blockId?: string }): Draft => ({
    ...shop,
    groups: [...shop.groups, { id: "menu", title: "Menu", graphCoordinates, blocks: [block] }],
    edges: ids.map((id) => ({ id: `e${id}`, from: { blockId: "menu", itemId: id }, to })),
  })
  const countOf = (edits: readonly Edit[]) =>
    edits.filter(({ type }) => type === "block.put").length
  const cases: [Draft, Edit][] = [
    [leads({ groupId: "thanks", blockId: "gone" }), { type: "group.remove", groupId: "thanks" }],
    [leads({ groupId: "thanks" }), { type: "block.remove", blockId: "menu" }],
  ]
  for (const [draft, edit] of cases) {
    const removed = applyEdits(draft, [edit])
    const undone = applyEdits(removed.draft, removed.inverses)
    expect(undone.draft).toEqual(draft)
    expect(countOf(removed.inverses)).toBe(1)
    expect(countOf(undone.inverses)).toBeLessThan(2)
    expect(applyEdits(draft, undone.inverses).draft).toEqual(removed.draft)
  }
})

describe("refused, with all other edits of the call", () => {
  const group = { id: "new", title: "New", graphCoordinates }
  const block = text("new", "New")
  const from = { blockId: "ask", itemId: "no" }
  const to = { groupId: "thanks" }
  const start = { id: "other", type: "start" as const, graphCoordinates }
  const command = { id: "help", type: "command" as const, graphCoordinates }
  const cases: [words: string, element: string, edit: Edit][] = [
    ['Group "gone" does not exist', "group:gone", { type: "group.remove", groupId: "gone" }],
    [
      'Block "hi" already exists',
      "block:hi",
      { type: "group.put", group: { ...group, blocks: [text("hi", "Hi")] } },
    ],
    [
      'Block "new" already exists',
      "block:new",
      { type: "group.put", group: { ...group, blocks: [block, block] } },
    ],
    ['Group "gone" does not exist', "group:gone", { type: "block.put", groupId: "gone", block }],
    [
      'Block "hi" is in group "hello": move it first',
      "block:hi",
      { type: "block.put", groupId: "thanks", block: text("hi", "Hi") },
    ],
    ['Block "gone" does not exist', "block:gone", { type: "block.remove", blockId: "gone" }],
    [
      'Block "gone" does not exist',
      "block:gone",
      { type: "block.move", blockId: "gone", groupId: "hello", index: 0 },
    ],
    [
      'Group "gone" does not exist',
      "group:gone",
      { type: "block.move", blockId: "hi", groupId: "gone", index: 0 },
    ],
    [
      'Edge "e" leaves something that does not exist',
      "block:ask",
      { type: "edge.put", edge: { id: "e", from: { blockId: "ask", itemId: "maybe" }, to } },
    ],
    [
      'Edge "e" leads to something that does not exist',
      "group:gone",
      { type: "edge.put", edge: { id: "e", from, to: { groupId: "gone" } } },
    ],
    [
      'Edge "e" leads to something that does not exist',
      "block:hi",
      { type: "edge.put", edge: { id: "e", from, to: { groupId: "thanks", blockId: "hi" } } },
    ],
    ['Edge "gone" does not exist', "edge:gone", { type: "edge.remove", edgeId: "gone" }],
    [
      'Variable "gone" does not exist',
      "variable:gone",
      { type: "variable.remove", variableId: "gone" },
    ],
    ['Event "gone" does not exist', "event:gone", { type: "event.remove", eventId: "gone" }],
    [
      "A bot has exactly one start event",
      "event:start",
      { type: "event.remove", eventId: "start" },
    ],
    ["A bot has exactly one start event", "event:other", { type: "event.put", event: start }],
    [
      "The start event must be the first",
      "event:help",
      { type: "event.put", event: command, index: 0 },
    ],
  ]
  test.each(cases)("%s (%s)", (message, element, edit) => {
    const rename: Edit = { type: "bot.set", name: "Store" }
    expect(problemOf(shop, [rename, edit])).toEqual({ index: 1, element, message })
  })

  test("events before version 6", () => {
    const old: Draft = { ...shop, version: "5", events: null }
    expect(problemOf(old, [{ type: "event.put", event: command }])).toEqual({
      index: 0,
      element: "event:help",
      message: "A bot has no events before version 6",
    })
  })

  function problemOf(draft: Draft, edits: Edit[]) {
    try {
      applyEdits(draft, edits)
    } catch (error) {
      if (!(error instanceof EditProblem)) throw error
      const { index, element, message } = error
      return { index, element, message }
    }
    return undefined
  }
})
