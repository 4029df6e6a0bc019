/** Shape of a text input. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, typedLabelsSchema, visibilitySchema } from "../inputSchema.ts"

const uploadsSchema = namedObject(
  "TextInputUploads",
  "Something to upload besides, or instead of, text",
  {
    isEnabled: optional.flag("Whether it is offered; default false"),
    saveVariableId: optional.variableId("Variable that receives the addresses"),
    visibility: visibilitySchema.optional(),
  },
)

export const textInputBlockSchema = blockSchemaOf("text input", "A text input", {
  options: optional.named("TextInputOptions", "How the text is asked for and stored", {
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
  }),
}).meta({ id: "TextInputBlock", description: "Asks for a text" })

export type TextInputBlock = z.infer<typeof textInputBlockSchema>
