/** Asks for a payment, using the payment provider's form. */
import type { VNode } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { loadOnDemand } from "../loadOnDemand.ts"
import type { InputOf } from "../payload.ts"
import { hold } from "../talk/talk.ts"
import { english } from "../texts/english.ts"
import { AskForm, type InputProps } from "./parts.tsx"
import type { Payment } from "./stripe.ts"

export function PaymentInput({ input }: InputProps<"payment input">): VNode {
  const { answer, talk, texts } = useChat()
  const { options = {}, runtimeOptions } = input
  const payment = useRef<Payment>(undefined)
  const [state, setState] = useState<"opening" | "ready" | "paying" | "offline">("opening")
  const [problem, setProblem] = useState<string | undefined>(
    talk.isPaid === false ? texts.paymentFailed : undefined,
  )
  const [attempt, setAttempt] = useState(1)
  useStripeForm(input, { payment, setState, attempt })
  const succeed = () => {
    // What is stored is the same in every language.
    const text = options.labels?.success || english.paid
    answer({ message: { type: "text", text }, shown: options.labels?.success || texts.paid })
  }
  useEffect(() => {
    if (talk.isPaid) succeed()
    talk.isPaid = undefined
  }, [])
  const pay = async () => {
    if (!payment.current || state !== "ready") return
    setState("paying")
    setProblem(undefined)
    hold(talk, runtimeOptions?.paymentIntentSecret ?? "")
    const failure = await payment.current.pay(options.additionalInformation)
    talk.memory.release()
    if (failure === undefined) succeed()
    else {
      setProblem(failure || texts.paymentFailed)
      setState("ready")
    }
  }
  const { amountLabel = "" } = runtimeOptions ?? {}
  if (state === "offline") {
    return (
      <div class="ask notice" role="alert">
        <p>{texts.paymentOffline}</p>
        <button type="button" class="button" onClick={() => setAttempt(attempt + 1)}>
          {texts.tryAgain}
        </button>
      </div>
    )
  }
  return (
    <AskForm onSubmit={() => void pay()} class="payment">
      <slot name="payment" />
      {state === "opening" && <p class="waiting">{texts.loading}</p>}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button send" disabled={state !== "ready"}>
        {options.labels?.button || texts.pay} <bdi>{amountLabel}</bdi>
      </button>
    </AskForm>
  )
}

type StripeForm = {
  payment: { current: Payment | undefined }
  setState(state: "opening" | "ready" | "offline"): void
  /** Opens the form again whenever it changes. */
  attempt: number
}

/** Opens the provider's form in the page itself: it does not work in a shadow tree. */
function useStripeForm(input: InputOf<"payment input">, form: StripeForm): void {
  const { payment, setState, attempt } = form
  const { element, talk, texts } = useChat()
  useEffect(() => {
    setState("opening")
    const box = document.createElement("div")
    box.slot = "payment"
    element.append(box)
    let isGone = false
    const { publicKey = "", paymentIntentSecret: secret = "" } = input.runtimeOptions ?? {}
    const open = async () => {
      const { openPayment } = await loadOnDemand(talk.connection.host)
      return await openPayment({ publicKey, secret, box, locale: texts.language })
    }
    open().then(
      (opened) => {
        if (isGone) return
        payment.current = opened
        setState("ready")
      },
      () => {
        if (!isGone) setState("offline")
      },
    )
    return () => {
      isGone = true
      box.remove()
    }
  }, [attempt])
}
