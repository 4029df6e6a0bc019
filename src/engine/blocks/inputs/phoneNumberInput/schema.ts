/** Shape of a phone number input. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { answerShape, retryShape, typedLabelsSchema } from "../inputShape.ts"

const optionsSchema = z
  .object({
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    ...retryShape,
    defaultCountryCode: z
      .string()
      .optional()
      .describe("ISO 3166 code of the country of national numbers; anything else: none"),
  })
  .meta({ id: "PhoneNumberInputOptions", description: "How the number is asked for and stored" })

export const phoneNumberInputBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("phone number input").describe("A phone number input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "PhoneNumberInputBlock", description: "Asks for a phone number" })

export type PhoneNumberInputBlock = z.infer<typeof phoneNumberInputBlockSchema>
