/** Shape of an image bubble. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

const contentSchema = z
  .object({
    url: z.string().optional().describe("Address of the picture; may hold {{variables}}"),
    clickLink: z
      .object({
        url: z.string().optional().describe("Address that a click opens; may hold {{variables}}"),
        alt: z
          .string()
          .optional()
          .describe("Description of the picture; may hold {{variables}}; default Bubble image"),
      })
      .optional()
      .describe("What a click opens"),
  })
  .meta({ id: "ImageBubbleContent", description: "The picture to show" })

export const imageBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("image").describe("An image bubble"),
    content: contentSchema.optional(),
  })
  .meta({ id: "ImageBlock", description: "Shows a picture" })

export type ImageBlock = z.infer<typeof imageBlockSchema>
