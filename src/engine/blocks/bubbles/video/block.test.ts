/** Video bubbles. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { videoBlock, videoBlockSchema } from "./block.ts"

type VideoBlock = BlockOf<typeof videoBlock>

const context = testScene({ variables: { V: "abc", H: "300,5", Bad: "tall" } })
const block = (content: VideoBlock["content"]): VideoBlock => ({ id: "v", type: "video", content })
const shown = (content: VideoBlock["content"]) => videoBlock.show(block(content), context)?.content

test("17.3 a video bubble recognises the service of the filled address", () => {
  const stored = { url: "https://youtu.be/{{V}}?t=30", type: "url", id: "old" } as const
  expect(shown({ ...stored, aspectRatio: "9/16", areControlsDisplayed: false })).toEqual({
    type: "youtube",
    url: "youtu.be/abc?t=30",
    id: "abc",
    queryParamsStr: "?start=30",
    aspectRatio: "9/16",
    areControlsDisplayed: false,
  })
})

test("17.3 a video bubble keeps a stored query of the same service only", () => {
  const query = { queryParamsStr: "?start=5" }
  expect(shown({ url: "youtube.com/watch?v=a", type: "youtube", ...query })).toMatchObject(query)
  expect(shown({ url: "vimeo.com/1", type: "youtube", ...query })).toEqual({
    type: "vimeo",
    url: "vimeo.com/1",
    id: "1",
  })
})

test("17.3 the height of a video becomes a number, or is left out if invalid", () => {
  expect(shown({ height: "{{H}}" })).toEqual({ height: 300.5 })
  expect(shown({ height: 200 })).toEqual({ height: 200 })
  expect(shown({ height: "{{Bad}}" })).toEqual({})
})

test("17.3 a video bubble without content shows nothing", () => {
  expect(videoBlock.show(block(undefined), context)).toBeUndefined()
})

test("17.3 a video bubble mentions its address", () => {
  const url = "https://x.y/{{V}}.mp4"
  expect(videoBlock.mentions?.(block({ url }))).toEqual({ texts: [url] })
})

test("17.3 the schema keeps every member of a video", () => {
  const content = {
    url: "u",
    id: "i",
    type: "gumlet",
    height: "{{H}}",
    aspectRatio: "1/1",
    maxWidth: "10px",
    queryParamsStr: "?a=1",
    areControlsDisplayed: true,
    isAutoplayEnabled: false,
  }
  expect(videoBlockSchema.parse({ id: "v", type: "video", content })).toEqual({
    id: "v",
    type: "video",
    content,
  })
})
