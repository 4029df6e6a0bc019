/** Shape of a text input. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, typedLabelsSchema, visibilitySchema } from "../inputSchema.ts"

const uploadsSchema = z
  .object({
    isEnabled: optional.flag("Whether it is offered; default false"),
    saveVariableId: optional.variableId("Variable that receives the addresses"),
    visibility: visibilitySchema.optional(),
  })
  .meta({ id: "TextInputUploads", description: "Something to upload besides, or instead of, text" })

const optionsSchema = z
  .object({
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    isLong: optional.flag("Whether several lines are expected; default false"),
    inputMode: optional.oneOf("Keyboard to offer", [
      "text",
      "decimal",
      "numeric",
      "tel",
      "search",
      "email",
      "url",
    ]),
    audioClip: uploadsSchema.optional().describe("Voice recording"),
    attachments: uploadsSchema.optional().describe("Files sent with the text"),
  })
  .meta({ id: "TextInputOptions", description: "How the text is asked for and stored" })

export const textInputBlockSchema = blockSchemaOf("text input", "A text input", {
  options: optionsSchema.optional(),
}).meta({ id: "TextInputBlock", description: "Asks for a text" })

export type TextInputBlock = z.infer<typeof textInputBlockSchema>
