/** Tests payments on chat pages: by a form of the provider, on a page of it, and where none is possible. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { expectNoComplaints, openViewer, says } from "./browser.ts"
import { read } from "./inPage.mjs"
import { pageServer, swift } from "./pageServer.ts"
import { askToPay, leaveBank, serveProvider, serveRedirects } from "./payments.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a chat that asks for a payment", async () => {
  if (!viewer) return
  const server = await pageServer()

  async function open(flow: Flow, prepare?: (page: Page) => Promise<void>): Promise<Page> {
    const { publicId } = await publishBot(server, { ...flow, settings: swift })
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    await prepare?.(page)
    await page.goto(`${server.address}/chat/${publicId}`)
    return page
  }

  test("takes one by the form of the provider, and says why when one fails", async () => {
    const page = await open(bot(group("A", ask.text(), say("Paid"))), async (page) => {
      await serveProvider(page, true)
      await askToPay(page)
    })
    await page.getByText("A form of the provider").waitFor()
    await page.getByRole("button", { name: "Pay €5.00" }).click()
    await page.getByRole("alert").getByText("Card declined").waitFor()
    await page.getByRole("button", { name: "Pay €5.00" }).click()
    await says(page, "Paid")
    const order = { clientSecret: "secret", locale: "en", appearance: { theme: "stripe" } }
    expect(await page.evaluate(read, "paidWith")).toEqual(order)
  })

  test("continues after one on a page of the provider, without remembering people", async () => {
    const flow = bot(group("A", say("Welcome"), ask.text(), say("Paid")))
    const page = await open(flow, async (page) => {
      await serveRedirects(page)
      await askToPay(page)
    })
    const pay = page.getByRole("button", { name: "Pay €5.00" })
    await page.getByText("A form of the provider").waitFor()
    await pay.click()
    await leaveBank(page, "failed")
    await page.getByRole("alert").getByText("The payment did not go through").waitFor()
    expect(page.url()).not.toContain("payment_intent")
    await pay.click()
    await page.getByText("The bank").waitFor()
    await page.goBack()
    await page.getByText("A form of the provider").waitFor()
    await pay.click()
    await leaveBank(page, "succeeded")
    await says(page, "Paid")
    await says(page, "Welcome")
    expect(page.url()).not.toContain("payment_intent")
    await page.reload()
    await page.getByText("A form of the provider").waitFor()
    expect(await page.getByText("Paid", { exact: true }).count()).toBe(0)
  })

  test("asks for a dark form where the chat is dark", async () => {
    const theme = { general: { background: { type: "Color", content: "#101010" } } }
    const page = await open(bot({ theme }, group("A", ask.text())), async (page) => {
      await serveProvider(page, true)
      await askToPay(page)
    })
    await page.getByText("A form of the provider").waitFor()
    expect(await page.evaluate(read, "paidWith")).toMatchObject({ appearance: { theme: "night" } })
  })

  test("shows the messages before one that is not available", async () => {
    const flow = bot(group("A", say("Your basket: a hat"), ask.payment({ amount: "5" })))
    const page = await open(flow)
    await says(page, "Your basket: a hat")
    await says(page, "Payment is not possible right now.")
    await page.getByRole("button", { name: "Try again" }).click()
    await expect.poll(() => page.getByText("Payment is not possible right now.").count()).toBe(2)
    await page.getByRole("button", { name: "Try again" }).waitFor()
    expectNoComplaints(page)
  })

  test("says so when the form of the provider cannot be reached, and tries again", async () => {
    const page = await open(bot(group("A", ask.text(), say("Paid"))), async (page) => {
      await serveProvider(page, false)
      await askToPay(page)
    })
    await page.getByRole("alert").getByText("The payment form cannot be reached").waitFor()
    await serveProvider(page, true)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("A form of the provider").waitFor()
    expect(await page.getByRole("alert").count()).toBe(0)
  })
})
