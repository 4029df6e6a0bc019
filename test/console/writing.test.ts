/** Texts that are edited where they stand on the canvas. */
import type { Locator, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { bot, group, say } from "../support/bots.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { centre, drag, groupAt, openCanvas, type Stored } from "./openCanvas.ts"
import { viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("a text on the canvas", async () => {
  const { openBot, makeBot, becomes, draftOf } = await openCanvas()

  const words = (page: Page, text: string) =>
    page.getByRole("button", { name: `Text: ${text}` }).locator("[data-words]")
  const field = (page: Page) => page.locator("[data-group]").getByRole("textbox", { name: "Text" })
  const hasFocus = (what: Locator) => what.evaluate((node) => node.matches(":focus"))
  const textOf = ({ groups }: Stored, blockId = "hello") =>
    JSON.stringify(
      groups.flatMap(({ blocks }) => blocks).find(({ id }) => id === blockId)?.content?.richText,
    )

  test("is written where it was clicked, and saved while it is typed, beside the panel of its block", async () => {
    const botId = await makeBot()
    const page = await openBot(botId)
    const hello = words(page, "Hello there")
    const box = await hello.boundingBox()
    // Before its first letter.
    await hello.click({ position: { x: 1, y: (box?.height ?? 0) / 2 } })
    await field(page).waitFor()
    await page.getByRole("complementary", { name: "Options of the block" }).waitFor()
    await page.keyboard.type("Oh! ")
    await becomes(botId, (draft) => expect(textOf(draft)).toContain("Oh! Hello there"))
    expect(await hasFocus(field(page))).toBe(true)
    await expectAccessible(page)
    const panel = page.getByRole("complementary", { name: "Options of the block" })
    await panel.getByText("Oh! Hello there").waitFor()
    await page.keyboard.type("I say: ")
    await page.keyboard.press("Escape")
    await words(page, "Oh! I say: Hello there").waitFor()
    await becomes(botId, (draft) => expect(textOf(draft)).toContain("Oh! I say: Hello there"))
    expectNoComplaints(page)
  })

  test("is written by keys, and taken back in its field and once it is left", async () => {
    const botId = await makeBot()
    const page = await openBot(botId)
    const before = textOf(await draftOf(botId))
    await page.getByRole("button", { name: "Text: Hello there" }).focus()
    await page.keyboard.press("Enter")
    await expect.poll(() => hasFocus(field(page))).toBe(true)
    await page.keyboard.type(", friend")
    await page.keyboard.press("Control+z")
    await expect.poll(() => field(page).innerText()).toBe("Hello there")
    await page.keyboard.press("Control+Shift+z")
    await expect.poll(() => field(page).innerText()).toBe("Hello there, friend")
    // The caret is where it was.
    await page.keyboard.type("!")
    await page.keyboard.press("Escape")
    await becomes(botId, (draft) => expect(textOf(draft)).toContain("Hello there, friend!"))
    const left = page.getByRole("button", { name: "Text: Hello there, friend!" })
    await expect.poll(() => hasFocus(left)).toBe(true)
    await page.keyboard.press("Control+z")
    await words(page, "Hello there, friend").waitFor()
    await page.keyboard.press("Control+z")
    await becomes(botId, (draft) => expect(textOf(draft)).toBe(before))
    expectNoComplaints(page)
  })

  test("takes formats, links and variables, whose menus do not end the writing", async () => {
    const botId = await makeBot()
    const page = await openBot(botId)
    await words(page, "Hello there").click()
    await field(page).waitFor()
    await page.keyboard.press("Control+a")
    await page.keyboard.press("Control+b")
    await page.keyboard.press("End")
    const bar = page.locator("[data-group]").getByRole("group", { name: "Text" })
    await bar.getByRole("button", { name: "Insert a variable" }).click()
    await page.getByRole("option", { name: "Name" }).click()
    await bar.getByRole("button", { name: "Link", exact: true }).click()
    await page.getByLabel("Address").fill("https://example.com/")
    await page.keyboard.press("Enter")
    await becomes(botId, (draft) => {
      const text = textOf(draft)
      expect(text).toContain('"bold":true')
      expect(text).toContain("{{Name}}")
      expect(text).toContain('"url":"https://example.com/"')
    })
    expect(await field(page).count()).toBe(1)
    expectNoComplaints(page)
  })

  test("is dragged by its words, and selected alone by its icon", async () => {
    const botId = await makeBot()
    const page = await openBot(botId)
    await drag(page, words(page, "Hello there"), await centre(words(page, "See you")))
    await becomes(botId, ({ groups }) => expect(groups[1]?.blocks).toHaveLength(2))
    await page.getByRole("button", { name: "Text: Hello there" }).locator("svg").click()
    await page.locator('[data-block="hello"][data-selected]').waitFor()
    expect(await field(page).count()).toBe(0)
  })

  test("is in view while it is written, though the panel of its block covers its place", async () => {
    const drawn = bot(group("Welcome", say("Far away", { id: "far" })), group("Right", say("Near")))
    const [first, second] = drawn.groups
    if (first) first.graphCoordinates = { x: 1200, y: 900 }
    if (second) second.graphCoordinates = { x: 0, y: 0 }
    const page = await openBot(await makeBot(drawn), { viewport: { width: 1024, height: 640 } })
    await words(page, "Far away").click()
    await page.getByRole("complementary", { name: "Options of the block" }).waitFor()
    await page.keyboard.type("\n1\n2\n3\n4\n5\n6\n7\n8")
    const canvas = page.locator("[data-canvas]")
    await expect
      .poll(async () => {
        const [text, seen] = [await field(page).boundingBox(), await canvas.boundingBox()]
        if (!text || !seen) return false
        return (
          text.x + text.width < seen.x + seen.width && text.y + text.height < seen.y + seen.height
        )
      })
      .toBe(true)
    expect(await groupAt(page, "Welcome").count()).toBe(1)
  })
})
