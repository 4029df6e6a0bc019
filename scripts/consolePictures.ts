/**
 * Takes pictures of every view of the console (consoleViews.ts) for people to look at, light and dark, at 390, 1,024 and 1,920
 * pixels: `npx tsx scripts/consolePictures.ts <folder> [--views editor,results] [--widths 1024] [--language de]`.
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import sparticuz from "@sparticuz/chromium"
import { chromium } from "playwright-core"
import { makeExamples } from "./consoleExamples.ts"
import { addressOf, views, watchLoads } from "./consoleViews.ts"
import { signInLinkOf } from "./drills/signInLinkOf.ts"
import { type Service, withService } from "./drills/stack.ts"

const { values, positionals } = parseArgs({
  options: {
    views: { type: "string" },
    widths: { type: "string", default: "390,1024,1920" },
    language: { type: "string", default: "en-GB" },
  },
  allowPositionals: true,
})
const [folder] = positionals
if (folder === undefined) {
  console.error("Where to? npx tsx scripts/consolePictures.ts <folder> [--views editor,results]")
  process.exit(1)
}

const wanted = values.views?.split(",") ?? views.map(({ name }) => name)
const unknown = wanted.find((name) => !views.some((view) => view.name === name))
if (unknown !== undefined) {
  console.error(`There is no view ${unknown}: ${views.map(({ name }) => name).join(", ")}`)
  process.exit(1)
}
const widths = values.widths.split(",").map(Number)

await withService(takeAll)

async function takeAll(service: Service): Promise<void> {
  const examples = await makeExamples(service.api)
  const browser = await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ["--no-sandbox"],
  })
  const link = await signInLinkOf(service)
  const first = await browser.newContext()
  const page = await first.newPage()
  await page.goto(link)
  await page.click("button")
  await page.waitForURL("**/console")
  const storageState = await first.storageState()
  await mkdir(folder ?? "", { recursive: true })
  for (const width of widths)
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        storageState,
        colorScheme,
        locale: values.language,
        reducedMotion: "reduce",
        viewport: { width, height: width < 600 ? 844 : Math.round(width * 0.62) },
      })
      const open = await context.newPage()
      open.on("console", (message) => {
        if (message.type() === "error") console.error(open.url(), message.text())
      })
      const complete = watchLoads(open)
      for (const view of views.filter(({ name }) => wanted.includes(name))) {
        await open.goto(service.address + addressOf(view, examples))
        await complete(view)
        const path = join(folder ?? "", `${view.name}-${width}-${colorScheme}.png`)
        await open.screenshot({ path })
      }
      await context.close()
    }
  await browser.close()
}
