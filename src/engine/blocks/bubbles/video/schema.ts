/** Shape of a video bubble. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

const heightSchema = z
  .union([z.number(), z.string()])
  .describe("Height in pixels, or a variable that holds it; default 400")

const contentSchema = z
  .object({
    url: z.string().optional().describe("Address of the video; may hold {{variables}}"),
    id: z.string().optional().describe("Id at the video service; recognised anew when shown"),
    type: z
      .enum(["url", "youtube", "vimeo", "tiktok", "gumlet"])
      .optional()
      .describe("Video service; recognised anew when shown"),
    height: heightSchema.optional(),
    aspectRatio: z.string().optional().describe("CSS aspect ratio; default 16/9"),
    maxWidth: z.string().optional().describe("CSS width; default 100%"),
    queryParamsStr: z
      .string()
      .optional()
      .describe("Query for the video service, with its question mark"),
    areControlsDisplayed: z.boolean().optional().describe("Whether to show controls; default true"),
    isAutoplayEnabled: z.boolean().optional().describe("Whether to start at once; default true"),
  })
  .meta({ id: "VideoBubbleContent", description: "The video to show" })

export const videoBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("video").describe("A video bubble"),
    content: contentSchema.optional(),
  })
  .meta({ id: "VideoBlock", description: "Shows a video" })

export type VideoBlock = z.infer<typeof videoBlockSchema>
