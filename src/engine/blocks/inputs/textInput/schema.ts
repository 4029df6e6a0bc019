/** Shape of a text input. */
import { z } from "zod"
import { variableIdSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"
import { answerShape, typedLabelsSchema, visibilitySchema } from "../inputShape.ts"

const uploadsSchema = z
  .object({
    isEnabled: z.boolean().optional().describe("Whether it is offered; default false"),
    saveVariableId: variableIdSchema.optional().describe("Variable that receives the addresses"),
    visibility: visibilitySchema.optional(),
  })
  .meta({ id: "TextInputUploads", description: "Something to upload besides, or instead of, text" })

const optionsSchema = z
  .object({
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    isLong: z.boolean().optional().describe("Whether several lines are expected; default false"),
    inputMode: z
      .enum(["text", "decimal", "numeric", "tel", "search", "email", "url"])
      .optional()
      .describe("Keyboard to offer"),
    audioClip: uploadsSchema.optional().describe("Voice recording"),
    attachments: uploadsSchema.optional().describe("Files sent with the text"),
  })
  .meta({ id: "TextInputOptions", description: "How the text is asked for and stored" })

export const textInputBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("text input").describe("A text input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "TextInputBlock", description: "Asks for a text" })

export type TextInputBlock = z.infer<typeof textInputBlockSchema>
