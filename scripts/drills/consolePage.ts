/** A page of the console in Chromium, in which the first user is signed in. */
import sparticuz from "@sparticuz/chromium"
import { chromium, type Page } from "playwright-core"
import { signInLinkOf } from "./signInLinkOf.ts"
import type { Service } from "./stack.ts"

/** Lets work be done in a page, and closes its browser. */
export async function withConsolePage(
  service: Service,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const browser = await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ["--no-sandbox"],
  })
  try {
    const viewport = { width: 1_440, height: 900 }
    const context = await browser.newContext({ locale: "en-GB", viewport })
    const page = await context.newPage()
    await page.goto(await signInLinkOf(service))
    await page.click("button")
    await page.waitForURL("**/console")
    await work(page)
  } finally {
    await browser.close()
  }
}
