/** Links and tables in the Markdown of models. */
import { expect, test } from "vitest"
import { unmetered } from "../../../engine/budget/fuel.ts"
import { fromMarkdown } from "../../../engine/richText/fromMarkdown.ts"
import type { RichTextNode } from "../payload.ts"
import { readMarkdown } from "./markdown.ts"

const url = "https://c.example"

test.each([
  [`[https://a.example](${url})`, [{ text: "https://a.example" }]],
  [
    `[see **https://a.example** now](${url})`,
    [{ text: "see " }, { text: "https://a.example", bold: true }, { text: " now" }],
  ],
  [
    `[_see **https://a.example** now_](${url})`,
    [
      { text: "see ", italic: true },
      { text: "https://a.example", bold: true, italic: true },
      { text: " now", italic: true },
    ],
  ],
])("a link never lies within another one: %s", (text, children) => {
  expect(readMarkdown(text)).toEqual([{ type: "p", children: [{ type: "a", url, children }] }])
})

test("a bare address is a link, and keeps the marks around it", () => {
  const children = [{ text: url, bold: true }]
  expect(readMarkdown(`**${url}**`)).toEqual([
    { type: "p", children: [{ type: "a", url, children }] },
  ])
})

test.each<[string, RichTextNode[]]>([
  ["***both***", [{ text: "both", bold: true, italic: true }]],
  ["**a**b**c**", [{ text: "a", bold: true }, { text: "b" }, { text: "c", bold: true }]],
  ["~~gone~~", [{ text: "gone", strikethrough: true }]],
  ["\\*no\\*", [{ text: "*" }, { text: "no" }, { text: "*" }]],
  ["[w](https://c.example/A_(b))", [{ type: "a", url: `${url}/A_(b)`, children: [{ text: "w" }] }]],
])("the marks of a line are read: %s", (text, children) => {
  expect(readMarkdown(text)).toEqual([{ type: "p", children }])
})

test.each([
  ["````\n```js\n1\n```\n````", ["```js", "1", "```"]],
  ["~~~\n```\n~~~", ["```"]],
  ["```\n1\n``` 2\n```", ["1", "``` 2"]],
])("code ends at its own fence: %j", (text, lines) => {
  const children = lines.map((line) => ({ type: "code_line", children: [{ text: line }] }))
  expect(readMarkdown(text)).toEqual([{ type: "code_block", children }])
})

test.each(["`", "``", "```"])("code within a line is no block: %s", (ticks) => {
  const children = [{ text: "1", code: true }, { text: " is one" }]
  expect(readMarkdown(`${ticks}1${ticks} is one`)).toEqual([{ type: "p", children }])
})

test("a line with many unclosed marks is read once", () => {
  const began = performance.now()
  readMarkdown("**a ".repeat(3_000))
  // A twentieth of a second; looking again for each took a quarter of a minute.
  expect(performance.now() - began).toBeLessThan(5_000)
})

test.each([
  ["- a\n1. b\n2. c", ["ul", undefined], ["ol", 1]],
  ["1. a\n2. b\n- c", ["ol", 1], ["ul", undefined]],
  ["- a\n\n3) b", ["ul", undefined], ["ol", 3]],
  ["* a\n+ b", ["ul", undefined], ["ul", undefined]],
])("a list of another kind is another list: %j", (text, ...lists) => {
  expect(readMarkdown(text).map(({ type, start }) => [type, start])).toEqual(lists)
})

test("an interrupted list continues its numbers", () => {
  const [first, , second] = readMarkdown("1. One\n\nMore on that\n\n2. Two")
  expect([first?.start, second?.start]).toEqual([1, 2])
})

const bar = "\\|"

test.each([
  "| Plan | Price |\n|---|--:|\n| **Pro** | 9 |\n| Free |",
  `a | b\n:-: | :--\n${bar} | c | d\nx`,
  "Words:\n| a | b |\n| - | - |\n\nend",
  "| a | b |\n| - |\nx",
  "| a | b |\n| c | d |",
  "a|\n-|\n- item",
  "| ![a](https://c.example/p.png) |\n| --- |\n| `x` [b](https://c.example) |",
  `${"|a".repeat(21)}|\n${"|-".repeat(21)}|`,
  `|a|\n|-|\n${"|b|\n".repeat(203)}`,
])("a table is read as the service does: %j", (text) => {
  const isWritten = ({ type, children }: RichTextNode) => type !== "p" || children?.[0]?.text !== ""
  expect(readMarkdown(text)).toEqual(fromMarkdown(text, unmetered()).filter(isWritten))
})

test.each([
  ["quotes", `${"> ".repeat(5_000)}deep`],
  ["lists", Array.from({ length: 100 }, (_, at) => `${"  ".repeat(at)}- deep`).join("\n")],
])("%s that are nested too deeply stay text", (_, text) => {
  const read = JSON.stringify(readMarkdown(text))
  expect(read).toContain("deep")
  expect(read.split("children").length).toBeLessThan(100)
})
