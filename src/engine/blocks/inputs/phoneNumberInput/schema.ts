/** Shape of a phone number input. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, retryShape, typedLabelsSchema } from "../inputSchema.ts"

const optionsSchema = z
  .object({
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    ...retryShape,
    defaultCountryCode: optional.text(
      "ISO 3166 code of the country of national numbers; anything else: none",
    ),
  })
  .meta({ id: "PhoneNumberInputOptions", description: "How the number is asked for and stored" })

export const phoneNumberInputBlockSchema = blockSchemaOf(
  "phone number input",
  "A phone number input",
  {
    options: optionsSchema.optional(),
  },
).meta({ id: "PhoneNumberInputBlock", description: "Asks for a phone number" })

export type PhoneNumberInputBlock = z.infer<typeof phoneNumberInputBlockSchema>
