/** Opens Stripe's payment form (Stripe.js, version 3), which is loaded only when a payment is asked for. */
import type { InputOf } from "../payload.ts"
import { isDark } from "../theme/contrast.ts"

/** Details of the payer from the author. */
type Payer = NonNullable<InputOf<"payment input">["options"]>["additionalInformation"]

export type Payment = {
  /** Pays. Returns why it failed, in the provider's words, or undefined if it succeeded. */
  pay(payer: Payer): Promise<string | undefined>
}

type Elements = {
  create(
    type: "payment",
    options: object,
  ): { mount(box: HTMLElement): void; on(event: string, listener: () => void): void }
}

type Stripe = {
  elements(options: object): Elements
  confirmPayment(options: object): Promise<{ error?: { message?: string } }>
}

declare global {
  interface Window {
    Stripe?: (publicKey: string) => Stripe
  }
}

const address = "https://js.stripe.com/v3/"
const loadingTimeoutMs = 15_000

/** Resolves when the form is ready to be filled in; rejects when the provider cannot be reached. */
export async function openPayment(order: {
  publicKey: string
  secret: string
  box: HTMLElement
  locale: string
}): Promise<Payment> {
  const { publicKey, secret, box, locale } = order
  if (!publicKey || !secret) throw new Error("The payment has no key or no secret")
  await loadScript()
  const stripe = window.Stripe?.(publicKey)
  if (!stripe) throw new Error("Stripe.js did not load")
  // Where our text is light, the background is dark.
  const theme = isDark(getComputedStyle(box).color) ? "stripe" : "night"
  const elements = stripe.elements({ clientSecret: secret, locale, appearance: { theme } })
  const form = elements.create("payment", { layout: "tabs" })
  const ready = new Promise<void>((resolve, reject) => {
    form.on("ready", () => resolve())
    form.on("loaderror", () => reject(new Error("The form did not load")))
  })
  form.mount(box)
  await ready
  return {
    pay: async (payer) => {
      const confirmParams = {
        return_url: location.href,
        payment_method_data: { billing_details: billingDetails(payer) },
      }
      const redirect = "if_required"
      const { error } = await stripe.confirmPayment({ elements, redirect, confirmParams })
      return error && (error.message ?? "")
    },
  }
}

let loading: Promise<void> | undefined

function loadScript(): Promise<void> {
  if (window.Stripe) return Promise.resolve()
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement("script")
    script.src = address
    script.onload = () => resolve()
    script.onerror = () => reject(new Error("Stripe.js did not load"))
    setTimeout(script.onerror, loadingTimeoutMs)
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** The payer in the shape that Stripe expects. */
function billingDetails({ name, email, phoneNumber: phone, address }: NonNullable<Payer> = {}) {
  const { country, line1, line2, state, city, postalCode } = address ?? {}
  const place = nonEmpty({ country, line1, line2, state, city, postal_code: postalCode })
  const isPlaced = Object.keys(place).length > 0
  return { ...nonEmpty({ name, email, phone }), ...(isPlaced && { address: place }) }
}

function nonEmpty(members: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter((each): each is [string, string] => Boolean(each[1])),
  )
}
