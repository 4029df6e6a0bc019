/** Drawings, read by Mermaid's own parser. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { anyFlow } from "../../../test/support/anyFlow.ts"
import { ask, bot, group, jump, onCommand, say, when } from "../../../test/support/bots.ts"
import { fixtureNames, readFixture } from "../../../test/support/fixtureBots.ts"
import { deepFreeze } from "../../../test/support/freeze.ts"
import { readDrawing } from "../../../test/support/mermaid.ts"
import type { Flow } from "../../engine/bot.ts"
import { drawFlow } from "./drawFlow.ts"

const drawn = (flow: Flow) => readDrawing(drawFlow(deepFreeze(flow)))

describe("a drawing", () => {
  it("has a node for each event and each group with its blocks", async () => {
    const { nodes } = await drawn(
      bot(
        { events: [onCommand("help", "Ask")] },
        group("Ask", say("Your name?"), ask.text({ saves: "Name" })),
      ),
    )
    expect(nodes).toEqual({
      e0: { shape: "stadium", lines: ["start"], classes: [] },
      e1: { shape: "stadium", lines: ["command", "command: help"], classes: [] },
      g0: {
        shape: "square",
        lines: ["Ask", "text · Your name?", "text input · variableId: {{Name}}"],
        classes: [],
      },
    })
  })

  it("labels edges with their item or condition", async () => {
    const cards = {
      ...ask.cards(),
      items: [{ id: "i", title: "Red", paths: [{ id: "p", text: "Buy", to: "Shop#second" }] }],
    }
    const { edges } = await drawn(
      bot(
        group("Ask", ask.choice([{ content: "Yes", to: "Check" }, "No"], { to: "Shop" })),
        group("Check", {
          ...when([["Age", "Greater than", "17"]], { to: "Shop", otherwise: "Ask" }),
          id: "if",
        }),
        group("Shop", cards, say("Bought", { id: "second" })),
      ),
    )
    expect(edges.map(({ from, to, lines }) => [from, ...lines, to])).toEqual([
      ["g0", "otherwise", "g2"],
      ["g0", "Yes", "g1"],
      ["g1", "otherwise", "g0"],
      ["g1", "{{Age}} Greater than 17", "g2"],
      ["g2", "Red › Buy", "to block 2", "g2"],
      ["e0", "g0"],
    ])
  })

  it("dots jumps and dashes unreachable groups", async () => {
    const { nodes, edges } = await drawn(
      bot(group("A", jump("C")), group("B", say("Never shown")), group("C", say("Here"))),
    )
    expect(edges.filter(({ isDotted }) => isDotted)).toMatchObject([{ from: "g0", to: "g2" }])
    expect(Object.values(nodes).map(({ classes }) => classes)).toEqual([
      [],
      [],
      ["unreachable"],
      [],
    ])
  })

  it("cuts long texts", async () => {
    const blocks = Array.from({ length: 30 }, () => say("x".repeat(1_000)))
    const { nodes } = await drawn(bot(group("T".repeat(200), ...blocks)))
    const [title = "", first = "", ...others] = nodes.g0?.lines ?? []
    expect([title.length, first.length, others.length]).toEqual([60, 60, 12])
    expect(others.at(-1)).toBe("and 18 more")
  })
})

describe("Mermaid reads", () => {
  it.each(fixtureNames)("%s, in sent and stored form", async (name) => {
    for (const flow of Object.values(readFixture(name))) {
      const { nodes } = await drawn(flow)
      expect(Object.keys(nodes)).toHaveLength(flow.groups.length + (flow.events?.length ?? 0))
    }
  })

  it("any flow", async () => {
    await fc.assert(
      fc.asyncProperty(anyFlow, async (flow) => {
        const { nodes } = await drawn(flow)
        expect(Object.keys(nodes)).toHaveLength(flow.groups.length + (flow.events?.length ?? 0))
      }),
      { numRuns: 25 },
    )
  })

  const hostile = [
    'quote " ] --> x',
    "half \ud800 a pair",
    "%%{init: {'theme': 'dark'}}%%",
    "%% a comment",
    "---\ntitle: x\n---",
    "end",
    "subgraph x; end; click g0 href javascript:alert(1)",
    "style a:b#;",
    "classDef x:y#35;",
    "#quot; #35; &amp; <b>b</b> <script>a()</script>",
    "`**markdown**`",
    "1. a list",
    "- a list",
    "a | b || c",
    "fa:fa-car :::class",
    "$$x^2$$",
    "🙂 日本語 ﬂ°°35¶ß",
    "\\ \\n \\u0000",
    "@{ shape: rect }",
  ]

  it.each(hostile)("%j as a text like any other", async (text) => {
    const flow = bot(
      { events: [onCommand(text, "A")] },
      group("A", { type: text, id: "b" }, ask.choice([{ content: text, to: "A" }])),
    )
    for (const group of flow.groups) group.title = text
    const shown = text.replace(/\s+/g, " ").replace(/\p{Surrogate}/gu, "\ufffd")
    const { nodes, edges } = await drawn(flow)
    expect(Object.keys(nodes)).toEqual(["e0", "e1", "g0"])
    expect(nodes.e1?.lines).toEqual(["command", `command: ${shown}`])
    expect(nodes.g0?.lines.slice(0, 2)).toEqual([shown, shown])
    expect(edges.map(({ lines }) => lines)).toContainEqual([shown])
    // Contains no characters of Markdown, HTML or directives.
    expect(drawFlow(flow).replaceAll("<br/>", "")).not.toMatch(/[<`*%{}$@\\]/)
  })

  it("any text, but for white space and controls", async () => {
    const texts = fc.array(fc.string({ unit: "binary", maxLength: 20 }), {
      minLength: 20,
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(texts, async (titles) => {
        const flow = bot({}, ...titles.map((_, index) => group(`${index}`, say("a"))))
        for (const [index, group] of flow.groups.entries()) group.title = titles[index] ?? ""
        const { nodes } = await drawn(flow)
        const shown = titles.map((title) => title.replace(/[\s\p{Cc}]+/gu, " ").trim())
        expect(titles.map((_, index) => nodes[`g${index}`]?.lines)).toEqual(
          shown.map((title) => (title === "" ? ["text · a"] : [title, "text · a"])),
        )
      }),
      { numRuns: 5 },
    )
  })
})
