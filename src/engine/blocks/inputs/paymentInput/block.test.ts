/** Payments are prepared, shown and checked. */
import { expect, test } from "vitest"
import { type SceneParts, testScene } from "../../../../../test/support/context.ts"
import type { BlockContext } from "../../block.ts"
import { type PaymentInputBlock, paymentInputBlock, paymentInputBlockSchema } from "./block.ts"

const blockWith = (options?: PaymentInputBlock["options"]): PaymentInputBlock =>
  paymentInputBlockSchema.parse({ id: "i", type: "payment input", ...(options && { options }) })

const block = blockWith({ credentialsId: "c1", amount: "{{Price}}", currency: "EUR" })
const prepared = { intentId: "pi_1", clientSecret: "pi_1_secret_2", publicKey: "pk_3" }
const sceneOf = (parts: SceneParts = {}, more: Partial<BlockContext> = {}): BlockContext => ({
  ...testScene({ variables: { Price: "19.99", Mail: "a@b.co", Paid: "before" }, ...parts }),
  ...more,
})

test("18.13 asks the provider to prepare the payment before it is shown", () => {
  const full = blockWith({
    credentialsId: "c1",
    amount: "{{Price}}",
    additionalInformation: { description: "For {{Mail}}", email: "{{Mail}}", name: "Ann" },
  })
  expect(paymentInputBlock.ask(full, sceneOf({ chat: { isPreview: true } }))).toEqual({
    call: {
      kind: "paymentIntent",
      credentialsId: "c1",
      isPreview: true,
      amount: 1999,
      currency: "USD",
      description: "For a@b.co",
      receiptEmail: "a@b.co",
    },
  })
})

test.each([
  ["19.99", "EUR", 1999],
  ["1.005", "USD", 100],
  ["0.1", "usd", 10],
  ["30", undefined, 3000],
  [" 30 ", "", 3000],
  ["500", "JPY", 500],
  ["500.6", "jpy", 501],
  ["7", "XPF", 7],
  ["5", "KWD", 5000],
  ["5.126", "KWD", 5130],
  ["5", "UGX", 500],
  ["5.4", "ISK", 500],
])("18.13 counts %s %s as %i", (amount, currency, minor) => {
  const asked = paymentInputBlock.ask(
    blockWith({ credentialsId: "c1", amount, currency }),
    sceneOf(),
  )
  expect(asked).toMatchObject({ call: { amount: minor } })
  expect(asked).not.toHaveProperty("call.receiptEmail")
})

test.each([
  [undefined, "The payment has no account to be paid to"],
  [{ amount: "5" }, "The payment has no account to be paid to"],
  [{ credentialsId: "", amount: "5" }, "The payment has no account to be paid to"],
  [{ credentialsId: "c1" }, "The amount of the payment is not a number"],
  [{ credentialsId: "c1", amount: "" }, "The amount of the payment is not a number"],
  [{ credentialsId: "c1", amount: "{{Nothing}}" }, "The amount of the payment is not a number"],
  [{ credentialsId: "c1", amount: "5 euros" }, "The amount of the payment is not a number"],
  [{ credentialsId: "c1", amount: "1,50" }, "The amount of the payment is not a number"],
  [{ credentialsId: "c1", amount: "-5" }, "The amount of the payment is not a number"],
  [
    { credentialsId: "c1", amount: "5", currency: "euro" },
    "The currency of the payment is not an ISO 4217 code",
  ],
])("18.13 reports that payment is not possible with %j", (options, description) => {
  expect(paymentInputBlock.ask(blockWith(options), sceneOf())).toEqual({
    postponed: "paymentImpossible",
    log: [{ status: "error", description }],
  })
})

test("18.13 asks with the payment's data for the client, and remembers the payment", () => {
  const saved = blockWith({
    ...block.options,
    variableId: "vPaid",
    labels: { button: "{{Price}}" },
  })
  const asked = paymentInputBlock.asked.paymentIntent(saved, prepared, sceneOf())
  expect(asked).toEqual({
    options: {
      variableId: "vPaid",
      credentialsId: "c1",
      amount: "19.99",
      currency: "EUR",
      labels: { button: "19.99" },
    },
    prefilledValue: "before",
    runtimeOptions: {
      paymentIntentSecret: "pi_1_secret_2",
      paymentIntentId: "pi_1",
      publicKey: "pk_3",
      amountLabel: "19,99\u00a0€",
    },
  })
})

