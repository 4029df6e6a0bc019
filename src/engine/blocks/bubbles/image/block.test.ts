/** Image bubbles. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { imageBlock } from "./block.ts"

type ImageBlock = BlockOf<typeof imageBlock>

const context = testScene({ variables: { U: "https://x.y/a.png", J: "javascript:alert(1)" } })
const block = (content: ImageBlock["content"]): ImageBlock => ({ id: "i", type: "image", content })

test("17.2 an image bubble fills its address and its link", () => {
  const content = { url: "{{U}}", clickLink: { url: "{{U}}?b=1", alt: "Of {{U}}" } }
  expect(imageBlock.show(block(content), context)).toEqual({
    type: "image",
    content: {
      url: "https://x.y/a.png",
      clickLink: { url: "https://x.y/a.png?b=1", alt: "Of https://x.y/a.png" },
    },
  })
})

test("17.2 an image bubble drops a dangerous link and keeps an embedded picture", () => {
  const url = "data:image/png;base64,AA"
  expect(imageBlock.show(block({ url, clickLink: { url: "{{J}}", alt: "a" } }), context)).toEqual({
    type: "image",
    content: { url, clickLink: { alt: "a" } },
  })
})

test("17.2 an image bubble shows nothing without content, and an empty one without address", () => {
  expect(imageBlock.show(block(undefined), context)).toBeUndefined()
  expect(imageBlock.show(block({}), context)).toEqual({ type: "image", content: {} })
})

test("17.2 an image bubble mentions its address", () => {
  expect(imageBlock.mentions?.(block({ url: "{{U}}" }))).toEqual({ texts: ["{{U}}"] })
})
