/** Text bubbles. */
import { expect, test } from "vitest"
import { type BlockOf, type SceneParts, testScene } from "../../../../../test/support/context.ts"
import type { RichText } from "../../../schema/richText.ts"
import { textBlock, textBlockSchema } from "./block.ts"

type TextBlock = BlockOf<typeof textBlock>

const p = (...texts: string[]) => ({ type: "p", children: texts.map((text) => ({ text })) })
const block = (richText?: RichText): TextBlock => ({
  id: "t",
  type: "text",
  content: richText ? { richText } : {},
})
const shown = (richText: RichText | undefined, parts: SceneParts = {}) =>
  textBlock.show(block(richText), testScene(parts))
const message = (richText: RichText) => ({ type: "text", content: { type: "richText", richText } })

test("17.1 a text bubble shows its text with values filled in", () => {
  expect(shown([p("Hi {{N}}!")], { variables: { N: "Ann" } })).toEqual(
    message([p("Hi ", "Ann", "!")]),
  )
})

test("17.1 a text bubble whose only token has no value shows an empty text", () => {
  expect(shown([p("{{X}}")])).toEqual(message([]))
})

test("17.1 a list prints whole, and its last element alone in old bots", () => {
  const variables = { L: ["a", "b"] }
  expect(shown([p("last: {{L}}")], { variables })).toEqual(message([p("last: ", '["a","b"]')]))
  expect(shown([p("last: {{L}}")], { variables, chat: { printsLastOfList: true } })).toEqual(
    message([p("last: ", "b")]),
  )
})

test("17.1 a text bubble of html alone shows an empty text, one without content nothing", () => {
  const old: TextBlock = { id: "t", type: "text", content: { html: "<b>x</b>" } }
  for (const textFormat of ["richText", "markdown"] as const) {
    expect(textBlock.show(old, testScene({ chat: { textFormat } }))).toEqual(message([]))
  }
  expect(textBlock.show({ id: "t", type: "text" }, testScene())).toBeUndefined()
})

test("17.1 a text bubble mentions the variables of its texts and addresses at any depth", () => {
  const link = { type: "a", url: "{{U}}", children: [{ text: "{{T}}" }] }
  expect(textBlock.mentions?.(block([{ type: "p", children: [{ text: "a" }, link] }]))).toEqual({
    texts: ["a", "{{U}}", "{{T}}"],
  })
  const broken: RichText = JSON.parse('[{"type":"p","children":[null,{"text":1}]}]')
  expect(textBlock.mentions?.(block(broken))).toEqual({ texts: [] })
})

test("17.1 a text bubble speaks a variable when its first leaf is only that token", () => {
  const spoken = (richText: RichText | undefined) => textBlock.speaks?.(block(richText))
  expect(spoken([p("{{A}}"), p("more")])).toBe("A")
  expect(spoken([p("{{A}}", "more")])).toBe("A")
  expect(spoken([p("Hi {{A}}")])).toBeUndefined()
  expect(spoken([p("{{=1=}}")])).toBeUndefined()
  expect(spoken([{ text: "{{A}}" }])).toBeUndefined()
  expect(spoken([])).toBeUndefined()
  expect(spoken(undefined)).toBeUndefined()
})

test("17.1 the schema keeps nodes word for word and drops unknown members of the content", () => {
  const richText = [{ type: "p", indent: 1, children: [{ text: "a", color: "red" }] }]
  const content = { richText, html: "<p>a</p>", plainText: "a" }
  expect(
    textBlockSchema.parse({ id: "t", type: "text", content: { ...content, other: 1 } }),
  ).toEqual({ id: "t", type: "text", content })
})
