/** Pixel events. */
import { expect, it } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { pixelBlock } from "./block.ts"

type PixelBlock = BlockOf<typeof pixelBlock>

const block: PixelBlock = {
  id: "b",
  type: "Pixel",
  options: {
    pixelId: "{{P}}",
    eventType: "Custom",
    name: "seen {{N}}",
    params: [
      { id: "1", key: "price", value: "{{Price}}" },
      { id: "2", key: "none", value: "{{Unset}}" },
      { id: "3", key: "never", value: "undefined" },
      { id: "4", key: "quotes", value: '""' },
      { id: "5", key: "{{Unset}}", value: "nameless" },
      { id: "6", key: "flag", value: "true" },
      { id: "7", key: "list", value: "{{L}}" },
      { key: "text", value: "a" },
    ],
  },
}
const variables = { P: "x", N: "it", Price: "12.5", L: ["a", null] }

it("20.9 hands the event to the client with guessed types, the pixel id as written", () => {
  expect(pixelBlock.run(block, testScene({ variables }))).toEqual({
    act: [
      {
        type: "pixel",
        pixel: {
          pixelId: "{{P}}",
          eventType: "Custom",
          name: "seen it",
          params: [
            { id: "1", key: "price", value: 12.5 },
            { id: "6", key: "flag", value: true },
            { id: "7", key: "list", value: ["a", null] },
            { id: "text", key: "text", value: "a" },
          ],
        },
      },
    ],
  })
})

it("20.9 needs a pixel and an event, and does nothing in a preview", () => {
  expect(pixelBlock.run(block, testScene({ chat: { isPreview: true } }))).toEqual({})
  const bare: PixelBlock = { id: "b", type: "Pixel", options: { pixelId: "1" } }
  expect(pixelBlock.run(bare, testScene())).toEqual({})
  expect(pixelBlock.run({ id: "b", type: "Pixel" }, testScene())).toEqual({})
})

it("20.9 has the pixel loaded when a chat starts, unless the page does it", () => {
  expect(pixelBlock.startProps?.(block)).toEqual({ pixelId: "{{P}}" })
  const skipped: PixelBlock = { ...block, options: { ...block.options, isInitSkip: true } }
  expect(pixelBlock.startProps?.(skipped)).toEqual({})
})
