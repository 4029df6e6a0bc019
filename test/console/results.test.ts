/** The view of results: a table of any length, one result, its export, and the ways to delete. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { expectNoComplaints } from "../pages/browser.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { eventually } from "../support/waiting.ts"
import { whenOver } from "../support/whenOver.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

const hostile = `<img src=x onerror="document.title='gone'"> [here](https://evil.example)`

describe.skipIf(!viewer)("the results of a bot", async () => {
  const { open, server, databaseUrl } = await openConsole()
  const db = await openDatabase({ url: databaseUrl, poolSize: 1 })
  whenOver(() => db.close())

  /** A published bot, and what visitors have answered it. */
  async function botWith(...replies: string[][]) {
    const asks = [say("Your **name**?"), ask.text({ saves: "Name" }), ask.email()]
    const flow = bot({ variables: { Name: null } }, group("Sign up", ...asks))
    const { botId, publicId } = await publishBot(server, flow)
    for (const texts of replies) {
      const chat = await chatOver(server, publicId)
      for (const text of texts) await chat.say(text)
    }
    const preferences = async () =>
      (await server.send("GET", `/api/v1/bots/${botId}`)).body.bot as {
        resultsTablePreferences: { columnsOrder: string[]; columnsVisibility: object } | null
      }
    return { botId, path: `/bots/${botId}/results`, preferences }
  }

  const titles = (page: Page) => page.getByRole("columnheader").allInnerTexts()
  const rows = (page: Page) => page.locator("tbody tr[aria-rowindex]")

  test("are rows with a column per question, and what visitors wrote is text", async () => {
    const { path } = await botWith(["Ann", "ann@example.com"], [hostile])
    const page = await open(path)
    await rows(page).nth(1).waitFor()
    expect((await titles(page)).filter(Boolean)).toEqual([
      ...["Started", "Status", "Sign up: Name", "Sign up", "Version"],
    ])
    expect(await rows(page).nth(1).innerText()).toMatch(/Completed\s+Ann\s+ann@example.com\s+1\s*$/)
    await page.getByText(hostile, { exact: true }).waitFor()
    expect(await page.locator("tbody img").count()).toBe(0)
    await rows(page).nth(0).getByRole("link").press("Enter")
    const result = page.getByRole("dialog", { name: "Result" })
    await result.getByRole("listitem").filter({ hasText: "evil.example" }).waitFor()
    // The emphasis of the author is a mark of Markdown, and what the visitor wrote is not.
    await result.getByText("Your name?", { exact: true }).waitFor()
    for (const tab of ["Variables", "Trace", "Logs", "Files"]) {
      await result.getByRole("tab", { name: tab }).click()
    }
    expect(await result.getByRole("link", { name: "here" }).count()).toBe(0)
    expect(await page.title()).toMatch(/^Results · .* · Parley$/)
    await page.keyboard.press("Escape")
    await result.waitFor({ state: "detached" })
    expectNoComplaints(page)
  })

  test("pass the filters of the address, and the address follows what is chosen", async () => {
    const { path } = await botWith(["Ann", "ann@example.com"], ["Ben"])
    const page = await open(`${path}?status=partial`)
    await page.getByText("Ben", { exact: true }).waitFor()
    expect(await rows(page).count()).toBe(1)
    await page.getByRole("searchbox").fill("Zoe")
    await page.getByText("No results here").waitFor()
    expect(page.url()).toContain("search=Zoe")
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page.getByText("Ann", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Period: Last 30 days" }).click()
    await page.getByRole("button", { name: "Last month" }).click()
    await page.getByText("No results here").waitFor()
    expect(page.url()).toContain("timeFilter=lastMonth")
    expectNoComplaints(page)
  })

  test("have columns that people move, hide and widen by keyboard, for all who work on the bot", async () => {
    const { path, preferences } = await botWith(["Ann", "ann@example.com"])
    const page = await open(path)
    await page.getByRole("button", { name: "Columns" }).click()
    await page.getByRole("button", { name: "Move Sign up: Name up" }).press("Enter")
    await page.getByRole("checkbox", { name: "Version" }).press("Space")
    await page.keyboard.press("Escape")
    await page.getByRole("separator", { name: "Width of Status" }).press("ArrowRight")
    const shown = ["Started", "Sign up: Name", "Status", "Sign up"]
    expect((await titles(page)).filter(Boolean)).toEqual(shown)
    await eventually(async () => {
      const { resultsTablePreferences } = await preferences()
      expect(resultsTablePreferences).toMatchObject({
        columnsVisibility: { versionNumber: false },
        columnsWidth: { isCompleted: 164 },
      })
    })
    await page.reload()
    await rows(page).first().waitFor()
    expect((await titles(page)).filter(Boolean)).toEqual(shown)
    expectNoComplaints(page)
  })

  test("are cards on a phone, which open, are selected and pass filters as rows do", async () => {
    const { path } = await botWith(["Ann", "ann@example.com"], [hostile])
    const page = await open(path, { viewport: { width: 390, height: 844 } })
    const cards = page.getByRole("region", { name: "Results" }).getByRole("listitem")
    await cards.filter({ hasText: hostile }).waitFor()
    expect(await cards.nth(1).innerText()).toMatch(
      /Completed\s+Sign up: Name\s+Ann\s+Sign up\s+ann@example.com$/,
    )
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
    await expectAccessible(page)
    await cards.nth(1).getByRole("checkbox").check()
    await page.getByText("1 selected").waitFor()
    await page.getByRole("checkbox", { name: "Select all loaded results" }).check()
    await page.getByText("2 selected").waitFor()
    await page.getByRole("button", { name: "Clear the selection" }).click()
    await page.getByRole("searchbox").fill("Ann")
    await cards.filter({ hasText: hostile }).waitFor({ state: "detached" })
    await cards.getByRole("link").click()
    await page.getByRole("dialog", { name: "Result" }).getByText("ann@example.com").waitFor()
    expectNoComplaints(page)
  })

  test("of twenty thousand chats put only those on the screen into the page", async () => {
    const { botId, path } = await botWith(["Ann"])
    await db.pool.query(
      `insert into results (result_id, bot_id, version_id, has_started)
       select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 1000), 12, '0') || '7'
         || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid, $1,
         (select id from bot_versions where bot_id = $1), true from generate_series(1, 20000) n`,
      [botId],
    )
    const page = await open(path)
    await rows(page).first().waitFor()
    const table = page.getByRole("region", { name: "Results" })
    await eventually(async () => {
      await table.evaluate((frame) => frame.scrollTo({ top: frame.scrollHeight }))
      const place = await rows(page).last().getAttribute("aria-rowindex")
      expect(Number(place)).toBeGreaterThan(250)
    })
    expect(await rows(page).count()).toBeLessThan(80)
    expectNoComplaints(page)
  })

  test("are saved as a table that spreadsheets take for text", async () => {
    const { path } = await botWith(["=1+1", "ann@example.com"])
    const page = await open(path)
    await page.getByRole("button", { name: "Export" }).click()
    const dialog = page.getByRole("dialog", { name: "Export results" })
    const download = page.waitForEvent("download")
    await dialog.getByRole("button", { name: "Export" }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe("Test results.csv")
    expect(await readFile(await file.path(), "utf8")).toContain("'=1+1")
    await dialog.getByText(/^Saved/).waitFor()
    expectNoComplaints(page)
  })

  test("are deleted once the user has read how many and what goes with them", async () => {
    const { path } = await botWith(["Ann"], ["Ben"], ["Cleo"])
    const page = await open(path)
    await rows(page).first().getByRole("checkbox").check()
    await page.getByRole("button", { name: "Delete" }).click()
    const dialog = page.getByRole("dialog", { name: "Delete results" })
    await dialog.getByText("1 result will be deleted").waitFor()
    await dialog.getByText("uploaded files go with them").waitFor()
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Cancel" }).click()
    expect(await rows(page).count()).toBe(3)
    await page.getByRole("button", { name: "Delete" }).click()
    await dialog.getByRole("button", { name: "Delete" }).click()
    await page.getByText("Cleo", { exact: true }).waitFor({ state: "detached" })
    expect(await rows(page).count()).toBe(2)
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Delete all results…" }).click()
    await dialog.getByText("2 results will be deleted").waitFor()
    await dialog.getByRole("button", { name: "Delete" }).click()
    await page.getByText("No results here").waitFor()
    expectNoComplaints(page)
  })

  test("of a person are counted first, and then erased in every bot", async () => {
    const first = await botWith(["secret@example.com", "ann@example.com"], ["Ben"])
    await botWith(["Secret@example.com"])
    const page = await open(first.path)
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Erase a person’s data…" }).click()
    const dialog = page.getByRole("dialog", { name: "Erase a person’s data" })
    await dialog.getByRole("textbox", { name: "Value" }).fill("secret@")
    await dialog.getByRole("radio", { name: "Contains the value" }).check()
    await dialog.getByRole("button", { name: "Count" }).click()
    await dialog.getByText("Results that match: 2").waitFor()
    await dialog.getByRole("button", { name: "Erase 2" }).click()
    await page.getByText("secret@example.com").waitFor({ state: "detached" })
    expect(await rows(page).allInnerTexts()).toEqual([expect.stringContaining("Ben")])
    expectNoComplaints(page)
  })
})
