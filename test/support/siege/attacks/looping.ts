/** Flows that go on and on, and values that grow while they do. */

import { bounded, served, stopped } from "../attack.ts"
import type { FlowAttack } from "../doors.ts"
import { type Block, block, groupOf, idOf, many, say, set } from "../flow.ts"

const long = (length: number) => "x".repeat(length)
/** The last block leads back to the first. */
const endless = (...blocks: Block[]): Block[] =>
  blocks.map((each, index) =>
    index === blocks.length - 1 ? { ...each, id: "last", outgoingEdgeId: "back" } : each,
  )
const pop = (type: "Pop" | "Shift") =>
  block("Set variable", {
    type,
    variableId: idOf("L"),
    saveItemInVariableId: idOf("V"),
  })
const list = (count: number) => () => ({ L: many(count, (index) => `item ${index}`), V: "" })
const link = (groupId: string) => block("Bot link", { botId: "current", groupId })
const code = (content: string) => block("Code", { isExecutedOnClient: false, content })
const to = (id: string, from: string, groupId: string) => ({
  id,
  from: { blockId: from },
  to: { groupId },
})

export const looping: FlowAttack[] = [
  {
    name: "loop of Pop over 50,000 items",
    blocks: () => endless(pop("Pop")),
    values: list(50_000),
    judge: bounded,
  },
  {
    name: "loop of Shift over 50,000 items",
    blocks: () => endless(pop("Shift")),
    values: list(50_000),
    judge: bounded,
  },
  {
    name: "loop of appends of 50 kB",
    blocks: () =>
      endless(
        block("Set variable", { type: "Append value(s)", variableId: idOf("L"), item: "{{V}}" }),
      ),
    values: () => ({ L: ["a"], V: long(50_000) }),
    judge: stopped,
  },
  {
    name: "loop that doubles a text",
    blocks: () => endless(set("V", "{{V}}{{V}}")),
    values: () => ({ V: long(1_000) }),
    judge: stopped,
  },
  {
    name: "two texts that grow each other",
    blocks: () => endless(set("V", "{{W}}{{W}}"), set("W", "{{V}}{{V}}")),
    values: () => ({ V: "v", W: "w" }),
    judge: stopped,
  },
  {
    name: "loop of bubbles",
    blocks: () => endless(say(long(10_000))),
    judge: bounded,
  },
  {
    name: "loop of look-ups in lists of 20,000",
    blocks: () =>
      endless(
        block("Set variable", {
          type: "Map item with same index",
          variableId: idOf("V"),
          mapListItemParams: {
            baseItemVariableId: idOf("K"),
            baseListVariableId: idOf("L"),
            targetListVariableId: idOf("L"),
          },
        }),
      ),
    values: () => ({ ...list(20_000)(), K: "item 19999" }),
    judge: bounded,
  },
  {
    name: "loop without blocks",
    blocks: () => [],
    parts: () => ({
      edges: [to("e1", "gone", "g1"), to("e2", "b1", "g1")],
      groups: [groupOf("g1", "Round", [{ ...block("Condition"), id: "b1", outgoingEdgeId: "e2" }])],
      events: [],
    }),
    judge: bounded,
  },
  {
    name: "loop of jumps",
    blocks: () => [block("Jump", { groupId: "g0" })],
    judge: bounded,
  },
  {
    name: "jumps and returns",
    blocks: () => [block("Jump", { groupId: "g1" }), { ...block("Return"), id: "last" }],
    parts: () => ({ groups: [groupOf("g1", "Back", [block("Jump", { groupId: "g0" })])] }),
    judge: bounded,
  },
  {
    name: "links into the same bot",
    blocks: () => [link("g0")],
    judge: bounded,
  },
  {
    name: "links that alternate",
    blocks: () => [link("g1")],
    parts: () => ({ groups: [groupOf("g1", "Other", [link("g0")])] }),
    values: () => ({ V: long(50_000) }),
    judge: bounded,
  },
  {
    name: "loop of A/B tests",
    blocks: () => [
      {
        type: "AB test",
        id: "last",
        items: [
          { id: "a", path: "a", outgoingEdgeId: "back" },
          { id: "b", path: "b", outgoingEdgeId: "back" },
        ],
        options: { aPercent: 50 },
      },
    ],
    judge: bounded,
  },
  {
    name: "loop of waits",
    blocks: () => endless(block("Wait", { secondsToWaitFor: "0.000001" })),
    judge: bounded,
  },
  {
    name: "loop of waits that pause",
    blocks: () => endless(block("Wait", { secondsToWaitFor: "1e300", shouldPause: true })),
    judge: bounded,
  },
  {
    name: "loop of redirects",
    blocks: () => endless(block("Redirect", { url: `https://example.com/${long(5_000)}` })),
    judge: bounded,
  },
  {
    name: "loop of transcripts",
    blocks: () =>
      endless(say("{{V}}"), block("Set variable", { type: "Transcript", variableId: idOf("V") })),
    values: () => ({ V: long(1_000) }),
    judge: bounded,
  },
  {
    name: "200 codes that make 1 MB each",
    blocks: () => many(200, (index) => say(`{{="x".repeat(1e6 + ${index})=}}`)),
    judge: bounded,
  },
  {
    name: "2,000 codes in one text",
    blocks: () => [say(many(2_000, (index) => `{{=${index} + 1=}}`).join(" "))],
    judge: bounded,
  },
  {
    name: "endless script",
    blocks: () => [code("while (true) {}")],
    judge: bounded,
    crowd: 8,
  },
  {
    name: "script that takes all memory",
    blocks: () => [code("const a = []; while (true) a.push(new Array(10000).fill(a.length))")],
    judge: bounded,
    crowd: 8,
  },
  {
    name: "script that sets a variable of 100 MB",
    blocks: () => [code('setVariable("V", "x".repeat(1e8))'), say("{{V}}")],
    parts: () => ({ names: ["V"] }),
    judge: bounded,
  },
  {
    name: "script that sets a million variables",
    blocks: () => [code('for (let i = 0; i < 1e6; i++) setVariable("V" + i, "x")')],
    judge: bounded,
  },
  {
    name: "loop of scripts",
    blocks: () => endless(code("1")),
    judge: bounded,
  },
  {
    name: "script with 1,000 × 400 kB in its globals",
    blocks: () => [set("W", "{{V}}.length", true), ...many(100, () => code("{{V}}.length"))],
    parts: () => ({ names: ["W"] }),
    values: () => ({ V: long(400_000) }),
    judge: bounded,
  },
  {
    name: "5,000 groups with one title",
    blocks: () => [block("Jump", { groupId: "g4999" })],
    parts: () => ({ groups: many(5_000, (index) => groupOf(`g${index + 1}`, "All", [])) }),
    judge: bounded,
    doors: ["anonymous preview", "preview with token", "published bot"],
  },
  {
    name: "10,000 variables",
    blocks: () => [say("{{n9999}}")],
    parts: () => ({ names: many(10_000, (index) => `n${index}`) }),
    judge: bounded,
    doors: ["anonymous preview", "preview with token", "published bot"],
  },
  {
    name: "5,000 events of replies",
    blocks: () => [block("text input")],
    parts: () => ({
      events: many(5_000, (index) => ({ id: `e${index}`, type: "reply", outgoingEdgeId: "back" })),
    }),
    replies: ["a"],
    judge: bounded,
    doors: ["anonymous preview", "preview with token", "published bot"],
  },
  {
    name: "20,000 edges from one block",
    blocks: () => endless(say("x")),
    parts: () => ({ edges: many(20_000, () => to("back", "last", "g0")) }),
    judge: bounded,
    doors: ["anonymous preview", "preview with token", "published bot"],
  },
  {
    name: "honest loop over a list",
    blocks: () => [
      pop("Pop"),
      say("{{V}}"),
      {
        type: "Condition",
        id: "last",
        items: [
          {
            id: "more",
            outgoingEdgeId: "back",
            content: {
              comparisons: [{ id: "c", variableId: idOf("L"), comparisonOperator: "Is set" }],
            },
          },
        ],
      },
    ],
    values: list(30),
    judge: served,
    isControl: true,
  },
  {
    name: "honest script",
    blocks: () => [set("V", "1 + 1", true), say("{{V}}")],
    parts: () => ({ names: ["V"] }),
    judge: served,
    isControl: true,
  },
]
