/** Which video services are recognised. */
import { expect, test } from "vitest"
import { detectService } from "./detectService.ts"

test.each([
  [
    "https://www.youtube.com/watch?v=dQw4-_9&t=5",
    { type: "youtube", url: "youtube.com/watch?v=dQw4-_9", id: "dQw4-_9" },
  ],
  ["https://youtube.com/shorts/abc", { type: "youtube", url: "youtube.com/shorts/abc", id: "abc" }],
  ...["embed/abc", "live/abc", "watch?app=desktop&v=abc"].map((path): [string, object] => [
    `https://www.youtube.com/${path}?si=1`,
    { type: "youtube", url: `youtube.com/${path}`, id: "abc" },
  ]),
  ["https://youtu.be/abc", { type: "youtube", url: "youtu.be/abc", id: "abc" }],
  [
    "https://youtu.be/abc?si=1&t=30",
    {
      type: "youtube",
      url: "youtu.be/abc?si=1&t=30",
      id: "abc",
      queryParamsStr: "?si=1&start=30",
    },
  ],
  [
    "https://player.vimeo.com/video/123?h=1",
    { type: "vimeo", url: "vimeo.com/video/123?h=1", id: "123", queryParamsStr: "?h=1" },
  ],
  ["https://vimeo.com/123", { type: "vimeo", url: "vimeo.com/123", id: "123" }],
  [
    "https://www.tiktok.com/@a.b/video/77?x=1",
    { type: "tiktok", url: "tiktok.com/@a.b/video/77", id: "77" },
  ],
  ["https://gumlet.tv/watch/6a_b", { type: "gumlet", url: "gumlet.tv/watch/6a_b", id: "6a_b" }],
  ["https://play.gumlet.com/watch/6a", { type: "gumlet", url: "gumlet.com/watch/6a", id: "6a" }],
  [
    "https://onedrive.live.com/embed?resid=1",
    { type: "url", url: "https://onedrive.live.com/download?resid=1" },
  ],
  ["https://x.y/embed/a.mp4", { type: "url", url: "https://x.y/embed/a.mp4" }],
  ["https://vimeo.com/about", { type: "url", url: "https://vimeo.com/about" }],
])("17.3 recognises %s", (url, expected) => {
  expect(detectService(url)).toEqual(expected)
})

test("17.3 reads a hostile address quickly", () => {
  const start = performance.now()
  for (const part of [
    "youtu.be/a?",
    "tiktok.com/@",
    "youtube.com/watch?v=",
    "youtube.com/watch?&",
    "vimeo.com/",
  ]) {
    detectService(part.repeat(10_000))
  }
  expect(performance.now() - start).toBeLessThan(5_000)
})
