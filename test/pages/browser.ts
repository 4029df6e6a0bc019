/** Starts a Chromium that comes from a package, with pages that report what goes wrong in them. */
import chromium from "@sparticuz/chromium"
import {
  type Browser,
  type BrowserContext,
  chromium as driver,
  type Locator,
  type Page,
} from "playwright-core"
import { afterEach, expect } from "vitest"
import { onceForRun } from "../support/onceForRun.ts"
import { maxMs } from "../support/patience.ts"
import { whenOver } from "../support/whenOver.ts"

type Options = Parameters<Browser["newContext"]>[0]

export type Viewer = {
  /**
   * Opens a page in a context of its own. It asks for reduced motion by default: the processor draws every
   * frame of what moves, and clicks wait for it to stand still.
   */
  open(options?: Options): Promise<Page>
  /** Opens a page that stays for all tests of the file, where each goes to a chat of its own. */
  openForAll(options?: Options): Promise<Page>
  browser: Browser
}

/** What pages have reported: violations of policies, exceptions, logged errors. */
const reports = new WeakMap<BrowserContext, string[]>()

/**
 * Starts a browser for the tests of a file. Where none can start, prints a line that says so and returns
 * undefined. Contexts are closed with the test that opened them.
 */
export async function openViewer(): Promise<Viewer | undefined> {
  const browser = await launch()
  if (!browser) return undefined
  const contexts: BrowserContext[] = []
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
  })
  whenOver(() => browser.close())
  return {
    browser,
    open: async (options) => {
      const page = await openPage(browser, options)
      contexts.push(page.context())
      return page
    },
    openForAll: (options) => openPage(browser, options),
  }
}

async function openPage(browser: Browser, options: Options = {}): Promise<Page> {
  const usual: Options = { locale: "en-GB", reducedMotion: "reduce" }
  const context = await browser.newContext({ ...usual, ...options })
  context.setDefaultTimeout(maxMs)
  const page = await context.newPage()
  // From now on, and not only once a key has opened a dialog that nobody sees.
  page.on("filechooser", () => {})
  watch(page)
  return page
}

const args = [
  // Chromium's sandbox needs rights that containers and root do not have.
  "--no-sandbox",
  // Pages live for seconds: what runs in them is not worth optimizing.
  "--js-flags=--no-opt --no-maglev --max-lazy",
  // A fake microphone that beeps and needs no permission.
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
]

async function launch(): Promise<Browser | undefined> {
  try {
    // It is unpacked where it is first asked for, and must not be started before that is done.
    await onceForRun("browser", () => chromium.executablePath())
    const executablePath = await chromium.executablePath()
    return await driver.launch({ executablePath, args, timeout: maxMs })
  } catch (error) {
    const [reason = ""] = String(error).split("\n")
    console.warn(`The tests of pages are skipped: no browser starts here (${reason})`)
    return undefined
  }
}

function watch(page: Page): void {
  const found: string[] = []
  reports.set(page.context(), found)
  page.on("pageerror", (error) => found.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") found.push(message.text())
  })
}

/** Everything that a page has reported, violations of policies included. */
export function complaintsOf(page: Page): readonly string[] {
  return reports.get(page.context()) ?? []
}

/** Types an answer into the current field and sends it. */
export async function type(page: Page, text: string): Promise<void> {
  await page.locator("form.ask .field:is(input, textarea), form.ask .field input").last().fill(text)
  await page.keyboard.press("Enter")
}

/** Waits until a text appears in the conversation. */
export async function says(page: Page, text: string | RegExp): Promise<void> {
  await page.locator(".bubble").filter({ hasText: text }).last().waitFor()
}

/** The texts of the conversation, in order. */
export async function conversationOf(page: Page): Promise<string[]> {
  const texts = await page.locator(".line .bubble:not(.typing)").allInnerTexts()
  return texts.map((text) => text.replace(/^You:\s*/, "").trim())
}

/** Presses Tab, as people without a mouse do, until an element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor({ state: "attached" })
  for (let presses = 0; presses < 30; presses++) {
    if (await target.evaluate((node) => node.matches(":focus"))) return
    await page.keyboard.press("Tab")
  }
  throw new Error("The keyboard does not come there")
}

/** Fails with what the page has reported. */
export function expectNoComplaints(page: Page): void {
  expect(complaintsOf(page)).toEqual([])
}
