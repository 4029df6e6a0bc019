/** Shape of a phone number input. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, retryShape, typedLabelsSchema } from "../inputSchema.ts"

const optionsSchema = namedObject(
  "PhoneNumberInputOptions",
  "How the number is asked for and stored",
  {
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    ...retryShape,
    defaultCountryCode: optional.text(
      "ISO 3166 code of the country of national numbers; anything else: none",
    ),
  },
)

export const phoneNumberInputBlockSchema = blockSchemaOf(
  "phone number input",
  "A phone number input",
  {
    options: optionsSchema.optional(),
  },
).meta({ id: "PhoneNumberInputBlock", description: "Asks for a phone number" })

export type PhoneNumberInputBlock = z.infer<typeof phoneNumberInputBlockSchema>
