/** Shows a video. */
import { interpolate } from "../../../variables/interpolate.ts"
import { readNumber } from "../../../variables/number.ts"
import type { Bubble, Scene } from "../../block.ts"
import { transcribeUrl } from "../transcribeUrl.ts"
import { detectService } from "./detectService.ts"
import { type VideoBlock, videoBlockSchema } from "./schema.ts"

type Content = NonNullable<VideoBlock["content"]>

export const videoBlock: Bubble<VideoBlock> = {
  kind: "bubble",
  schema: videoBlockSchema,
  show: ({ content }, scene) => content && { type: "video", content: filled(content, scene) },
  mentions: (block) => ({ texts: [block.content?.url] }),
  transcribe: (block, scene) => transcribeUrl("video", block.content?.url, scene),
}

function filled(content: Content, scene: Scene): Content {
  const { url, id, type, queryParamsStr, height, aspectRatio, maxWidth, ...flags } = content
  const pixels = readNumber(height, scene)
  const query = interpolate(queryParamsStr, scene)
  const video = url === undefined ? undefined : detectService(interpolate(url, scene))
  return {
    // The builder may have cut the query off the address and kept it beside.
    ...(query !== "" && video?.type === type ? { queryParamsStr: query } : {}),
    ...video,
    ...(pixels === undefined ? {} : { height: pixels }),
    ...(aspectRatio === undefined ? {} : { aspectRatio: interpolate(aspectRatio, scene) }),
    ...(maxWidth === undefined ? {} : { maxWidth: interpolate(maxWidth, scene) }),
    ...flags,
  }
}
