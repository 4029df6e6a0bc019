/** Audio bubbles. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { audioBlock } from "./block.ts"

type AudioBlock = BlockOf<typeof audioBlock>

const context = testScene({ variables: { U: "https://x.y/a.mp3" } })
const block = (content: AudioBlock["content"]): AudioBlock => ({ id: "a", type: "audio", content })

test("17.5 an audio bubble fills its address", () => {
  expect(audioBlock.show(block({ url: "{{U}}", isAutoplayEnabled: false }), context)).toEqual({
    type: "audio",
    content: { url: "https://x.y/a.mp3", isAutoplayEnabled: false },
  })
  expect(audioBlock.show(block({}), context)).toEqual({ type: "audio", content: {} })
})

test("17.5 an audio bubble without content shows nothing", () => {
  expect(audioBlock.show(block(undefined), context)).toBeUndefined()
})

test("17.5 an audio bubble mentions its address", () => {
  expect(audioBlock.mentions?.(block({ url: "{{U}}" }))).toEqual({ texts: ["{{U}}"] })
})
