/** Asks for a payment, using the payment provider's form. */
import type { VNode } from "preact"
import { useEffect, useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { loadOnDemand } from "../loadOnDemand.ts"
import type { InputOf } from "../payload.ts"
import { english } from "../texts/english.ts"
import { AskForm, type InputProps } from "./parts.tsx"
import type { Payment } from "./stripe.ts"

export function PaymentInput({ input }: InputProps<"payment input">): VNode {
  const { answer, talk, texts } = useChat()
  const { options = {}, runtimeOptions } = input
  const { payment, retry } = useStripeForm(input)
  const [isPaying, setPaying] = useState(false)
  const [problem, setProblem] = useState<string | undefined>(
    talk.isPaid === false ? texts.paymentFailed : undefined,
  )
  const succeed = () => {
    // The stored text is the same in every language.
    const text = options.labels?.success || english.paid
    answer({ message: { type: "text", text }, shown: options.labels?.success || texts.paid })
  }
  useEffect(() => {
    if (talk.isPaid) succeed()
    talk.isPaid = undefined
  }, [])
  const pay = async () => {
    if (typeof payment !== "object" || isPaying) return
    setPaying(true)
    setProblem(undefined)
    // The person may pay on a page of the provider, even if the bot does not remember people.
    const { memory, resultId, kept: open } = talk
    memory.hold({ resultId, open }, runtimeOptions?.paymentIntentSecret ?? "")
    const failure = await payment.pay(options.additionalInformation)
    memory.release()
    if (failure === undefined) succeed()
    else {
      setProblem(failure || texts.paymentFailed)
      setPaying(false)
    }
  }
  const { amountLabel = "" } = runtimeOptions ?? {}
  if (payment === "offline") {
    return (
      <div class="ask notice" role="alert">
        <p>{texts.paymentOffline}</p>
        <button type="button" class="button" onClick={retry}>
          {texts.tryAgain}
        </button>
      </div>
    )
  }
  return (
    <AskForm onSubmit={() => void pay()} class="payment">
      <slot name="payment" />
      {!payment && <p>{texts.loading}</p>}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button send" disabled={!payment || isPaying}>
        {options.labels?.button || texts.pay} <bdi>{amountLabel}</bdi>
      </button>
    </AskForm>
  )
}

/**
 * Opens the provider's form in the page itself: it does not work in a shadow tree. There is no payment until it
 * is open.
 */
function useStripeForm({ runtimeOptions }: InputOf<"payment input">) {
  const { element, talk, texts } = useChat()
  const [payment, setPayment] = useState<Payment | "offline">()
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    setPayment(undefined)
    const box = document.createElement("div")
    box.slot = "payment"
    element.append(box)
    let isGone = false
    const { publicKey = "", paymentIntentSecret: secret = "" } = runtimeOptions ?? {}
    const open = async () => {
      const { openPayment } = await loadOnDemand(talk.connection.host)
      return await openPayment({ publicKey, secret, box, locale: texts.language })
    }
    const show = (opened: Payment | "offline") => {
      if (!isGone) setPayment(opened)
    }
    open().then(show, () => show("offline"))
    return () => {
      isGone = true
      box.remove()
    }
  }, [attempt])
  return { payment, retry: () => setAttempt(attempt + 1) }
}
