/** Asks for a payment: prepared when it is shown, checked with the provider when it is claimed. */
import { AppError, badRequest, unavailable } from "../../../../shared/errors.ts"
import { type Failure, isFailure, type PaymentAsk, type PaymentIntent } from "../../../calls.ts"
import { texts } from "../../../texts.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import type { Asked, BlockContext, Input, Reading } from "../../block.ts"
import { ownRetryText, prefilledAsk, typedText } from "../asking.ts"
import { type Amount, amountLabel, minorUnits } from "./amount.ts"
import { type PaymentInputBlock, paymentInputBlockSchema } from "./schema.ts"

/** The type `payment input`. Its `ask` refuses with 400 when account, amount or currency is missing. */
export const paymentInputBlock: Input<PaymentInputBlock, "paymentIntent", "paymentCheck"> = {
  kind: "input",
  schema: paymentInputBlockSchema,
  replyName: "payment",
  takesOpeningMessage: false,
  savesTo: (block) => block.options?.variableId,
  needsCredentials: () => true,
  ask: (block, context) => ({ call: { kind: "paymentIntent", ...paymentAsk(block, context) } }),
  asked: { paymentIntent: askToPay },
  reply: (block, message, context) => {
    const text = typedText(message)
    const credentialsId = block.options?.credentialsId
    const intentId = preparedIntent(context)
    if (text === undefined || text === "fail") return "retry"
    if (credentialsId === undefined || intentId === undefined) return "retry"
    const account = accountOf(credentialsId, context)
    return { call: { kind: "paymentCheck", ...account, intentId, carry: text } }
  },
  replied: {
    paymentCheck: (_block, outcome, context) => {
      // Asking again could make people pay twice; refusing leaves the reply to be sent once more.
      if (isFailure(outcome)) throw unavailable("The payment could not be checked", 5, outcome)
      const text = context.carry
      return outcome.succeeded && typeof text === "string" ? { accept: text } : "retry"
    },
  },
  retryText: (block, context) => ownRetryText(block.options, context) ?? texts.paymentFailed,
}

/** What the client needs to pay. The id of the payment is for the check of the reply. */
type RuntimeOptions = {
  paymentIntentSecret: string
  paymentIntentId: string
  publicKey: string
  amountLabel: string
}

function askToPay(
  block: PaymentInputBlock,
  outcome: PaymentIntent | Failure,
  context: BlockContext,
): Asked<"paymentIntent"> {
  if (isFailure(outcome)) throw notPrepared(outcome, context)
  const runtimeOptions: RuntimeOptions = {
    paymentIntentSecret: outcome.clientSecret,
    paymentIntentId: outcome.intentId,
    publicKey: outcome.publicKey,
    amountLabel: amountLabel(amountOf(block, context)),
  }
  return { ...prefilledAsk(block.options, context), runtimeOptions }
}

/** The provider's words may tell of the account, so that only a preview shows them. */
function notPrepared(failure: Failure, context: BlockContext): AppError {
  const reason = context.chat.isPreview ? `: ${failure.description}` : ""
  return new AppError("BAD_GATEWAY", `The payment could not be prepared${reason}`, {
    cause: failure,
  })
}

function accountOf(credentialsId: string, context: BlockContext) {
  return { provider: "Stripe", credentialsId, isPreview: context.chat.isPreview } as const
}

function paymentAsk(block: PaymentInputBlock, context: BlockContext): PaymentAsk {
  const { credentialsId, additionalInformation } = block.options ?? {}
  if (!credentialsId) throw badRequest("The payment has no account to be paid to")
  const amount = amountOf(block, context)
  const description = interpolate(additionalInformation?.description, context)
  const receiptEmail = interpolate(additionalInformation?.email, context)
  return {
    ...accountOf(credentialsId, context),
    amount: minorUnits(amount),
    currency: amount.currency,
    ...(description && { description }),
    ...(receiptEmail && { receiptEmail }),
  }
}

function amountOf(block: PaymentInputBlock, reading: Reading): Amount {
  const text = interpolate(block.options?.amount, reading).trim()
  const value = text === "" ? Number.NaN : Number(text)
  if (!Number.isFinite(value) || value < 0) {
    throw badRequest("The amount of the payment is not a number")
  }
  const currency = (interpolate(block.options?.currency, reading) || "USD").trim().toUpperCase()
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw badRequest("The currency of the payment is not an ISO 4217 code")
  }
  return { value, currency }
}

/** The payment that was prepared when the input was last shown; undefined: none. */
function preparedIntent(context: BlockContext): string | undefined {
  const options = context.runtimeOptions
  if (!options || !("paymentIntentId" in options)) return undefined
  return typeof options.paymentIntentId === "string" ? options.paymentIntentId : undefined
}
