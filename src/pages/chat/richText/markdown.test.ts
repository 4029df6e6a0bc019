/** Links in the Markdown of models. */
import { expect, test } from "vitest"
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
