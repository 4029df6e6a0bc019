/** Shape of an email input. */
import type { z } from "zod"
import { namedObject } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, retryShape, typedLabelsSchema } from "../inputSchema.ts"

const optionsSchema = namedObject("EmailInputOptions", "How the address is asked for and stored", {
  ...answerShape,
  labels: typedLabelsSchema.optional(),
  ...retryShape,
})

export const emailInputBlockSchema = blockSchemaOf("email input", "An email input", {
  options: optionsSchema.optional(),
}).meta({ id: "EmailInputBlock", description: "Asks for an email address" })

export type EmailInputBlock = z.infer<typeof emailInputBlockSchema>
