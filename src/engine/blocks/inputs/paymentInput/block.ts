/** Asks for a payment, prepares it with the provider before and checks it afterwards. */
import { z } from "zod"
import { pickText } from "../../../../lib/foreignJson.ts"
import type { Language } from "../../../../lib/languages.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { type Failure, isFailure, type PaymentAsk, type PaymentIntent } from "../../../calls.ts"
import { optional, withDefault } from "../../../schema/sharedMembers.ts"
import type { TextName } from "../../../texts.ts"
import { interpolate, type Scope } from "../../../variables/interpolate.ts"
import { failureLog } from "../../api.ts"
import type { BlockContext, Input, InputPrompt, Postponed } from "../../block.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { answerShape, askPrefilled, retryShape, typedAs, typedText } from "../asking.ts"

export const paymentInputBlockSchema = blockSchemaOf("payment input", {
  options: optional.named("PaymentInputOptions", "Amount, currency and receiver of the payment", {
    ...answerShape,
    provider: z.literal("Stripe").optional().meta(withDefault("Who collects the money", "Stripe")),
    credentialsId: optional.hinted(
      "Credentials of the provider; without them the chat says that payment is not possible",
      {
        credentials: "stripe",
      },
    ),
    currency: optional.text("ISO 4217 code", "USD"),
    amount: optional.template("Amount in whole units of the currency, such as 19.99"),
    labels: optional.object("Texts around the payment", {
      button: optional.template("Label of the button; default Pay"),
      success: optional.template("Shown after the payment; default Success"),
    }),
    additionalInformation: optional.named("PaymentInformation", "Details for the provider", {
      description: optional.template("Description of the payment"),
      name: optional.template("Name of the payer"),
      email: optional.template("Mail address for the receipt"),
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
}).meta({ id: "PaymentInputBlock" })

export type PaymentInputBlock = z.infer<typeof paymentInputBlockSchema>

/** The type `payment input`. Without account, amount or currency, it says that payment is not possible. */
export const paymentInputBlock: Input<PaymentInputBlock, "paymentIntent", "paymentCheck"> = {
  kind: "input",
  schema: paymentInputBlockSchema,
  catalogue: {
    label: "Payment",
    description: "Collects a payment by Stripe before the chat goes on",
    category: "questions",
    icon: "credit-card",
    messengers: "reduced",
  },
  replyName: "payment",
  samples: () => ({ fitting: typedAs(["Success"]), refused: typedAs(["fail"]) }),
  takesOpeningMessage: false,
  needsCredentials: () => true,
  ask: (block, context) => {
    if (pickText(context.runtimeOptions, "claimed") !== undefined) return unchecked(context)
    const asked = paymentAsk(block, context)
    if (typeof asked !== "string") return { call: { kind: "paymentIntent", ...asked } }
    return { postponed: "paymentImpossible", log: [{ status: "error", description: asked }] }
  },
  asked: { paymentIntent: askToPay },
  reply: (block, message, context) => {
    const text = typedText(message)
    const credentialsId = block.options?.credentialsId
    const intentId = pickText(context.runtimeOptions, "paymentIntentId")
    if (credentialsId === undefined || intentId === undefined) return "ask"
    // A payment claimed by an earlier reply must still be checked.
    const claimed = pickText(context.runtimeOptions, "claimed") ?? text
    if (claimed === undefined || claimed === "fail") return "retry"
    const { isPreview } = context.chat
    const check = { credentialsId, isPreview, intentId, carry: claimed }
    return { call: { kind: "paymentCheck", ...check } }
  },
  replied: {
    paymentCheck: (_block, outcome, context) => {
      const text = context.carry
      if (isFailure(outcome)) {
        const runtimeOptions = { ...context.runtimeOptions, claimed: text }
        return { ...postponed("checked", outcome, "paymentUnchecked"), runtimeOptions }
      }
      return outcome.succeeded && typeof text === "string" ? { accept: text } : "retry"
    },
  },
  retryText: "paymentFailed",
}

function askToPay(
  block: PaymentInputBlock,
  outcome: PaymentIntent | Failure,
  context: BlockContext,
): InputPrompt<"paymentIntent"> {
  if (isFailure(outcome)) return postponed("prepared", outcome, "paymentImpossible")
  const amount = amountOf(block, context)
  // The payment's data for the client, and its id for checking the reply.
  const runtimeOptions = {
    paymentIntentSecret: outcome.clientSecret,
    paymentIntentId: outcome.intentId,
    publicKey: outcome.publicKey,
    ...(typeof amount === "object" && { amountLabel: amountLabel(amount, context.chat.language) }),
  }
  return { ...askPrefilled(block, context), runtimeOptions }
}

/** A claimed payment is checked before the block asks again, so that no visitor pays twice. */
function unchecked({ runtimeOptions }: BlockContext): Postponed {
  return { postponed: "paymentUnchecked", log: [], runtimeOptions }
}

/** Logged for authors only: the provider's message may reveal details of the account. */
function postponed(step: "prepared" | "checked", failure: Failure, text: TextName): Postponed {
  const description = `The payment could not be ${step}`
  const why = failureLog({ ...failure, isInternal: true }, "While asking the payment provider")
  return { postponed: text, log: [{ status: "error", description }, why] }
}

/** The payment to prepare, or a problem of the options. */
function paymentAsk(block: PaymentInputBlock, context: BlockContext): PaymentAsk | string {
  const { credentialsId, additionalInformation } = block.options ?? {}
  if (!credentialsId) return "The payment has no account to be paid to"
  const amount = amountOf(block, context)
  if (typeof amount === "string") return amount
  return {
    credentialsId,
    isPreview: context.chat.isPreview,
    amount: minorUnits(amount),
    currency: amount.currency,
    ...nonEmpty({
      description: interpolate(additionalInformation?.description, context),
      receiptEmail: interpolate(additionalInformation?.email, context),
    }),
  }
}

function amountOf(block: PaymentInputBlock, scope: Scope): Amount | string {
  const text = interpolate(block.options?.amount, scope).trim()
  const value = text === "" ? Number.NaN : Number(text)
  if (!Number.isFinite(value) || value < 0) return "The amount of the payment is not a number"
  const currency = (interpolate(block.options?.currency, scope) || "USD").trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) return "The currency of the payment is not an ISO 4217 code"
  return { value, currency }
}

/** A sum in one currency, which is three upper-case letters. */
type Amount = { value: number; currency: string }

/** Currencies that Stripe does not count in hundredths (docs.stripe.com/currencies). */
const wholeCurrencies = new Set(
  "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "),
)
const thousandthCurrencies = new Set(["BHD", "JOD", "KWD", "OMR", "TND"])

/** Currencies that have lost their hundredths, but are still counted in them. */
const formerHundredthCurrencies = new Set(["ISK", "UGX"])

/** Stripe's minor units per currency unit, and the step of amounts it takes. */
function countingOf(currency: string): { units: number; step: number } {
  if (wholeCurrencies.has(currency)) return { units: 1, step: 1 }
  if (thousandthCurrencies.has(currency)) return { units: 1000, step: 10 }
  return { units: 100, step: formerHundredthCurrencies.has(currency) ? 100 : 1 }
}

/** The whole number of units, such as cents or yen. */
function minorUnits({ value, currency }: Amount): number {
  const { units, step } = countingOf(currency)
  return Math.round((value * units) / step) * step
}

/** The amount in the chat's language; by default euros in French style, all others in American. */
function amountLabel(amount: Amount, language: Language | undefined): string {
  const { currency } = amount
  const locale = language ?? (currency === "EUR" ? "fr-FR" : "en-US")
  const charged = minorUnits(amount) / countingOf(currency).units
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(charged)
}
