/** Shape of an email input. */
import { z } from "zod"
import { answerShape, inputShape, retryShape } from "../inputShape.ts"
import { typedLabelsSchema } from "../labels.ts"

const optionsSchema = z
  .object({ ...answerShape, labels: typedLabelsSchema.optional(), ...retryShape })
  .meta({ id: "EmailInputOptions", description: "How the address is asked for and stored" })

export const emailInputBlockSchema = z
  .object({
    ...inputShape,
    type: z.literal("email input").describe("An email input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "EmailInputBlock", description: "Asks for an email address" })

export type EmailInputBlock = z.infer<typeof emailInputBlockSchema>
