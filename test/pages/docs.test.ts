/** The docs in a browser: the guide is comfortable to read, and members try operations in the reference. */
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { newSignInLink } from "../../src/people/signIn.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chapters } from "../support/guideSteps.ts"
import { whenOver } from "../support/whenOver.ts"
import { expectNoComplaints, openViewer } from "./browser.ts"
import { pageServer } from "./pageServer.ts"

const viewer = await openViewer()
const bundle = join(
  dirname(createRequire(import.meta.url).resolve("@scalar/fastify-api-reference")),
  "js/standalone.js",
)

describe.skipIf(!viewer)("the docs", async () => {
  const url = await testDatabaseUrl()
  const server = await pageServer({ DATABASE_URL: url })
  const db = await openDatabase({ url, poolSize: 1 })
  whenOver(() => db.close())

  const open = async (options: Parameters<NonNullable<typeof viewer>["open"]>[0] = {}) => {
    if (!viewer) throw new Error("There is no browser")
    return await viewer.open(options)
  }

  test.each([
    "light",
    "dark",
  ] as const)("are accessible, and as wide as the screen, in the %s theme", async (colorScheme) => {
    const page = await open({ colorScheme, viewport: { width: 390, height: 844 } })
    await page.addInitScript(axe.source)
    for (const { path } of chapters) {
      await page.goto(server.address + path)
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(390)
      const found = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
      )
      expect(found, path).toEqual([])
    }
    expectNoComplaints(page)
  })

  test("one choice of a language holds for all examples and for the next page", async () => {
    const page = await open()
    await page.goto(`${server.address}/docs`)
    await page.getByText("Python", { exact: true }).first().click()
    await page.goto(`${server.address}/docs/pagination`)
    const shown = page.locator(".tabs pre:visible")
    expect(await shown.evaluateAll((all) => all.map((each) => each.dataset.language))).toEqual([
      "python",
    ])
  })

  test("examples are copied as they stand", async () => {
    const page = await open({ permissions: ["clipboard-read", "clipboard-write"] })
    await page.goto(`${server.address}/docs`)
    await page.locator(".copy").first().click()
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npm ci && npm start\n")
  })

  test("the menu of a phone leads to each chapter", async () => {
    const page = await open({ viewport: { width: 390, height: 844 } })
    await page.goto(`${server.address}/docs`)
    expect(await page.locator(".side").isVisible()).toBe(false)
    await page.getByText("Menu", { exact: true }).click()
    await page.locator(".side").getByRole("link", { name: "Webhooks", exact: true }).click()
    await page.waitForURL(`${server.address}/docs/webhooks`)
  })

  /** The reference, with the messages that the browser logs. */
  async function openReference(page: Page): Promise<string[]> {
    const logged: string[] = []
    page.on("console", (message) => logged.push(`${message.type()} ${message.text()}`))
    await page.route("**/docs/reference.js", (route) => route.fulfill({ path: bundle }))
    await page.goto(`${server.address}/docs/reference#tag/users/GET/api/v1/users/me`)
    await page
      .getByRole("button", { name: /Test Request/ })
      .first()
      .waitFor()
    return logged
  }

  test("members try operations with their session, which no other page sees", async () => {
    const userId = (await findUserByEmail(db, "ann@example.com"))?.id ?? ""
    const page = await open()
    await page.goto(await newSignInLink(db, { userId, serviceUrl: server.address }))
    await page.click("button")
    const logged = await openReference(page)
    expect(logged.filter((line) => /^(?:error|warning)/.test(line))).toEqual([])
    expect(await page.textContent("header")).toContain("ann@example.com")
    expect(await page.locator('meta[name="parley-session"]').count()).toBe(0)
    const sent = page.waitForRequest("**/api/v1/users/me")
    await page
      .getByRole("button", { name: "Test Request (get /api/v1/users/me)", exact: true })
      .first()
      .click()
    await page.getByRole("button", { name: /^Send/ }).first().click()
    const response = await (await sent).response()
    expect([response?.status(), await response?.json()]).toMatchObject([
      200,
      { email: "ann@example.com" },
    ])
  })

  test("visitors see how to sign in", async () => {
    const page = await open()
    await openReference(page)
    expect(await page.getAttribute("header a:last-child", "href")).toBe(
      "/signIn?next=/docs/reference",
    )
  })
})
