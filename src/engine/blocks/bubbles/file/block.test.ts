/** File bubbles. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { fileBlock } from "./block.ts"

type FileBlock = BlockOf<typeof fileBlock>

const context = testScene({
  variables: { U: "https://x.y/a/Price%20list.pdf", N: "Prices" },
})
const shown = (content: FileBlock["content"]) =>
  fileBlock.show({ id: "f", type: "file", content }, context)?.content

test("17.6 a file bubble fills its address, name and caption", () => {
  const content = { url: "{{U}}", name: "{{N}}.pdf", size: 2048, caption: "All {{N}}" }
  expect(shown(content)).toEqual({
    url: "https://x.y/a/Price%20list.pdf",
    name: "Prices.pdf",
    size: 2048,
    caption: "All Prices",
  })
})

test.each([
  ["{{U}}?v=1#page", "Price list.pdf"],
  ["https://x.y/a/", "a"],
  ["https://x.y", "x.y"],
  ["https://x.y/50%", "50%"],
  ["//x.y/b.zip", "b.zip"],
])("17.6 the file at %s without a name is called %s", (url, name) => {
  expect(shown({ url, name: " {{Unset}} " })).toMatchObject({ name })
})

test("17.6 a file bubble has a name of at most 255 characters", () => {
  expect(shown({ url: "https://x.y/a", name: "n".repeat(300) })).toMatchObject({
    name: expect.stringMatching(/^.{255}$/),
  })
})

test("17.6 a file bubble leaves out an address that would run code", () => {
  expect(shown({ url: "java\nscript:alert(1)", name: "A" })).toEqual({ name: "A" })
})

test("17.6 a file bubble without content shows nothing", () => {
  expect(shown(undefined)).toBeUndefined()
  expect(shown({})).toEqual({})
})
