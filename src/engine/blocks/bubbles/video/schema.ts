/** Shape of a video bubble. */
import { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const heightSchema = z
  .union([z.number(), z.string()])
  .describe("Height in pixels, or a variable that holds it; default 400")

const contentSchema = namedObject("VideoBubbleContent", "The video to show", {
  url: optional.template("Address of the video"),
  id: optional.text("Id at the video service; recognised anew when shown"),
  type: optional.oneOf("Video service; recognised anew when shown", [
    "url",
    "youtube",
    "vimeo",
    "tiktok",
    "gumlet",
  ]),
  height: heightSchema.optional(),
  aspectRatio: optional.text("CSS aspect ratio; default 16/9"),
  maxWidth: optional.text("CSS width; default 100%"),
  queryParamsStr: optional.text("Query for the video service, with its question mark"),
  areControlsDisplayed: optional.flag("Whether to show controls; default true"),
  isAutoplayEnabled: optional.flag("Whether to start at once; default true"),
})

export const videoBlockSchema = blockSchemaOf("video", "A video bubble", {
  content: contentSchema.optional(),
}).meta({ id: "VideoBlock", description: "Shows a video" })

export type VideoBlock = z.infer<typeof videoBlockSchema>
