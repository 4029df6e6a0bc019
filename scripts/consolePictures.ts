/**
 * Takes pictures of every view of the console (consoleViews.ts) for people to look at, light and dark, at 390, 1,024 and 1,920
 * pixels: `npx tsx scripts/consolePictures.ts <folder> [--views editor,results] [--widths 1024] [--language de]`.
 * With `--readme` instead of a folder it makes the picture of the README, of ten views. Chats are in pictures.ts.
 */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import sparticuz from "@sparticuz/chromium"
import { type Browser, type BrowserContext, chromium } from "playwright-core"
import { type Examples, makeExamples } from "./consoleExamples.ts"
import { addressOf, type View, views, watchLoads } from "./consoleViews.ts"
import { signInLinkOf } from "./drills/signInLinkOf.ts"
import { type Service, withService } from "./drills/stack.ts"

const { values, positionals } = parseArgs({
  options: {
    views: { type: "string" },
    widths: { type: "string", default: "390,1024,1920" },
    language: { type: "string", default: "en-GB" },
    readme: { type: "boolean", default: false },
  },
  allowPositionals: true,
})
const [folder] = positionals
if (folder === undefined && !values.readme) {
  console.error("Where to? npx tsx scripts/consolePictures.ts <folder> [--views editor,results]")
  process.exit(1)
}

type Scheme = "light" | "dark"
type Look = { width: number; height: number; colorScheme: Scheme }
type State = Awaited<ReturnType<BrowserContext["storageState"]>>
type Stage = { service: Service; browser: Browser; examples: Examples; storageState: State }

/** The views of the README, row by row; a large one covers four places of four columns. */
const readmeViews: readonly [name: string, colorScheme: Scheme, isLarge?: true][] = [
  ["editor", "light", true],
  ["bots", "light"],
  ["newBot", "dark"],
  ["tryOut", "dark"],
  ["result", "light"],
  ["panel-theme", "light"],
  ["conversation", "dark"],
  ["traffic", "dark", true],
  ["results", "dark"],
  ["share", "light"],
]
const readmeFile = new URL("../.github/console.jpg", import.meta.url)
/** Of a picture that is loaded with the page; test/contract/pictures.test.ts refuses more than 200 kB. */
const maxBytes = 190_000

const wanted = values.views?.split(",") ?? views.map(({ name }) => name)
const chosen = wanted.map(viewOf)

await withService(async (service) => {
  const examples = await makeExamples(service.api)
  const browser = await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ["--no-sandbox"],
  })
  const stage = { service, browser, examples, storageState: await signIn(browser, service) }
  if (folder === undefined) await makeReadmePicture(stage)
  else await takeAll(stage, folder)
  await browser.close()
})

function viewOf(name: string): View {
  const view = views.find((each) => each.name === name)
  if (view !== undefined) return view
  console.error(`There is no view ${name}: ${views.map((each) => each.name).join(", ")}`)
  process.exit(1)
}

async function signIn(browser: Browser, service: Service): Promise<State> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(await signInLinkOf(service))
  await page.click("button")
  await page.waitForURL("**/console")
  return await context.storageState()
}

async function takeAll(stage: Stage, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const width of values.widths.split(",").map(Number))
    for (const colorScheme of ["light", "dark"] as const) {
      const height = width < 600 ? 844 : Math.round(width * 0.62)
      await take(stage, { width, height, colorScheme }, chosen, async (name, picture) => {
        await writeFile(join(folder, `${name}-${width}-${colorScheme}.png`), picture)
      })
    }
}

async function take(
  { service, browser, examples, storageState }: Stage,
  { colorScheme, ...viewport }: Look,
  taken: readonly View[],
  use: (name: string, picture: Buffer) => Promise<void> | void,
): Promise<void> {
  const context = await browser.newContext({
    ...{ storageState, colorScheme, viewport, locale: values.language, reducedMotion: "reduce" },
  })
  const page = await context.newPage()
  page.on("console", (message) => {
    if (message.type() === "error") console.error(page.url(), message.text())
  })
  const complete = watchLoads(page)
  for (const view of taken) {
    // Else something is under the pointer of the view before.
    await page.mouse.move(0, 0)
    await page.goto(service.address + addressOf(view, examples))
    await complete(view)
    await use(view.name, await page.screenshot())
  }
  await context.close()
}

async function makeReadmePicture(stage: Stage): Promise<void> {
  const pictures = new Map<string, string>()
  for (const colorScheme of ["light", "dark"] as const) {
    const own = readmeViews.filter(([, scheme]) => scheme === colorScheme)
    const look = { width: 1280, height: 800, colorScheme }
    await take(
      stage,
      look,
      own.map(([name]) => viewOf(name)),
      (name, picture) => {
        pictures.set(name, picture.toString("base64"))
      },
    )
  }
  const page = await stage.browser.newPage({ viewport: { width: 1640, height: 100 } })
  const figures = readmeViews.map(
    ([name, , isLarge]) =>
      `<img class="${isLarge ? "large" : ""}" src="data:image/png;base64,${pictures.get(name)}">`,
  )
  await page.setContent(`<style>
    body { margin: 0; padding: 24px; background: #e4e8f5; display: grid; gap: 16px;
      grid-template-columns: repeat(4, minmax(0, 1fr)); grid-auto-flow: dense }
    img { display: block; width: 100%; height: 100%; border-radius: 8px; box-shadow: 0 2px 10px rgb(20 30 70 / 18%) }
    .large { grid-column: span 2; grid-row: span 2 }
    .large ~ .large { grid-column: 3 / 5 }
  </style>${figures.join("")}`)
  for (let quality = 90; quality >= 40; quality -= 5) {
    const picture = await page.screenshot({ type: "jpeg", quality, fullPage: true })
    if (picture.length > maxBytes) continue
    await writeFile(readmeFile, picture)
    console.log(`${readmeFile.pathname}: ${picture.length} bytes, quality ${quality}`)
    return
  }
  throw new Error(`The picture is never smaller than ${maxBytes} bytes`)
}
