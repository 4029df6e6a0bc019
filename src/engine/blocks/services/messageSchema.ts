/** Stored form of the messages that a model is given. */
import { z } from "zod"
import { idSchema } from "../../schema/id.ts"
import { text, variableOption } from "./serviceSchema.ts"

/** Fields of a message, for every kind of it. */
export const messageShape = {
  id: idSchema.optional().describe("Id of the message"),
  role: z
    .enum(["system", "user", "assistant", "Dialogue"])
    .optional()
    .describe("Who says it; Dialogue: a whole conversation out of a list variable"),
  content: text("What is said"),
  dialogueVariableId: variableOption("Dialogue: the list of what was said, by turns"),
  startsBy: z
    .enum(["user", "assistant"])
    .optional()
    .describe("Dialogue: who said the first entry; default user"),
}

export const messageOptionSchema = z
  .object(messageShape)
  .meta({ id: "ModelMessageOption", description: "A message for a model" })

export type MessageOption = z.infer<typeof messageOptionSchema>
