/** Shape of an email input. */
import { z } from "zod"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, retryShape, typedLabelsSchema } from "../inputSchema.ts"

const optionsSchema = z
  .object({ ...answerShape, labels: typedLabelsSchema.optional(), ...retryShape })
  .meta({ id: "EmailInputOptions", description: "How the address is asked for and stored" })

export const emailInputBlockSchema = blockSchemaOf("email input", "An email input", {
  options: optionsSchema.optional(),
}).meta({ id: "EmailInputBlock", description: "Asks for an email address" })

export type EmailInputBlock = z.infer<typeof emailInputBlockSchema>
