/** Shape of an audio bubble. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

const contentSchema = z
  .object({
    url: z.string().optional().describe("Address of the clip; may hold {{variables}}"),
    isAutoplayEnabled: z.boolean().optional().describe("Whether to start at once; default true"),
  })
  .meta({ id: "AudioBubbleContent", description: "The clip to play" })

export const audioBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("audio").describe("An audio bubble"),
    content: contentSchema.optional(),
  })
  .meta({ id: "AudioBlock", description: "Plays a clip" })

export type AudioBlock = z.infer<typeof audioBlockSchema>
