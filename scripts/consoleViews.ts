/** The views of the console, as people see them: for pictures, and for tests that hold for every view. */
import type { Page, Request } from "playwright-core"
import { panels } from "../src/pages/console/editor/editorSearch.ts"
import { parts } from "../src/pages/console/workspace/workspaceSearch.ts"
import type { Examples } from "./consoleExamples.ts"

/** A view: its address below `/console`, with members of the examples, and what is done there. */
export type View = {
  name: string
  path: string
  /** Selector of what a view shows at last that is not loaded. Absent: everything is. */
  ready?: string
  /** Selector of what the view shows beside another view that is listed, too. */
  part?: string
  /** Opens a dialog or a panel. */
  prepare?(page: Page): Promise<void>
}

const types = ["text", "choice input", "Condition", "Webhook", "openai", "Set variable", "cards"]

const ofBot = [
  { name: "editor", path: "", ready: "[data-group], [data-row]" },
  {
    ...{ name: "writing", path: "", ready: "[data-group], [data-row]" },
    part: "fieldset:has([contenteditable=true])",
    prepare: async (page) => {
      await page.locator("[data-words]:has-text('Text:'), [data-row]").first().click()
      await page.locator("[contenteditable=true]").first().waitFor()
    },
  },
  ...panels.map((panel) => ({
    ...{ name: `panel-${panel}`, path: `?panel=${panel}`, ready: "aside h2", part: "aside" },
  })),
  { name: "tryOut", path: "?try=true", ready: "parley-preview .ask", part: "aside" },
  { name: "results", path: "/results" },
  {
    ...{ name: "result", path: "/results", part: "[role=dialog]" },
    prepare: async (page) => {
      await page.locator("tbody a, li[data-index] a").nth(5).click()
      await page.getByRole("dialog").locator("ol li").last().waitFor()
    },
  },
  {
    name: "resultColumns",
    path: "/results",
    prepare: (page) => page.getByRole("button", { name: /^(Columns|Spalten)$/ }).click(),
  },
  {
    ...{ name: "erase", path: "/results", part: "[role=dialog]" },
    prepare: async (page) => {
      await page.getByRole("button", { name: /^(More|Mehr)$/ }).click()
      await page.getByRole("menuitem").first().click()
      await page.getByRole("textbox").first().fill("ann")
      await page.getByRole("radio").last().check()
      await page.getByRole("button", { name: /^(Count|Zählen)$/ }).click()
      await page.getByRole("dialog").getByRole("table").waitFor()
    },
  },
  { name: "conversations", path: "/conversations" },
  {
    name: "conversation",
    path: "/conversations?state=paused",
    prepare: async (page) => {
      await page.locator("aside a").first().click()
      await page.locator("ol li").last().waitFor()
    },
  },
  { name: "analytics", path: "/analytics" },
  { name: "traffic", path: "/analytics?view=canvas", ready: "[data-group]" },
  { name: "versions", path: "/versions" },
  { name: "versionsCanvas", path: "/versions?view=canvas", ready: "[data-group]" },
  { name: "share", path: "/share" },
] satisfies View[]

export const views: readonly View[] = [
  { name: "bots", path: "/" },
  {
    ...{ name: "newBot", path: "/", part: "[role=dialog]" },
    prepare: async (page) => {
      await page.getByRole("button", { name: /^(New bot|Neuer Bot)$/ }).click()
      await page.getByRole("dialog").getByRole("button").nth(3).waitFor()
    },
  },
  { name: "shared", path: "/shared" },
  { name: "bin", path: "/bin" },
  { name: "newWorkspace", path: "/newWorkspace" },
  ...parts.map((part) => ({ name: `workspace-${part}`, path: `/workspace?part=${part}` })),
  {
    ...{ name: "workspace-credential", path: "/workspace?part=credentials" },
    part: "[role=dialog]",
    prepare: async (page) => {
      await page
        .getByRole("button", { name: /^(Change|Ändern): / })
        .first()
        .click()
      await page.getByRole("dialog").waitFor()
    },
  },
  { name: "account", path: "/account" },
  { name: "operator", path: "/operator" },
  {
    ...{ name: "operatorWorkspace", path: "/operator", part: "[role=dialog]" },
    prepare: async (page) => {
      await page.getByRole("link", { name: "Old Harbour Café" }).click()
      await page.getByRole("dialog").getByRole("listitem").first().waitFor()
    },
  },
  { name: "operatorBots", path: "/operator?part=bots" },
  {
    ...{ name: "operatorBot", path: "/operator?part=bots&state=closed", part: "[role=dialog]" },
    prepare: async (page) => {
      await page.getByRole("listitem").getByRole("button").first().click()
      await page.getByRole("dialog").waitFor()
    },
  },
  { name: "operatorUsers", path: "/operator?part=users" },
  { name: "operatorDecisions", path: "/operator?part=decisions" },
  ...ofBot.map((view) => ({ ...view, path: `/bots/$botId${view.path}` })),
  ...types.map((type) => ({
    name: `block-${type.replace(" ", "-")}`,
    path: `/bots/$everyBlockId?block=${encodeURIComponent(type)}`,
    ...{ ready: "aside fieldset", part: "aside" },
  })),
]

/** The address of a view, below that of the service. */
export function addressOf({ path }: Pick<View, "path">, examples: Examples): string {
  return `/console${path.replace(/\$(\w+)/g, (_, name) => {
    const id = examples[name as keyof Examples]
    if (id === undefined) throw new Error(`No example is a ${name}: ${path}`)
    return id
  })}`
}

/** Watches what a page loads; the function that it returns waits until a view is complete. */
export function watchLoads(page: Page): (view: View) => Promise<void> {
  const loading = new Set<Request>()
  page.on("request", (request) => {
    // Streams of events never end.
    const isStream = request.headers().accept === "text/event-stream"
    if (!isStream && !request.url().endsWith("/events")) loading.add(request)
  })
  page.on("requestfinished", (request) => loading.delete(request))
  page.on("requestfailed", (request) => loading.delete(request))
  const settle = async () => {
    do {
      await Promise.all([...loading].map(async (each) => (await each.response())?.finished()))
      await page.waitForSelector(".mantine-Skeleton-root", { state: "detached" })
      await page.evaluate("new Promise(requestIdleCallback)")
    } while (loading.size > 0)
  }
  return async ({ ready, prepare }) => {
    // A view has set its title once it is drawn; the page that loads it is called Parley alone.
    while (!(await page.title()).includes("·"))
      await page.evaluate("new Promise(requestIdleCallback)")
    await settle()
    if (ready !== undefined) await page.waitForSelector(ready)
    await prepare?.(page)
    await settle()
  }
}
