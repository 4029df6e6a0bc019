/** Goes from view to view without loading the page anew. */
import type { Page } from "playwright-core"
import { until } from "../support/waiting.ts"

/** Goes to an address from a view without panels and dialogs, as a link within the page does. */
export async function enterView(page: Page, address: string): Promise<void> {
  for (const each of ["/console/nowhere", address]) {
    const title = await page.title()
    await page.evaluate(`__TSR_ROUTER__.history.push(${JSON.stringify(each)})`)
    await until(async () => (await page.title()) !== title)
  }
}
