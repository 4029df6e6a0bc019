/** What the page of a long conversation holds and does: its heap, and the work of early and late answers. */
import sparticuz from "@sparticuz/chromium"
import { chromium } from "playwright-core"
import { endless, talkFor } from "../../test/pages/longChat.ts"
import { withService } from "../drills/stack.ts"

const lengths = [100, 500, 1_000]
/** Answers that are averaged at either end. */
const sample = 50

/** Talks in one browser for each of several lengths. Does nothing where no browser can start. */
export async function run(): Promise<void> {
  const executablePath = await sparticuz.executablePath()
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
  try {
    await withService(
      async ({ address, api }) => {
        const { publicId } = await api.publish({ name: "Long", ...endless })
        for (const length of lengths) {
          const context = await browser.newContext({ reducedMotion: "reduce" })
          const page = await context.newPage()
          await page.goto(`${address}/chat/${publicId}`)
          const { messages, heap, busyMs } = await talkFor(page, length)
          const [first, last] = [busyMs.slice(0, sample), busyMs.slice(-sample)].map(average)
          console.log(
            `${messages} messages: heap ${(heap / 1e6).toFixed(1)} MB, work per answer ${first} ms at first, ${last} ms at last`,
          )
          await context.close()
        }
      },
      { PARLEY_RATE_LIMITS: "off" },
    )
  } finally {
    await browser.close()
  }
}

function average(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1)
}
