/** Bounds on the texts of bots. */
import { describe, expect, test } from "vitest"
import { withCutTexts } from "../../authoring/upgrade/shortenBot.ts"
import { longTextsIn, maxLengths } from "./bounds.ts"

const long = (length: number) => "x".repeat(length + 1)

const cases: [string, object, number][] = [
  ["a group's title", { groups: [{ title: long(maxLengths.name) }] }, maxLengths.name],
  ["a variable's name", { variables: [{ name: long(maxLengths.name) }] }, maxLengths.name],
  ["a button", { items: [{ content: long(maxLengths.label) }] }, maxLengths.label],
  [
    "a placeholder",
    { options: { labels: { placeholder: long(maxLengths.label) } } },
    maxLengths.label,
  ],
  ["a page's title", { metadata: { title: long(maxLengths.name) } }, maxLengths.name],
  ["a page's description", { metadata: { description: long(maxLengths.label) } }, maxLengths.label],
  [
    "a message of the system",
    { systemMessages: { botClosed: long(maxLengths.label) } },
    maxLengths.label,
  ],
  ["an address", { webhook: { url: `https://${long(maxLengths.address)}` } }, maxLengths.address],
  [
    "a bubble",
    { content: { richText: [{ children: [{ text: long(maxLengths.text) }] }] } },
    maxLengths.text,
  ],
  [
    "a member of an unknown block",
    { options: { anything: [long(maxLengths.text)] } },
    maxLengths.text,
  ],
  ["a picture in itself", { content: { url: `data:${long(maxLengths.data)}` } }, maxLengths.data],
]

describe("the texts of a bot are bounded", () => {
  test.each(cases)("%s is reported with its path, and can be cut", (_, bot, max) => {
    const [found, ...others] = longTextsIn(bot)
    expect(others).toEqual([])
    expect(found?.max).toBe(max)
    expect(found?.length).toBeGreaterThan(max)
    expect(longTextsIn(withCutTexts(bot))).toEqual([])
  })

  test("texts within the bounds stay unchanged", () => {
    const bot = {
      name: "Bot",
      groups: [
        {
          title: "x".repeat(maxLengths.name),
          blocks: [{ options: { isX: true, n: 1, no: null } }],
        },
      ],
      content: { url: `data:${"x".repeat(maxLengths.address)}` },
    }
    expect(longTextsIn(bot)).toEqual([])
    expect(withCutTexts(bot)).toEqual(bot)
  })

  test("the path leads to the text", () => {
    const bot = { groups: [{}, { blocks: [{ items: [{ title: long(maxLengths.name) }] }] }] }
    expect(longTextsIn(bot)[0]?.path).toEqual(["groups", 1, "blocks", 0, "items", 0, "title"])
  })
})
