/** Test files round-trip for all texts, and are readable. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hostileText } from "../../../test/support/hostile.ts"
import { hasMistakes, readTestFile } from "./readTestFile.ts"
import { type WrittenTestFile, writeTestFile } from "./writeTestFile.ts"

/** Texts that look like something else in YAML, alone and in pieces. */
const pieces = [
  ..."\n\r\t :#-?&*!|>'\"%@`{}[],\\~\0\u0085\u2028\ufeff\ud800é",
  "---",
  "...",
  "# ",
  ": ",
  " \n",
  "\n  ",
  "<<",
  "Ann",
]
const lookalikes = [
  ..."~ 007 1.50 0x1f 1e3 .inf -.nan true False null yes no on 2026-01-05 1_000 = << *a".split(" "),
  "",
  "{ a: b }",
  "!text 401",
  "- a",
]
const anyText = fc.oneof(
  fc.constantFrom(...lookalikes),
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 20 }),
  hostileText,
)
// Our readers drop a member of this name, which would change the object itself.
const anyJson = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll("__proto__", "proto")))
const anyVariables = fc.dictionary(
  anyText.filter((name) => name !== "__proto__"),
  anyJson,
  { noNullPrototype: true },
)

const anyFile: fc.Arbitrary<WrittenTestFile> = fc.record({
  bot: anyText.filter((text) => text !== ""),
  seed: fc.nat({ max: 2_147_483_647 }),
  start: fc.record({ variables: anyVariables }),
  http: fc.array(fc.record({ answer: fc.record({ status: fc.constant(201), json: anyJson }) }), {
    maxLength: 2,
  }),
  conversation: fc.array(
    fc.oneof(
      anyText.map((bot) => ({ bot })),
      anyText.map((user) => ({ user })),
      anyText.map((contains) => ({ bot: { contains } })),
      anyJson.map((webhook) => ({ webhook })),
    ),
    { maxLength: 5 },
  ),
})

describe("a test file that is written", () => {
  it.each(["yaml", "json"] as const)("is read back unchanged, in %s", (format) => {
    const law = fc.property(anyFile, anyText, (file, remark) => {
      const remarks = file.conversation?.map((_, index) => {
        return { path: ["conversation", index], text: remark }
      })
      const read = readTestFile(
        writeTestFile(file, { isJson: format === "json", head: remark, remarks }),
      )
      expect(hasMistakes(read) ? read : read.file).toEqual(file)
    })
    fc.assert(law, { numRuns: 200 })
  })

  it("is readable", () => {
    const same = { status: 200 }
    const file: WrittenTestFile = {
      bot: "./signup.json",
      clock: "2026-01-05T09:00:00Z",
      http: [{ answer: same }, { when: { url: "https://crm.example/*" }, answer: same }],
      conversation: [
        { bot: "Hi!\n\nWhat is your name?" },
        { user: "007" },
        { bot: "blanks at the end  \nof lines" },
        { bot: `a long line ${"and on ".repeat(20)}` },
        { bot: { contains: "~" } },
      ],
    }
    const remarks = [
      { path: ["conversation", 1], text: "First line of a remark.\nSecond line." },
      { path: ["nowhere", 7], text: "is left out" },
    ]
    expect(writeTestFile(file, { head: "Recorded.", remarks })).toBe(`# Recorded.

bot: ./signup.json
clock: 2026-01-05T09:00:00Z
http:
  - answer:
      status: 200
  - when:
      url: https://crm.example/*
    answer:
      status: 200
conversation:
  - bot: |-
      Hi!

      What is your name?
  # First line of a remark.
  # Second line.
  - user: "007"
  - bot: "blanks at the end \\ \\nof lines"
  - bot: "a long line ${"and on ".repeat(20)}"
  - bot:
      contains: "~"
`)
  })
})
