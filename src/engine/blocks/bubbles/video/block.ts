/** Shows a video. */
import type { z } from "zod"
import { defined } from "../../../../lib/presentMembers.ts"
import { videoServices } from "../../../payload.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { readNumber } from "../../../variables/interpolate.ts"
import { interpolateStructure } from "../../../variables/interpolateStructure.ts"
import { interpolateUrl } from "../../../variables/interpolateUrl.ts"
import type { BlockContext } from "../../block.ts"
import { blockSchemaOf, bubble } from "../../defineBlock.ts"
import { detectService } from "./detectService.ts"

export const videoBlockSchema = blockSchemaOf("video", {
  content: optional.named("VideoBubbleContent", "The video to show", {
    url: optional.template("Address of the video"),
    id: optional.text("Id at the video service; recognised anew when shown"),
    type: optional.oneOf("Video service; recognised anew when shown", videoServices),
    height: optional.numberOrText("Height in pixels, or a variable that holds it", 400),
    aspectRatio: optional.text("CSS aspect ratio", "16/9"),
    maxWidth: optional.text("CSS width", "100%"),
    queryParamsStr: optional
      .text("Query for the video service, with its question mark")
      .meta({ title: "Query" }),
    areControlsDisplayed: optional.flag("Whether to show controls", true),
    isAutoplayEnabled: optional.flag("Whether to start at once", true),
  }),
}).meta({ id: "VideoBlock" })

type VideoBlock = z.infer<typeof videoBlockSchema>

type Content = NonNullable<VideoBlock["content"]>

export const videoBlock = bubble(videoBlockSchema, {
  catalogue: {
    label: "Video",
    description: "Plays a video from a file or from services such as YouTube and Vimeo",
    category: "messages",
    icon: "video",
  },
  show: ({ content }, context) => content && { type: "video", content: filled(content, context) },
  mentions: (block) => ({ texts: [block.content?.url] }),
})

function filled(content: Content, context: BlockContext): Content {
  const { url, id: _, type, queryParamsStr, height, ...rest } = content
  const query = queryOf(queryParamsStr ?? "", context)
  const video = url === undefined ? undefined : detectService(interpolateUrl(url, context))
  return {
    // The builder may have cut the query off the address and stored it separately.
    ...(query !== "" && video?.type === type ? { queryParamsStr: query } : {}),
    ...video,
    ...defined({ height: readNumber(height, context) }),
    ...interpolateStructure(rest, context),
  }
}

/** The query for the service; the words of visitors stay the value of one parameter. */
function queryOf(written: string, context: BlockContext): string {
  return written.startsWith("?")
    ? interpolateUrl(written, context)
    : interpolateUrl(`?${written}`, context).slice(1)
}
