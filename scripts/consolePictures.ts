/**
 * Takes pictures of every view of the console for people to look at, light and dark, at 390, 1,024 and 1,920
 * pixels: `npx tsx scripts/consolePictures.ts <folder> [--views editor,results] [--widths 1024] [--language de]`.
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import sparticuz from "@sparticuz/chromium"
import { chromium, type Page } from "playwright-core"
import { makeExamples } from "./consoleExamples.ts"
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

/** What is in the pictures. */
export type Examples = {
  workspaceId: string
  /** A bot with results and conversations. */
  botId: string
  /** A bot with a block of every type, whose id is its type. */
  everyBlockId: string
}

/** A view: its address below `/console`, and what is done in it before the picture is taken. */
type View = {
  path(examples: Examples): string
  /** Selector of what shows that it is there, in views that go on listening. Absent: the network is idle. */
  ready?: string
  prepare?(page: Page): Promise<void>
}

const views: Readonly<Record<string, View>> = {
  bots: { path: () => "/" },
  shared: { path: () => "/shared" },
  bin: { path: () => "/bin" },
  workspace: { path: () => "/workspace" },
  account: { path: () => "/account" },
  operator: { path: () => "/operator" },
  operatorWorkspace: {
    path: () => "/operator",
    prepare: async (page) => {
      await page.getByRole("link", { name: "Old Harbour Café" }).click()
      await page.getByRole("dialog").getByRole("listitem").first().waitFor()
    },
  },
  operatorBots: { path: () => "/operator?part=bots" },
  operatorBot: {
    path: () => "/operator?part=bots&state=closed",
    prepare: (page) => page.getByRole("listitem").getByRole("button").first().click(),
  },
  operatorUsers: { path: () => "/operator?part=users" },
  operatorDecisions: { path: () => "/operator?part=decisions" },
  editor: { path: ({ botId }) => `/bots/${botId}`, ready: "[data-group], [data-row]" },
  writing: {
    path: ({ botId }) => `/bots/${botId}`,
    ready: "[data-group], [data-row]",
    prepare: async (page) => {
      await page.locator("[data-words]:has-text('Text:')").first().click()
      await page.waitForTimeout(1_500)
    },
  },
  ...Object.fromEntries(
    ["text", "choice input", "Condition", "Webhook", "openai", "Set variable", "cards"].map(
      (type) => [
        `block-${type.replace(" ", "-")}`,
        {
          path: ({ everyBlockId }: Examples) => `/bots/${everyBlockId}?block=${type}`,
          ready: "aside fieldset",
        },
      ],
    ),
  ),
  ...Object.fromEntries(
    ["variables", "theme", "settings", "findings", "history"].map((panel) => [
      `panel-${panel}`,
      { path: ({ botId }: Examples) => `/bots/${botId}?panel=${panel}`, ready: "aside h2" },
    ]),
  ),
  tryOut: { path: ({ botId }) => `/bots/${botId}?try=true`, ready: "parley-preview .ask" },
  results: { path: ({ botId }) => `/bots/${botId}/results` },
  result: {
    path: ({ botId }) => `/bots/${botId}/results`,
    prepare: async (page) => {
      await page.locator("tbody a").nth(5).click()
      await page.getByRole("dialog").locator("ol li").last().waitFor()
    },
  },
  resultColumns: {
    path: ({ botId }) => `/bots/${botId}/results`,
    prepare: (page) => page.getByRole("button", { name: "Columns" }).click(),
  },
  erase: {
    path: ({ botId }) => `/bots/${botId}/results`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "More" }).click()
      await page.getByRole("menuitem").first().click()
      await page.getByRole("textbox").first().fill("ann")
      await page.getByRole("radio").last().check()
      await page.getByRole("button", { name: "Count" }).click()
      await page.getByRole("dialog").getByRole("table").waitFor()
    },
  },
  conversations: { path: ({ botId }) => `/bots/${botId}/conversations` },
  conversation: {
    path: ({ botId }) => `/bots/${botId}/conversations?state=paused`,
    prepare: async (page) => {
      await page.locator("aside a").first().click()
      await page.locator("ol li").last().waitFor()
    },
  },
  analytics: { path: ({ botId }) => `/bots/${botId}/analytics` },
  traffic: {
    path: ({ botId }) => `/bots/${botId}/analytics?view=canvas`,
    prepare: (page) => page.locator("[data-group]").first().waitFor(),
  },
  versions: { path: ({ botId }) => `/bots/${botId}/versions` },
  versionsCanvas: {
    path: ({ botId }) => `/bots/${botId}/versions?view=canvas`,
    prepare: (page) => page.locator("[data-group]").first().scrollIntoViewIfNeeded(),
  },
  share: { path: ({ botId }) => `/bots/${botId}/share` },
}

const wanted = values.views?.split(",") ?? Object.keys(views)
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
      for (const name of wanted) {
        const view = views[name]
        if (!view) throw new Error(`There is no view ${name}: ${Object.keys(views).join(", ")}`)
        await open.goto(`${service.address}/console${view.path(examples)}`)
        if (view.ready) await open.waitForSelector(view.ready)
        else await open.waitForLoadState("networkidle")
        await view.prepare?.(open)
        await open.screenshot({ path: join(folder ?? "", `${name}-${width}-${colorScheme}.png`) })
      }
      await context.close()
    }
  await browser.close()
}
