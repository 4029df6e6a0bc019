/** The editor of those who may only read a bot. */
import { describe, expect, test } from "vitest"
import { centre, drag, groupAt, openCanvas } from "./openCanvas.ts"
import { viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("the editor of a reader", async () => {
  const { openBot, addReader, makeBot, draftOf } = await openCanvas()

  test("lets those who may only read look around, and change nothing", async () => {
    const botId = await makeBot()
    const email = "reader@example.com"
    await addReader(botId, email)
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
})
