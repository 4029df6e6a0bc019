/** Simulates a payment input and the script of its provider, both in the page only. */
import type { Page } from "playwright-core"

/** Replaces the first input by a payment; the service takes the answer as a text. */
export async function askToPay(page: Page): Promise<void> {
  await page.route("**/startChat", async (route) => {
    const response = await route.fetch()
    const step = (await response.json()) as { input: { id: string } }
    const order = { publicKey: "pk", paymentIntentSecret: "secret", amountLabel: "€5.00" }
    const input = { id: step.input.id, type: "payment input", options: {}, runtimeOptions: order }
    await route.fulfill({ response, json: { ...step, input } })
  })
}

/** Serves the provider's script, or makes it unreachable. */
export async function serveProvider(page: Page, isThere: boolean): Promise<void> {
  await page.route("https://js.stripe.com/v3/", (route) =>
    isThere ? route.fulfill({ contentType: "text/javascript", body: script }) : route.abort(),
  )
}

/** Makes the form lead to another page, which sends the person back with an outcome. */
export async function serveRedirects(page: Page): Promise<void> {
  await page.route("https://js.stripe.com/v3/", (route) =>
    route.fulfill({ contentType: "text/javascript", body: redirecting }),
  )
  await page.route("https://bank.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "The bank" }),
  )
}

/** The address to which the bank sends the person back. */
export async function leaveBank(page: Page, outcome: "succeeded" | "failed"): Promise<void> {
  await page.getByText("The bank").waitFor()
  const back = new URL(new URL(page.url()).searchParams.get("back") ?? "")
  back.searchParams.set("payment_intent", "pi")
  back.searchParams.set("payment_intent_client_secret", "secret")
  back.searchParams.set("redirect_status", outcome)
  await page.goto(back.href)
}

const redirecting = `
  window.Stripe = () => ({
    elements: () => ({ create: () => ({
      on: (event, listener) => event === "ready" && setTimeout(listener),
      mount: (box) => { box.textContent = "A form of the provider" },
    }) }),
    confirmPayment: ({ confirmParams }) => {
      location.href = "https://bank.example/?back=" + encodeURIComponent(confirmParams.return_url)
      return new Promise(() => {})
    },
  })`

/** The fake provider, whose first payment fails. */
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
