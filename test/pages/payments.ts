/** A question for a payment, and the provider of its form, that only a page sees. */
import type { Page } from "playwright-core"

/** Lets the first question be one for a payment; the service takes the answer as a text. */
export async function askToPay(page: Page): Promise<void> {
  await page.route("**/startChat", async (route) => {
    const response = await route.fetch()
    const step = (await response.json()) as { input: { id: string } }
    const order = { publicKey: "pk", paymentIntentSecret: "secret", amountLabel: "€5.00" }
    const input = { id: step.input.id, type: "payment input", options: {}, runtimeOptions: order }
    await route.fulfill({ response, json: { ...step, input } })
  })
}

/** Lets the script of the provider come, or be out of reach. */
export async function serveProvider(page: Page, isThere: boolean): Promise<void> {
  await page.route("https://js.stripe.com/v3/", (route) =>
    isThere ? route.fulfill({ contentType: "text/javascript", body: script }) : route.abort(),
  )
}

/** Its first payment fails. */
const script = `
  let attempts = 0
  window.Stripe = () => ({
    elements: (options) => (window.paidWith = options, { create: () => ({
      on: (event, listener) => event === "ready" && setTimeout(listener),
      mount: (box) => { box.textContent = "A form of the provider" },
    }) }),
    confirmPayment: async () =>
      ++attempts === 1 ? { error: { message: "Card declined" } } : {},
  })`
