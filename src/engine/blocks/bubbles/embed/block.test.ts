/** Embed bubbles. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { embedBlock } from "./block.ts"

type EmbedBlock = BlockOf<typeof embedBlock>

const context = testScene({ variables: { U: "https://x.y", J: "javascript:alert(1)", H: "300" } })
const block = (content: EmbedBlock["content"]): EmbedBlock => ({ id: "e", type: "embed", content })
const shown = (content: EmbedBlock["content"]) => embedBlock.show(block(content), context)

test("17.4 an embed shows its filled address, its height as a number and the awaited event", () => {
  const waitForEvent = { isEnabled: true, name: "done {{H}}", saveDataInVariableId: "v" }
  expect(shown({ url: "{{U}}/p", height: "{{H}}", waitForEvent })).toEqual({
    type: "embed",
    content: {
      url: "https://x.y/p",
      height: 300,
      waitForEvent: { ...waitForEvent, name: "done 300" },
    },
  })
  expect(shown({ height: "tall" })).toEqual({ type: "embed", content: {} })
  expect(shown(undefined)).toBeUndefined()
})

test.each([
  [
    '<iframe width="560" src="https://x.y/p?a=1&amp;b=2" allowfullscreen></iframe>',
    "https://x.y/p?a=1&b=2",
  ],
  ["\n<div class='box'><iframe data-src='no' src='//x.y/p'></iframe></div>", "https://x.y/p"],
  ["<IFRAME SRC={{U}}/p></IFRAME>", "https://x.y/p"],
  ["<iframe src='javascript:alert(1)'></iframe>", undefined],
  ["https://x.y/?q=<iframe src='https://z'>", "https://x.y/?q=<iframe src='https://z'>"],
])("17.4 an embed takes the address out of %j", (url, address) => {
  expect(shown({ url })).toEqual({ type: "embed", content: address ? { url: address } : {} })
})

test("17.4 long markup is read in linear time", () => {
  const began = performance.now()
  shown({ url: "<iframe ".repeat(50_000) })
  shown({ url: `<iframe${" src".repeat(100_000)}` })
  expect(performance.now() - began).toBeLessThan(1_000)
})

test("17.4 an embed drops a dangerous address", () => {
  expect(shown({ url: "{{J}}" })).toEqual({ type: "embed", content: {} })
  expect(shown({ url: "data:text/html,x" })).toEqual({ type: "embed", content: {} })
})

test("17.4 an embed waits only when its options say so", () => {
  expect(embedBlock.waits?.(block({ waitForEvent: { isEnabled: true } }))).toBe(true)
  expect(embedBlock.waits?.(block({ waitForEvent: { name: "done" } }))).toBe(false)
  expect(embedBlock.waits?.(block(undefined))).toBe(false)
})

test.each([
  ["plain words", "plain words"],
  ["[1,2]", [1, 2]],
  ['{"a":1}', { a: 1 }],
  ["", ""],
])("17.4 an embed saves the reported %j", (text, value) => {
  const saving = block({ waitForEvent: { isEnabled: true, saveDataInVariableId: "v" } })
  expect(embedBlock.receive?.(saving, text, context)).toEqual({ set: [{ variableId: "v", value }] })
})

test("17.4 an embed without a variable saves nothing", () => {
  const waiting = block({ waitForEvent: { isEnabled: true } })
  expect(embedBlock.receive?.(waiting, "x", context)).toEqual({ set: [] })
})
