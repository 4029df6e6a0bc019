/** Shape of a payment input. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { answerShape, labelSchema, retryShape } from "../inputShape.ts"

const addressSchema = z
  .object({
    country: labelSchema("Country"),
    line1: labelSchema("First line"),
    line2: labelSchema("Second line"),
    state: labelSchema("State"),
    city: labelSchema("City"),
    postalCode: labelSchema("Postal code"),
  })
  .meta({ id: "PaymentAddress", description: "Address of the payer" })

const informationSchema = z
  .object({
    description: labelSchema("What is paid for"),
    name: labelSchema("Name of the payer"),
    email: labelSchema("Where the receipt goes"),
    phoneNumber: labelSchema("Phone number of the payer"),
    address: addressSchema.optional(),
  })
  .meta({ id: "PaymentInformation", description: "What is known of the payment" })

const optionsSchema = z
  .object({
    ...answerShape,
    provider: z.literal("Stripe").optional().describe("Who collects the money; default Stripe"),
    credentialsId: z
      .string()
      .optional()
      .describe("Credentials of the provider; without them the chat stops with an error"),
    currency: z.string().optional().describe("ISO 4217 code; default USD"),
    amount: z
      .string()
      .optional()
      .describe("Amount in whole units of the currency, such as 19.99; may hold {{variables}}"),
    labels: z
      .object({
        button: labelSchema("Label of the button; default Pay"),
        success: labelSchema("Shown after the payment; default Success"),
      })
      .optional()
      .describe("Texts around the payment"),
    additionalInformation: informationSchema.optional(),
    ...retryShape,
  })
  .meta({ id: "PaymentInputOptions", description: "What is to be paid, and to whom" })

export const paymentInputBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("payment input").describe("A payment input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "PaymentInputBlock", description: "Asks for a payment" })

export type PaymentInputBlock = z.infer<typeof paymentInputBlockSchema>
