/** Findings: their texts and their order. */
import { assert, jsonValue, property } from "fast-check"
import { describe, expect, test } from "vitest"
import { ask, block, bot, group, say } from "../../../test/support/bots.ts"
import { lintBot, lintFlow } from "./lint.ts"

const faulty = bot(
  { variables: { Spare: null } },
  group("Hello", say("Hi", { outgoingEdgeId: "gone" })),
  group("Contact", ask.choice(["Yes", { content: "No", to: "Nowhere" }])),
)

describe("a finding", () => {
  test("has a message, a place and a remedy", () => {
    expect(lintBot(faulty).find(({ rule }) => rule === "dead-end")).toEqual({
      rule: "dead-end",
      severity: "warning",
      pointer: "/groups/1/blocks/0/items/0",
      place: 'Group "Contact" › block 1 "choice input" › item 1',
      message: "Nothing follows this item",
      remedy: "Connect it to a group, unless the chat is meant to end there silently.",
    })
  })

  test("of an edge has its place where the edge leaves", () => {
    const found = lintBot(faulty).find(({ rule }) => rule === "edge-without-target")
    expect(found).toMatchObject({
      pointer: "/edges/1/to/groupId",
      place: 'Group "Contact" › block 1 "choice input" › item 2',
    })
  })

  test("of a wrong shape names the member in the block", () => {
    const { groups, ...rest } = bot(group("A", ask.email()))
    const raw = JSON.parse(JSON.stringify({ ...rest, groups }))
    raw.groups[0].blocks[0].options.labels = "Mail?"
    expect(lintBot(raw)).toMatchObject([
      {
        rule: "invalid-shape",
        severity: "error",
        pointer: "/groups/0/blocks/0/options/labels",
        place: 'Group "A" › block 1 "email input"',
        message: "`options.labels` must be an object, not a string",
      },
    ])
  })

  test("outside of the parts of a flow has its place at the theme, the settings or the bot", () => {
    const bad = { ...faulty, theme: 5, settings: 5, name: "" }
    expect(lintBot(bad).map(({ place }) => place)).toEqual(["Bot", "Settings", "Theme"])
  })
})

describe("findings", () => {
  test("come in the order of their pointers, positions counted as numbers", () => {
    const blocks = Array.from({ length: 12 }, () => block("hologram"))
    const flow = bot({ variables: { Spare: null } }, group("A", ...blocks), group("B"))
    expect(lintBot(flow).map(({ pointer }) => pointer)).toEqual([
      ...blocks.map((_, index) => `/groups/0/blocks/${index}/type`),
      "/groups/1/blocks",
      "/variables/0",
    ])
  })

  test("are the same for every order of the bot's members", () => {
    const reversed = Object.fromEntries(Object.entries(faulty).toReversed())
    expect(lintBot(reversed)).toEqual(lintBot(faulty))
    expect(lintFlow(faulty)).toEqual(lintBot(faulty))
  })

  test("of wrong shapes are at most 50", () => {
    expect(lintBot({ groups: Array.from({ length: 200 }, () => 5) })).toHaveLength(50)
  })

  test("of a valid bot are none", () => {
    expect(lintBot(bot(group("A", say("Hi"), ask.text(), say("Bye"))))).toEqual([])
  })
})

describe("a bot of 500 blocks", () => {
  const groups = Array.from({ length: 100 }, (_, index) =>
    group(
      `Group ${index}`,
      say(`Text ${index} for {{Name}}`),
      ask.text({ saves: "Name" }),
      say("Thank you"),
      ask.choice(["One", "Two", "Three"]),
      say("Next", index < 99 ? { to: `Group ${index + 1}` } : {}),
    ),
  )
  const sound = bot(...(groups as [(typeof groups)[0]]))

  test("has a planted mistake reported with its place, and the groups it cuts off", () => {
    const raw = JSON.parse(JSON.stringify(sound))
    raw.groups[73].blocks[4].outgoingEdgeId = "mistake"
    raw.edges = raw.edges.filter(({ from }: { from: { blockId?: string } }) => {
      return from.blockId !== raw.groups[73].blocks[4].id
    })
    const found = lintBot(raw)
    expect(found[0]).toMatchObject({
      rule: "dangling-edge",
      pointer: "/groups/73/blocks/4/outgoingEdgeId",
      place: 'Group "Group 73" › block 5 "text"',
    })
    // The groups behind the mistake are cut off, and reported once.
    expect(found.slice(1)).toMatchObject([
      {
        rule: "unreachable-group",
        pointer: "/groups/74",
        place: 'Group "Group 74"',
        message: "No chat can reach this group and the 25 groups behind it",
      },
    ])
  })

  test("is valid otherwise", () => {
    expect(lintBot(sound)).toEqual([])
  })
})

test("one long ring through a bot of the largest size is reported once", () => {
  const count = 1000
  const groups = Array.from({ length: count }, (_, index) =>
    group(
      `G${index}`,
      ...Array.from({ length: 4 }, () => say("x")),
      say("y", { to: `G${(index + 1) % count}` }),
    ),
  )
  const flow = bot(...(groups as [(typeof groups)[0]]))
  expect(lintFlow(flow)).toMatchObject([
    { rule: "cycle-without-input", pointer: "/groups/0/blocks/0" },
  ])
})

test("anything can be checked", () => {
  assert(
    property(jsonValue(), jsonValue(), (part, other) => {
      lintBot(part)
      lintBot({ ...faulty, groups: part, settings: other })
      for (const blocks of [[part], [{ id: "b", type: "Condition", items: [part] }]]) {
        lintBot({ ...faulty, groups: [{ id: "g", title: "G", blocks }], edges: [other] })
      }
    }),
  )
})
