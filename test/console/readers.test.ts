/** The editor of those who may only read a bot. */
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { centre, drag, greeting, groupAt, openCanvas } from "./openCanvas.ts"
import { viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("the editor of a reader", async () => {
  const { openBot, addGuest, makeBot, draftOf, server } = await openCanvas()

  test("lets those who may only read look around, and change nothing", async () => {
    const botId = await makeBot()
    const email = "reader@example.com"
    await addGuest(email, { [botId]: "READ" })
    const before = await draftOf(botId)
    const page = await openBot(botId, { email })
    await page.getByText("You can look at this bot, and not change it").waitFor()
    expect(await page.getByRole("complementary", { name: "Blocks to add" }).count()).toBe(0)
    expect(await page.getByRole("button", { name: /^Connect/ }).count()).toBe(0)
    const hello = page.getByRole("button", { name: "Text: Hello there" })
    await drag(page, hello, await centre(page.getByRole("button", { name: "Text: See you" })))
    await hello.click()
    await page.locator("[data-block][data-selected]").waitFor()
    for (const keys of ["Delete", "Control+d", "Alt+ArrowDown", "Control+z"])
      await page.keyboard.press(keys)
    expect(await groupAt(page, "Welcome").locator("[data-block]").count()).toBe(3)
    expect((await draftOf(botId)).groups).toEqual(before.groups)
  })

  test("shows what others change at once, and every panel with fields that take nothing", async () => {
    const botId = await makeBot({
      ...greeting(),
      settings: { general: { isBrandingEnabled: true } },
    })
    const email = "watcher@example.com"
    await addGuest(email, { [botId]: "READ" })
    const page = await openBot(botId, { email })
    await page.getByRole("status").getByText("Read only").waitFor()
    const graphCoordinates = { x: 300, y: 40 }
    const { revision } = await draftOf(botId)
    await server.send("POST", `/api/v1/bots/${botId}/edits`, {
      body: {
        revision,
        edits: [{ type: "group.put", group: { id: "gWelcome", title: "Hi", graphCoordinates } }],
      },
    })
    await page.getByRole("heading", { name: "Hi", exact: true }).waitFor()
    await page.getByRole("button", { name: "Text: Hello there" }).press("Enter")
    const panel = page.getByRole("complementary")
    const field = panel.getByRole("textbox")
    await field.waitFor()
    expect(await page.getByRole("textbox").count()).toBe(1)
    expect(await field.isEditable()).toBe(false)
    expect(await panel.getByRole("button", { name: "Bold" }).count()).toBe(0)
    for (const [name, part] of [
      ["Settings", "General"],
      ["Theme", "General"],
    ] as const) {
      await page.getByRole("button", { name, exact: true }).click()
      await panel.getByRole("button", { name: part, exact: true }).first().click()
      const fields = panel.locator("fieldset:visible").locator("input, select, textarea")
      await fields.first().waitFor({ state: "attached" })
      for (const each of await fields.all()) expect(await each.isEnabled()).toBe(false)
    }
    for (const name of ["Variables", "Findings", "History"]) {
      await page.getByRole("button", { name, exact: true }).click()
      await panel.getByRole("heading", { name, exact: true }).waitFor()
    }
    expectNoComplaints(page)
  })
})
