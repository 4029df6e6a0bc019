/** Old flows brought up to date. */
import { describe, expect, test } from "vitest"
import type { Flow } from "../../engine/bot.ts"
import { toLatest } from "./latest.ts"
import { normalizeFlow } from "./normalize.ts"
import { readFlow } from "./validateFlow.ts"

const at = { x: 1, y: 2 }
const start = { id: "s", type: "start", label: "Start", outgoingEdgeId: "e1" }
const text = { id: "t", type: "text", content: {} }

function newIds(): () => string {
  let count = 0
  return () => `new${++count}`
}

function group(id: string, ...blocks: object[]) {
  return { id, title: id.toUpperCase(), graphCoordinates: at, blocks }
}

function edge(id: string, groupId: string, blockId = "s") {
  return { id, from: { blockId }, to: { groupId } }
}

function flow(parts: object): Flow {
  const empty = { groups: [], edges: [], variables: [], theme: {}, settings: {} }
  return readFlow({ version: "5", ...empty, ...parts })
}

describe("1.2 normalisation", () => {
  test("a flow without a version is version 3, and its missing lists are empty", () => {
    const raw = {
      groups: [{ id: "g" }],
      edges: [edge("e", "g"), { id: "broken" }, null],
      events: [{}],
    }
    expect(normalizeFlow(raw)).toEqual({
      version: "3",
      groups: [{ id: "g", blocks: [] }],
      edges: [edge("e", "g")],
      variables: [],
      events: null,
    })
    expect(normalizeFlow({})).toMatchObject({ version: "3", groups: [], edges: [] })
  })

  test("version 5 only loses its events, and version 6 stays unchanged", () => {
    const broken = { edges: [{ id: "broken" }] }
    expect(normalizeFlow({ version: "5", ...broken })).toEqual({
      version: "5",
      events: null,
      ...broken,
    })
    expect(normalizeFlow({ version: "6", ...broken })).toEqual({ version: "6", ...broken })
  })

  test("other values than objects are left to validation", () => {
    for (const raw of [undefined, null, 5, "x", []]) expect(normalizeFlow(raw)).toBe(raw)
  })
})

