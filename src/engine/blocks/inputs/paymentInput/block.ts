/** Asks for a payment: prepared when it is shown, checked with the provider when it is claimed. */
import { AppError, badRequest, unavailable } from "../../../../shared/errors.ts"
import { type Failure, isFailure, type PaymentAsk, type PaymentIntent } from "../../../calls.ts"
import { texts } from "../../../texts.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import type { Asked, Input, Reading, Scene } from "../../block.ts"
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
  ask: (block, scene) => ({ call: { kind: "paymentIntent", ...paymentAsk(block, scene) } }),
  asked: { paymentIntent: askToPay },
  reply: (block, message, scene) => {
    const text = typedText(message)
    const credentialsId = block.options?.credentialsId
    const intentId = preparedIntent(scene)
    if (text === undefined || text === "fail") return "retry"
    if (credentialsId === undefined || intentId === undefined) return "retry"
    const account = accountOf(credentialsId, scene)
    return { call: { kind: "paymentCheck", ...account, intentId, carry: text } }
  },
  replied: {
    paymentCheck: (_block, outcome, scene) => {
      // Asking again could make people pay twice; refusing leaves the reply to be sent once more.
      if (isFailure(outcome)) throw unavailable("The payment could not be checked", 5, outcome)
      const text = scene.carry
      return outcome.succeeded && typeof text === "string" ? { accept: text } : "retry"
    },
  },
  retryText: (block, scene) => ownRetryText(block.options, scene) ?? texts.paymentFailed,
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
  scene: Scene,
): Asked<"paymentIntent"> {
  if (isFailure(outcome)) throw notPrepared(outcome, scene)
  const runtimeOptions: RuntimeOptions = {
    paymentIntentSecret: outcome.clientSecret,
    paymentIntentId: outcome.intentId,
    publicKey: outcome.publicKey,
    amountLabel: amountLabel(amountOf(block, scene)),
  }
  return { ...prefilledAsk(block.options, scene), runtimeOptions }
}

/** The provider's words may tell of the account, so that only a preview shows them. */
function notPrepared(failure: Failure, scene: Scene): AppError {
  const reason = scene.chat.isPreview ? `: ${failure.description}` : ""
  return new AppError("BAD_GATEWAY", `The payment could not be prepared${reason}`, {
    cause: failure,
  })
}

function accountOf(credentialsId: string, scene: Scene) {
  return { provider: "Stripe", credentialsId, isPreview: scene.chat.isPreview } as const
}

function paymentAsk(block: PaymentInputBlock, scene: Scene): PaymentAsk {
  const { credentialsId, additionalInformation } = block.options ?? {}
  if (!credentialsId) throw badRequest("The payment has no account to be paid to")
  const amount = amountOf(block, scene)
  const description = interpolate(additionalInformation?.description, scene)
  const receiptEmail = interpolate(additionalInformation?.email, scene)
  return {
    ...accountOf(credentialsId, scene),
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
function preparedIntent(scene: Scene): string | undefined {
  const options = scene.runtimeOptions
  if (!options || !("paymentIntentId" in options)) return undefined
  return typeof options.paymentIntentId === "string" ? options.paymentIntentId : undefined
}
