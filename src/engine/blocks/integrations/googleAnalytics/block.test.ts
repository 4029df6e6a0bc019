/** Google Analytics events. */
import { expect, it } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { googleAnalyticsBlock } from "./block.ts"

type GoogleAnalyticsBlock = BlockOf<typeof googleAnalyticsBlock>

const block: GoogleAnalyticsBlock = {
  id: "b",
  type: "Google Analytics",
  options: { trackingId: "G-1", action: "{{A}}", label: "{{Unset}}", value: "{{V}}" },
}
const variables = { A: "click", V: "3,5" }

it("20.8 hands the event to the client, empty texts left out and the value as a number", () => {
  expect(googleAnalyticsBlock.run(block, testScene({ variables }))).toEqual({
    act: [
      {
        type: "googleAnalytics",
        googleAnalytics: { trackingId: "G-1", action: "click", value: 3.5 },
      },
    ],
  })
})

it("20.8 does nothing in a preview and without options", () => {
  expect(googleAnalyticsBlock.run(block, testScene({ chat: { isPreview: true } }))).toEqual({})
  expect(googleAnalyticsBlock.run({ id: "b", type: "Google Analytics" }, testScene())).toEqual({})
})

it("20.8 has the tracker loaded when a chat starts", () => {
  expect(googleAnalyticsBlock.startProps?.(block)).toEqual({ googleAnalyticsId: "G-1" })
  expect(googleAnalyticsBlock.startProps?.({ id: "b", type: "Google Analytics" })).toEqual({})
})