describe("1.5 from version 5", () => {
  test("the start block becomes an event that takes over its edge", () => {
    const old = flow({
      groups: [group("a", start), group("b", text)],
      edges: [edge("e0", "b", "t"), edge("e1", "b")],
    })
    const latest = toLatest(old, newIds())
    expect(latest).toMatchObject({
      version: "6.1",
      events: [{ id: "a", type: "start", graphCoordinates: at, outgoingEdgeId: "e1" }],
      edges: [{ id: "e1", from: { eventId: "a" }, to: { groupId: "b" } }, edge("e0", "b", "t")],
    })
    expect(latest?.groups.map(({ id }) => id)).toEqual(["b"])
  })

  test("a start edge that dangles stays where it was, and empty groups disappear", () => {
    const old = flow({ groups: [group("a", start), group("b"), group("c", text)], edges: [] })
    const latest = toLatest(old, newIds())
    expect(latest?.events?.[0]?.outgoingEdgeId).toBe("e1")
    expect(latest?.edges).toEqual([])
    expect(latest?.groups.map(({ id }) => id)).toEqual(["c"])
  })

  test("edges to empty groups disappear with these, and all others stay", () => {
    const groups = [group("a", start), group("b", text), group("c"), group("d", text)]
    const edges = [edge("e1", "b"), edge("e2", "c"), edge("e3", "d"), edge("e4", "gone")]
    const latest = toLatest(flow({ groups, edges }), newIds())
    expect(latest?.edges.map(({ id }) => id)).toEqual(["e1", "e3", "e4"])
  })

  test("a start that fell through to the next block gets an edge to it", () => {
    const { outgoingEdgeId: _, ...loose } = start
    const latest = toLatest(flow({ groups: [group("a", loose, text)] }), newIds())
    expect(latest?.events).toEqual([
      { id: "new1", type: "start", graphCoordinates: at, outgoingEdgeId: "new2" },
    ])
    expect(latest?.edges).toEqual([
      { id: "new2", from: { eventId: "new1" }, to: { groupId: "a", blockId: "t" } },
    ])
    expect(latest?.groups[0]?.blocks.map(({ id }) => id)).toEqual(["t"])
  })

  test("jumps and links to the group of the start lead to its successor", () => {
    const jumping = { id: "j", type: "Jump", options: { groupId: "a", blockId: "s" } }
    const links = ["current", "other"].map((typebotId) => {
      return { id: typebotId, type: "Typebot link", options: { typebotId, groupId: "a" } }
    })
    const groups = [group("a", start), group("b", text, jumping, ...links)]
    const e1 = { ...edge("e1", "b"), to: { groupId: "b", blockId: "t" } }
    const blocks = toLatest(flow({ groups, edges: [e1] }), newIds())?.groups[0]?.blocks
    expect(blocks?.map((block) => "options" in block && block.options)).toEqual([
      false,
      { groupId: "b", blockId: "t" },
      { typebotId: "current", groupId: "b" },
      { typebotId: "other", groupId: "a" },
    ])
    const loose = toLatest(flow({ groups, edges: [] }), newIds())?.groups[0]?.blocks
    expect(loose?.[1]).toEqual(jumping)
  })

  test("without a start there is nothing to convert", () => {
    expect(toLatest(flow({ groups: [group("a", text)] }), newIds())).toBeUndefined()
    expect(toLatest(flow({}), newIds())).toBeUndefined()
  })

  test("members unknown to the latest version disappear", () => {
    const items = [{ id: "i", blockId: "c", content: "Yes", outgoingEdgeId: "e9" }]
    const blocks = [
      { id: "c", type: "choice input", items },
      { id: "f", type: "file input", options: { sizeLimit: 5, variableId: "v" } },
      { id: "w", type: "Webhook", options: { webhook: { id: "w1", url: "https://a.test" } } },
    ]
    const latest = toLatest(flow({ groups: [group("a", start), group("b", ...blocks)] }), newIds())
    expect(latest?.groups[0]?.blocks).toEqual([
      { id: "c", type: "choice input", items: [{ id: "i", content: "Yes", outgoingEdgeId: "e9" }] },
      { id: "f", type: "file input", options: { variableId: "v" } },
      { id: "w", type: "Webhook", options: { webhook: { url: "https://a.test" } } },
    ])
  })

  test("blocks of unknown types, theme and settings stay word for word", () => {
    const alien = {
      id: "u",
      type: "hologram",
      items: [{ id: "i", blockId: "u" }],
      options: { a: 1 },
    }
    const theme = { chat: { roundness: "none" } }
    const settings = { general: { isInputPrefillEnabled: true } }
    const old = flow({ groups: [group("a", start, alien)], theme, settings })
    const latest = toLatest(old, newIds())
    expect(latest?.groups[0]?.blocks).toEqual([alien])
    expect(latest).toMatchObject({ theme, settings })
  })

  test("the given flow is not mutated, and the latest stays unchanged", () => {
    const old = flow({ groups: [group("a", start, text)], edges: [edge("e1", "a")] })
    const before = structuredClone(old)
    const latest = toLatest(old, newIds())
    expect(old).toEqual(before)
    expect(latest && toLatest(latest, newIds())).toBe(latest)
    const six = flow({ version: "6", events: [{ id: "ev", type: "start", graphCoordinates: at }] })
    expect(toLatest(six, newIds())).toBe(six)
  })
})

describe("1.5 from version 3", () => {
  const upgraded = (block: object) => {
    const old = flow({ version: "3", groups: [group("a", start), group("b", block)] })
    return toLatest(old, newIds())?.groups[0]?.blocks[0]
  }

  test("a request that was stored apart becomes an empty one in its block", () => {
    expect(upgraded({ id: "w", type: "Webhook", webhookId: "w1" })).toEqual({
      id: "w",
      type: "Webhook",
      options: { webhook: { method: "POST" } },
    })
  })

  test("a request in the block is kept", () => {
    const webhook = { url: "https://a.test", method: "GET" }
    expect(upgraded({ id: "w", type: "Zapier", webhookId: "w1", options: { webhook } })).toEqual({
      id: "w",
      type: "Zapier",
      options: { webhook },
    })
  })
})

describe("1.5 a reference cell of Google Sheets", () => {
  const upgraded = (options: object) => {
    const sheet = { id: "s", type: "Google Sheets", options }
    const old = flow({ groups: [group("a", start), group("b", sheet)] })
    return toLatest(old, newIds())?.groups[0]?.blocks[0]
  }
  const shown = (options: object) => ({ id: "s", type: "Google Sheets", options })
  const referenceCell = { column: "Mail", value: "{{Mail}}" }

  test("becomes a filter where rows are looked for", () => {
    const mail = { column: "Mail", comparisonOperator: "Equal to", value: "{{Mail}}" }
    const filter = { comparisons: [{ id: "new1", ...mail }] }
    const action = "Update a row"
    expect(upgraded({ action, referenceCell })).toEqual(shown({ action, filter }))
  })

  test("is dropped beside a filter, and ignored by other actions", () => {
    const filter = { comparisons: [] }
    const action = "Get data from sheet"
    expect(upgraded({ action, filter, referenceCell })).toEqual(shown({ action, filter }))
    const insert = { action: "Insert a row" }
    expect(upgraded({ ...insert, referenceCell })).toEqual(shown(insert))
  })
})
