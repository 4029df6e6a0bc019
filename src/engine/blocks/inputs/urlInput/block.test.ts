/** Addresses that a URL input takes. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { urlInputBlock } from "./block.ts"

type UrlInputBlock = BlockOf<typeof urlInputBlock>

const block: UrlInputBlock = { id: "i", type: "url input" }
const reply = (text: string) => urlInputBlock.reply(block, { type: "text", text }, testScene())

test.each([
  "example.com",
  "https://example.com",
  "HTTP://Example.com/Path?q=1#top",
  "https://example.com:8080/a%20b",
  "user@ex.com",
  "https://user:word@example.com",
  "192.168.0.1",
  "http://1.2.3.4/a",
  "http://[::1]/a",
  "bücher.example",
])("18.4 keeps %s unchanged", (text) => {
  expect(reply(text)).toEqual({ accept: text })
})

test.each([
  "",
  "foo",
  "localhost",
  "http://localhost:3000",
  "ftp://example.com",
  "javascript:alert(1)",
  "mailto:a@b.co",
  "//example.com",
  "https://",
  "https://example",
  " https://example.com",
  "https://example.com/a b",
  "see example.com",
  "https://example.com:99999",
  "https://exa_mple.com",
  `https://example.com/${"a".repeat(2100)}`,
])("18.4 asks again after %j", (text) => {
  expect(reply(text)).toBe("retry")
})

test("18.4 asks again without a text", () => {
  expect(urlInputBlock.reply(block, undefined, testScene())).toBe("retry")
})

test("18.4 uses the bot's text for a bad reply", () => {
  expect(urlInputBlock.retryText).toBeUndefined()
})

test("18.4 asks with its options filled in and the present value", () => {
  const options = { variableId: "vSite", labels: { button: "{{Name}}" } }
  const context = testScene({ variables: { Name: "Ann", Site: "example.com" } })
  expect(urlInputBlock.ask({ ...block, options }, context)).toEqual({
    options: { variableId: "vSite", labels: { button: "Ann" } },
    prefilledValue: "example.com",
  })
})
