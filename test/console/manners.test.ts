/** What holds for every view of the console: those that the router knows, their panels and their dialogs. */
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, test } from "vitest"
import { type Examples, makeExamples } from "../../scripts/consoleExamples.ts"
import { addressOf, type View, views, watchLoads } from "../../scripts/consoleViews.ts"
import { openApi } from "../../scripts/drills/api.ts"
import { complaintsOf } from "../pages/browser.ts"
import { enterView } from "./enterView.ts"
import { violationsOf } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("every view of the console", async () => {
  const { open, server } = await openConsole()

  let examples: Examples
  beforeAll(async () => {
    examples = await makeExamples(openApi(server.address, server.token), { chats: 8 })
  })

  describe.each([1280, 390])("at %i pixels", (width) => {
    let page: Page
    let complete: ReturnType<typeof watchLoads>
    beforeAll(async () => {
      page = await open("/", { viewport: { width, height: 844 }, forAll: true })
      complete = watchLoads(page)
    })

    const visit = async (view: View) => {
      const before = complaintsOf(page).length
      await enterView(page, addressOf(view, examples))
      await complete(view)
      return [...(await faultsOf(page, view)), ...complaintsOf(page).slice(before)]
    }

    const manners = "has a title, fits, stands still, and has no findings of axe"
    test.each(views)(`$name ${manners}`, async (view) => {
      expect(await visit(view)).toEqual([])
    })

    test(`a route that is no view by name ${manners}`, async () => {
      const routes = await page.evaluate<string[]>("Object.keys(__TSR_ROUTER__.routesByPath)")
      const shown = views.map(({ path }) => path.replace(/\?.*/, ""))
      for (const path of routes.filter((each) => !shown.includes(each)))
        expect(await visit({ name: path, path }), path).toEqual([])
    })
  })

  async function show(page: Page, colorScheme: "dark" | "light"): Promise<void> {
    await page.emulateMedia({ colorScheme })
    await page.waitForSelector(`[data-mantine-color-scheme=${colorScheme}]`)
    // Transitions keep the former colours until they are drawn.
    await page.evaluate(
      "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
    )
  }

  const seenFromAfar = ["editor", "traffic", "versionsCanvas"]

  async function faultsOf(page: Page, { name, part: within }: View): Promise<unknown[]> {
    const violations = await violationsOf(page, { within })
    // Buttons of a canvas are large enough from near (canvas.test.ts).
    const faults: unknown[] = violations.filter(
      ({ id }) => !seenFromAfar.includes(name) || id !== "target-size",
    )
    const moving = await page.evaluate<string[]>(
      `document.getAnimations().filter(({ playState }) => playState === "running")
        .map(({ effect }) => effect.target.outerHTML.slice(0, 200))`,
    )
    faults.push(...moving.map((moves) => ({ moves })))
    await show(page, "dark")
    const inDark = await violationsOf(page, { within, rules: ["color-contrast"] })
    faults.push(...inDark.map((dark) => ({ dark })))
    await show(page, "light")
    const title = await page.title()
    if (!/^.+ · Parley$/.test(title)) faults.push({ title })
    for (const direction of ["rtl", "ltr"]) {
      const takes = await page.evaluate<number>(
        `((html) => (html.dir = "${direction}", html.scrollWidth - innerWidth))(document.documentElement)`,
      )
      if (takes > 0) faults.push(`${direction} is ${takes} px too wide`)
    }
    return faults
  }
})
