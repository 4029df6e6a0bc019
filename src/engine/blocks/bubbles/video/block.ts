/** Shows a video. */

import { defined } from "../../../presentMembers.ts"
import { interpolate, interpolateStructure, readNumber } from "../../../variables/interpolate.ts"
import type { BlockContext, Bubble } from "../../block.ts"
import { detectService } from "./detectService.ts"
import { type VideoBlock, videoBlockSchema } from "./schema.ts"

type Content = NonNullable<VideoBlock["content"]>

export const videoBlock: Bubble<VideoBlock> = {
  kind: "bubble",
  schema: videoBlockSchema,
  show: ({ content }, context) => content && { type: "video", content: filled(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
  transcribe: (block, context) => {
    return { type: "video", content: interpolate(block.content?.url, context) }
  },
}

function filled(content: Content, context: BlockContext): Content {
  const { url, id: _, type, queryParamsStr, height, ...rest } = content
  const query = interpolate(queryParamsStr, context)
  const video = url === undefined ? undefined : detectService(interpolate(url, context))
  return {
    // The builder may have cut the query off the address and kept it beside.
    ...(query !== "" && video?.type === type ? { queryParamsStr: query } : {}),
    ...video,
    ...defined({ height: readNumber(height, context) }),
    ...interpolateStructure(rest, context),
  }
}
