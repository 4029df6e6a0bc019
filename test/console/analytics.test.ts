/** The view of analytics: what visitors did, as figures, bars and tables. */
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { ask, bot, group } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("the analytics of a bot", async () => {
  const { open, server } = await openConsole()
  const flow = bot(
    { variables: { Name: null } },
    group("Sign up", ask.text({ saves: "Name" }), ask.choice(["Yes <b>please</b>", "No"])),
  )

  test("count starts, completions, questions and choices of the period and version", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    for (const replies of [["Ann", "No"], ["Ben", "No"], ["Cleo", "Yes <b>please</b>"], []]) {
      const chat = await chatOver(server, publicId)
      for (const text of replies) await chat.say(text)
    }
    const page = await open(`/bots/${botId}/analytics`)
    const tables = page.getByRole("main").getByRole("table")
    await tables.first().waitFor()
    const figures = await page.locator("dl > div").allInnerTexts()
    expect(figures.map((text) => text.split("\n").filter(Boolean))).toEqual([
      ["Started", "4"],
      ["Completed", "3"],
      ["Completion rate", "75%"],
      ["Median time", expect.stringMatching(/^\d:\d\d$/)],
    ])
    const rowOf = (name: string) => page.getByRole("row", { name }).innerText()
    expect((await rowOf("Sign up: Name")).split(/\s*\t\s*/).slice(1)).toEqual([
      ...["4", "3", "0", "1", "0", "0%"],
    ])
    expect(await rowOf("Yes <b>please</b>")).toMatch(/1\s+33%$/)
    expect(await tables.first().getByRole("row").count()).toBe(2)
    await page.getByText("Canvas", { exact: true }).click()
    const group = page.locator("[data-group]", { hasText: "Sign up" })
    await group.waitFor()
    expect(page.url()).toContain("view=canvas")
    await page.locator(".react-flow__edge", { hasText: "4 went this way" }).waitFor()
    await expectAccessible(page)
    await page.getByRole("combobox", { name: "Version" }).selectOption("Version 1")
    await group.waitFor()
    await page.getByRole("button", { name: /^Period/ }).click()
    await page.getByRole("button", { name: "Last month" }).click()
    await page.getByText("No chats in this period").waitFor()
    expect(page.url()).toContain("version=1")
    expect(page.url()).toContain("timeFilter=lastMonth")
    expectNoComplaints(page)
  })
})
