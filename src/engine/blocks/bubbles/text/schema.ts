/** Shape of a text bubble. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { richTextSchema } from "../../../schema/richText.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const contentSchema = namedObject("TextBubbleContent", "The text to show", {
  richText: richTextSchema.optional(),
  html: optional.text("Text of very old bots; kept, not shown"),
  plainText: optional.text("Text of very old bots; kept, not shown"),
})

export const textBlockSchema = blockSchemaOf("text", "A text bubble", {
  content: contentSchema.optional(),
}).meta({ id: "TextBlock", description: "Shows a text" })

export type TextBlock = z.infer<typeof textBlockSchema>