test.each([
  ["1234.5", "USD", "$1,234.50"],
  ["500", "JPY", "¥500"],
  ["5", "GBP", "£5.00"],
  ["1.005", "USD", "$1.00"],
  ["5.126", "KWD", "KWD\u00a05.130"],
  ["5.4", "ISK", "ISK\u00a05"],
])("18.13 labels %s %s as %s", (amount, currency, amountLabel) => {
  const priced = blockWith({ credentialsId: "c1", amount, currency })
  const asked = paymentInputBlock.asked.paymentIntent(priced, prepared, sceneOf())
  expect(asked).toMatchObject({ runtimeOptions: { amountLabel } })
})

const failure = { failed: true as const, description: "No such account" }

const reason = {
  status: "error",
  description: "No such account",
  context: "While asking the payment provider",
  isInternal: true,
}

test("18.13 postpones the question when the provider fails, and logs the reason for authors only", () => {
  expect(paymentInputBlock.asked.paymentIntent(block, failure, sceneOf())).toEqual({
    postponed: "paymentImpossible",
    log: [{ status: "error", description: "The payment could not be prepared" }, reason],
  })
})

const runtimeOptions = { paymentIntentId: "pi_1" }

test("18.13 has the provider confirm the client's claim", () => {
  const message = { type: "text" as const, text: "Success" }
  expect(paymentInputBlock.reply(block, message, sceneOf({}, { runtimeOptions }))).toEqual({
    call: {
      kind: "paymentCheck",
      credentialsId: "c1",
      isPreview: false,
      intentId: "pi_1",
      carry: "Success",
    },
  })
})

test("18.13 asks again after a failed payment", () => {
  const message = { type: "text" as const, text: "fail" }
  expect(paymentInputBlock.reply(block, message, sceneOf({}, { runtimeOptions }))).toBe("retry")
})

test.each([
  [undefined],
  [{}],
  [{ paymentIntentId: 5 }],
])("18.13 asks for the first time with the remembered value %j", (remembered) => {
  const context = sceneOf({}, { runtimeOptions: remembered })
  for (const text of ["Success", "fail"]) {
    expect(paymentInputBlock.reply(block, { type: "text", text }, context)).toBe("ask")
  }
})

test.each([
  [undefined],
  [{ type: "audio" as const, url: "https://e.com/a.webm" }],
])("18.13 asks again after a message without text: %j", (message) => {
  expect(paymentInputBlock.reply(block, message, sceneOf({}, { runtimeOptions }))).toBe("retry")
})

test.each([
  [true, { accept: "Paid!" }],
  [false, "retry"],
])("18.13 when the provider says %s: %j", (succeeded, verdict) => {
  const context = sceneOf({}, { runtimeOptions, carry: "Paid!" })
  expect(paymentInputBlock.replied.paymentCheck(block, { succeeded }, context)).toEqual(verdict)
})

test("18.13 neither accepts nor asks again while the provider is unreachable", () => {
  const context = sceneOf({}, { runtimeOptions, carry: "Success" })
  const verdict = paymentInputBlock.replied.paymentCheck(block, failure, context)
  expect(verdict).toEqual({
    postponed: "paymentUnchecked",
    log: [{ status: "error", description: "The payment could not be checked" }, reason],
    runtimeOptions: { paymentIntentId: "pi_1", claimed: "Success" },
  })
  const later = sceneOf({}, { runtimeOptions: { ...runtimeOptions, claimed: "Success" } })
  for (const text of ["Try again", "fail"]) {
    expect(paymentInputBlock.reply(block, { type: "text", text }, later)).toMatchObject({
      call: { intentId: "pi_1", carry: "Success" },
    })
  }
})

test("18.13 has its own default text for a failed payment", () => {
  expect(paymentInputBlock.retryText).toBe("paymentFailed")
})

test("18.13 is not answered by the opening message of a chat", () => {
  expect(paymentInputBlock.takesOpeningMessage).toBe(false)
})
