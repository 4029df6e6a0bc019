/** Bounds on the texts of bots. */
import { describe, expect, test } from "vitest"
import { withCutTexts } from "../../authoring/upgrade/shortenBot.ts"
import { longest, longTextsIn } from "./bounds.ts"

const long = (length: number) => "x".repeat(length + 1)

const cases: [string, object, number][] = [
  ["a group's title", { groups: [{ title: long(longest.name) }] }, longest.name],
  ["a variable's name", { variables: [{ name: long(longest.name) }] }, longest.name],
  ["a button", { items: [{ content: long(longest.label) }] }, longest.label],
  ["a placeholder", { options: { labels: { placeholder: long(longest.label) } } }, longest.label],
  ["a page's title", { metadata: { title: long(longest.name) } }, longest.name],
  ["a page's description", { metadata: { description: long(longest.label) } }, longest.label],
  [
    "a message of the system",
    { systemMessages: { botClosed: long(longest.label) } },
    longest.label,
  ],
  ["an address", { webhook: { url: `https://${long(longest.address)}` } }, longest.address],
  [
    "a bubble",
    { content: { richText: [{ children: [{ text: long(longest.text) }] }] } },
    longest.text,
  ],
  ["a member of an unknown block", { options: { anything: [long(longest.text)] } }, longest.text],
  ["a picture in itself", { content: { url: `data:${long(longest.data)}` } }, longest.data],
]

describe("the texts of a bot are bounded", () => {
  test.each(cases)("%s is told with its place, and can be cut", (_, bot, most) => {
    const [found, ...others] = longTextsIn(bot)
    expect(others).toEqual([])
    expect(found?.most).toBe(most)
    expect(found?.length).toBeGreaterThan(most)
    expect(longTextsIn(withCutTexts(bot))).toEqual([])
  })

  test("what fits stays as it is", () => {
    const bot = {
      name: "Bot",
      groups: [
        { title: "x".repeat(longest.name), blocks: [{ options: { isX: true, n: 1, no: null } }] },
      ],
      content: { url: `data:${"x".repeat(longest.address)}` },
    }
    expect(longTextsIn(bot)).toEqual([])
    expect(withCutTexts(bot)).toEqual(bot)
  })

  test("the path leads to the text", () => {
    const bot = { groups: [{}, { blocks: [{ items: [{ title: long(longest.name) }] }] }] }
    expect(longTextsIn(bot)[0]?.path).toEqual(["groups", 1, "blocks", 0, "items", 0, "title"])
  })
})
