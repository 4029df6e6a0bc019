/** Shape of a text bubble. */
import { z } from "zod"
import { richTextSchema } from "../../../schema/richText.ts"
import { blockShape } from "../../blockShape.ts"

const contentSchema = z
  .object({
    richText: richTextSchema.optional(),
    html: z.string().optional().describe("Text of very old bots; kept, not shown"),
    plainText: z.string().optional().describe("Text of very old bots; kept, not shown"),
  })
  .meta({ id: "TextBubbleContent", description: "The text to show" })

export const textBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("text").describe("A text bubble"),
    content: contentSchema.optional(),
  })
  .meta({ id: "TextBlock", description: "Shows a text" })

export type TextBlock = z.infer<typeof textBlockSchema>
