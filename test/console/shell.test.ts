/** The frame of the console: who gets it, what it may load, and how it is left. */
import { describe, expect, test } from "vitest"
import { complaintsOf, expectNoComplaints } from "../pages/browser.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("the console", async () => {
  const { open, server, linkFor } = await openConsole()

  test("leads a person without a session to the sign-in, and from there back to the view", async () => {
    const page = await viewer?.open()
    await page?.goto(`${server.address}/console/workspace?workspace=w`)
    expect(page?.url()).toBe(`${server.address}/signIn?next=%2Fconsole%2Fworkspace%3Fworkspace%3Dw`)
  })

  test("is where a link of `npm start` leads, after one button", async () => {
    const page = await viewer?.open()
    await page?.goto(await linkFor("ann@example.com"))
    await page?.click("button")
    await page?.waitForURL(`${server.address}/console`)
    await page?.getByRole("heading", { name: "Bots" }).waitFor()
    if (page) expectNoComplaints(page)
  })

  test("loads nothing from elsewhere, and at most 220 kB for its first view", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "Bots" }).waitFor()
    const loads: { host: string; bytes: number }[] = []
    const network = await page.context().newCDPSession(page)
    const hosts = new Map<string, string>()
    await network.send("Network.enable")
    await network.send("Network.setCacheDisabled", { cacheDisabled: true })
    network.on("Network.responseReceived", ({ requestId, response }) => {
      hosts.set(requestId, new URL(response.url).host)
    })
    network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      loads.push({ host: hosts.get(requestId) ?? "", bytes: encodedDataLength })
    })
    await page.reload({ waitUntil: "networkidle" })
    expect([...new Set(loads.map(({ host }) => host))]).toEqual([new URL(server.address).host])
    expect(loads.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(220_000)
    expect(complaintsOf(page)).toEqual([])
  })

  test("has no secret of the session in the page once it runs", async () => {
    const page = await open("/")
    await page.getByRole("heading", { name: "Bots" }).waitFor()
    expect(await page.locator('meta[name="parley-session"]').count()).toBe(0)
  })

  test("jumps by keyboard to a bot of any name, its views, parts of the workspace and another look", async () => {
    const { send, workspaceId } = server
    const bot = { name: "<i>Öffnungszeiten</i>" }
    await send("POST", "/api/v1/bots", { body: { workspaceId, bot } })
    const page = await open("/")
    await page.getByRole("button", { name: "Jump to…" }).waitFor()
    const jump = async (words: string, place: string | RegExp) => {
      await page.keyboard.press("Control+k")
      await page.getByRole("textbox", { name: "Jump to" }).fill(words)
      await page.getByRole("option", { name: place }).first().waitFor()
      await expectAccessible(page)
      await page.keyboard.press("Enter")
    }
    await jump("öffnung", bot.name)
    await page.getByRole("navigation", { name: "Views of this bot" }).waitFor()
    await jump("ANALY", "Analytics")
    await page.waitForURL(/\/analytics/)
    await jump("webh", "Webhooks")
    await page.getByRole("heading", { name: "Webhooks" }).waitFor()
    await jump("dark", "Dark")
    await page.locator("html[data-mantine-color-scheme=dark]").waitFor()
    await page.keyboard.press("Control+k")
    await page.getByRole("textbox", { name: "Jump to" }).fill("no such thing")
    await page.getByText("Nothing has this name.").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    expectNoComplaints(page)
  })

  test("writes dates and numbers where the browser names a locale that is none", async () => {
    const page = await open("/account")
    await page.addInitScript(
      'Object.defineProperty(navigator, "languages", { value: ["en-US@posix", "en-GB"] })',
    )
    await page.reload()
    await page
      .getByText(/^Signed in/)
      .first()
      .waitFor()
    expectNoComplaints(page)
  })

  test("is left by the menu of the user, and asks for a sign-in again", async () => {
    const page = await open("/")
    await page.getByRole("button", { name: "ann@example.com" }).click()
    await page.getByRole("menuitem", { name: "Sign out" }).click()
    await page.waitForURL((url) => !url.pathname.startsWith("/console"))
    await page.goto(`${server.address}/console`)
    expect(page.url()).toContain("/signIn?next=%2Fconsole")
  })
})
