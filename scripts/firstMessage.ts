/**
 * Measures how soon the first message of a chat page shows after the page's HTML came.
 * `npx tsx scripts/firstMessage.ts [--loads 20]`; ends with 1 when the median is 100 ms or more. Does
 * nothing where no browser can start.
 */
import type { Page } from "playwright-core"
import { latenciesInWords, quantile } from "./drills/figures.ts"
import { copyProduct, numberGiven, startProduct } from "./drills/product.ts"
import { openBrowser } from "./embed/chat.ts"

const loads = numberGiven("loads", 20)
const limitMs = 100

/** Runs in the page: `shown` resolves with the time of the first frame that has a message. */
const noteMessage = `
  window.shown = new Promise((resolve) => {
    const look = () => {
      const chat = document.querySelector("parley-chat")?.shadowRoot?.querySelector("div")
      if (chat?.shadowRoot?.querySelector(".bubble:not(.typing)")) resolve(performance.now())
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`

const browser = await openBrowser().catch((error: Error) => {
  console.log(`No browser can start here, so nothing was tried: ${error.message.split("\\n")[0]}`)
  process.exit(0)
})
const { folder, remove } = await copyProduct()
const times: number[] = []
try {
  const service = await startProduct(folder, {})
  const page = await browser.newPage()
  await page.addInitScript(noteMessage)
  // The first load warms the service up; the browser keeps the script from then on, as for anybody else.
  for (let load = 0; load <= loads; load++) {
    const ms = await timeOf(page, `${service.address}/chat/demo`)
    if (load > 0) times.push(ms)
  }
  service.child.kill("SIGTERM")
  await service.ended
} finally {
  await browser.close()
  await remove()
}
const medianMs = quantile(times, 0.5)
console.log(`First message after the HTML: ${latenciesInWords(times)}`)
process.exit(medianMs < limitMs ? 0 : 1)

/** Milliseconds from the last byte of the page to its first message. */
async function timeOf(page: Page, address: string): Promise<number> {
  await page.goto(address)
  return await page.evaluate<number>(
    "shown.then((at) => at - performance.getEntriesByType('navigation')[0].responseEnd)",
  )
}
