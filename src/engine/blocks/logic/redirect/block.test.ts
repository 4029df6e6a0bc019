/** Redirect blocks. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { redirectBlock } from "./block.ts"

type RedirectBlock = BlockOf<typeof redirectBlock>

const run = (options: RedirectBlock["options"], variables = {}) =>
  redirectBlock.run({ id: "r", type: "Redirect", options }, testScene({ variables }))
const opened = (url: string) => ({ act: [{ type: "redirect", redirect: { url } }] })

test("19.4 a redirect opens the filled address and the walk continues", () => {
  expect(run({ url: "e.com/{{A}}", isNewTab: true }, { A: "12" })).toEqual({
    act: [{ type: "redirect", redirect: { url: "https://e.com/12", isNewTab: true } }],
  })
})

test("19.4 a redirect adds https:// only where a scheme is missing", () => {
  for (const url of ["http://a.b", "Https://a.b", "mailto:a@b.co", "Tel:+33", "sms:+33"]) {
    expect(run({ url })).toEqual(opened(url))
  }
  expect(run({ url: "{{U}}/x" }, { U: "/page" })).toEqual(opened("/page/x"))
  expect(run({ url: "a.b" })).toEqual(opened("https://a.b"))
})

test("19.4 a redirect without an address does nothing", () => {
  expect(run(undefined)).toEqual({})
  expect(run({ isNewTab: true })).toEqual({})
  expect(run({ url: "{{U}}" })).toEqual({})
})

test("19.4 a redirect never opens code that a variable brought in", () => {
  for (const U of ["javascript:alert(1)", " JavaScript:x", "java\nscript:x", "data:text/html,x"]) {
    expect(run({ url: "{{U}}" }, { U })).toEqual({
      log: [{ status: "error", description: "The address to open would run code" }],
    })
  }
})
