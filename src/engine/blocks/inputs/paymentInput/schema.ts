/** Shape of a payment input. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, retryShape } from "../inputSchema.ts"

export const paymentInputBlockSchema = blockSchemaOf("payment input", "A payment input", {
  options: optional.named("PaymentInputOptions", "What is to be paid, and to whom", {
    ...answerShape,
    provider: z.literal("Stripe").optional().describe("Who collects the money; default Stripe"),
    credentialsId: optional.text(
      "Credentials of the provider; without them the chat stops with an error",
    ),
    currency: optional.text("ISO 4217 code; default USD"),
    amount: optional.template("Amount in whole units of the currency, such as 19.99"),
    labels: optional.object("Texts around the payment", {
      button: optional.template("Label of the button; default Pay"),
      success: optional.template("Shown after the payment; default Success"),
    }),
    additionalInformation: optional.named("PaymentInformation", "What is known of the payment", {
      description: optional.template("What is paid for"),
      name: optional.template("Name of the payer"),
      email: optional.template("Where the receipt goes"),
      phoneNumber: optional.template("Phone number of the payer"),
      address: optional.named("PaymentAddress", "Address of the payer", {
        country: optional.template("Country"),
        line1: optional.template("First line"),
        line2: optional.template("Second line"),
        state: optional.template("State"),
        city: optional.template("City"),
        postalCode: optional.template("Postal code"),
      }),
    }),
    ...retryShape,
  }),
}).meta({ id: "PaymentInputBlock", description: "Asks for a payment" })

export type PaymentInputBlock = z.infer<typeof paymentInputBlockSchema>
