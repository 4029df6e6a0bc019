/** Rich texts are edited by a library that needs texts around links, and stored as they were. */
import { describe, expect, test } from "vitest"
import {
  type RichElement,
  readDocument,
  storedDocument,
} from "../../src/pages/console/editor/blocks/richDocument.ts"

const link = { type: "a", url: "https://x.example/", children: [{ text: "here" }] }
const lineOf = (...children: RichElement["children"]) => [{ type: "p", children }]

describe("a rich text is stored as it was", () => {
  test.each([
    ["with a link alone", lineOf(link)],
    ["with links in a row", lineOf({ text: "See " }, link, link)],
    ["with the empty texts of another editor", lineOf({ text: "" }, link, { text: "" })],
    ["with a list", [{ type: "ul", children: [{ type: "li", children: lineOf(link) }] }]],
  ])("%s", (_, document) => {
    expect(storedDocument(readDocument(document))).toEqual(document)
  })
})

test("a link has a text on each side in the editor", () => {
  expect(readDocument(lineOf(link, link))).toMatchObject([
    { children: [{ text: "" }, link, { text: "" }, link, { text: "" }] },
  ])
})

test("what is written beside a link stays", () => {
  const [line] = readDocument(lineOf(link)) as [RichElement]
  const written = line.children.map((node, at) => (at === 2 ? { ...node, text: "!" } : node))
  expect(storedDocument([{ ...line, children: written }])).toEqual(lineOf(link, { text: "!" }))
})
