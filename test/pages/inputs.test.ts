/** Tests every type of input in a browser, with the mouse and with the keyboard only. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { ask, bot, type Draft, group, idOf, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { openLatch } from "../support/waiting.ts"
import { conversationOf, expectNoComplaints, openViewer, says, tabTo } from "./browser.ts"
import { nameSystem } from "./inPage.mjs"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

/** An input, its answer by mouse and by keyboard, and the bot's reply. */
type Case = {
  name: string
  input: Draft
  mouse(page: Page): Promise<void>
  keyboard(page: Page): Promise<void>
  saved: string | RegExp
}

const field = (page: Page) => page.locator("form.ask input:not([hidden]), form.ask textarea").last()
const send = (page: Page) => page.locator("button.send").click()
const press = (page: Page, key: string) => page.keyboard.press(key)

/** Types into a field, and sends with a click or with Enter. */
const typed = (text: string) => ({
  mouse: async (page: Page) => {
    await field(page).click()
    await page.keyboard.type(text)
    await send(page)
  },
  keyboard: async (page: Page) => {
    await tabTo(page, field(page))
    await page.keyboard.type(text)
    await press(page, "Enter")
  },
})

/** A year may have up to six digits, so the next part has to be reached with a key. */
async function typeParts(page: Page, text: string): Promise<void> {
  const [date = "", time] = text.split(" ")
  await page.keyboard.type(date)
  if (time === undefined) return
  await press(page, "ArrowRight")
  await page.keyboard.type(time)
}

/** The keys for the parts of a date field, in the order of the browser's language. */
const dated = (...keys: string[]) => ({
  mouse: async (page: Page) => {
    for (const [index, text] of keys.entries()) {
      await page
        .locator(".dates input")
        .nth(index)
        .click({ position: { x: 20, y: 20 } })
      await typeParts(page, text)
    }
    await send(page)
  },
  keyboard: async (page: Page) => {
    for (const [index, text] of keys.entries()) {
      await tabTo(page, page.locator(".dates input").nth(index))
      await typeParts(page, text)
    }
    await press(page, "Enter")
  },
})

const clicked = (...names: string[]) => ({
  mouse: async (page: Page) => {
    for (const name of names) await page.locator(".choices, .cards").getByText(name).first().click()
    if (names.length > 1) await send(page)
  },
  keyboard: async (page: Page) => {
    const isMany = names.length > 1
    for (const name of names) {
      const role = isMany ? "checkbox" : "button"
      await tabTo(page, page.getByRole(role, { name }).first())
      await press(page, "Space")
    }
    if (isMany) await press(page, "Enter")
  },
})

const items = ["Red", "Green", "Blue"]
// Without pictures, which would be loaded from outside.
const pictures = items.map((title, at) => ({ id: `p${at}`, title }))
const cards = [
  { id: "c1", title: "Flat", paths: [{ id: "a", text: "Book it" }] },
  { id: "c2", title: "House", paths: [{ id: "b", text: "Ask for it" }] },
]
const saves = "V"

const rated = (rating: string) => ({
  mouse: async (page: Page) => {
    await page.locator(".mark", { has: page.locator(`input[value="${rating}"]`) }).click()
    await send(page)
  },
  keyboard: async (page: Page) => {
    await tabTo(page, page.locator(".mark input").first())
    await press(page, "Space")
    const first = Number(await page.locator(".mark input").first().getAttribute("value"))
    for (let step = first; step < Number(rating); step++) await press(page, "ArrowRight")
    await press(page, "Enter")
  },
})

const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("some words") }

const uploaded = {
  mouse: async (page: Page) => {
    const choosing = page.waitForEvent("filechooser")
    await page.locator(".drop").click()
    await (await choosing).setFiles(file)
    await page.locator(".file-done").waitFor()
    await send(page)
  },
  keyboard: async (page: Page) => {
    await tabTo(page, page.locator(".drop input"))
    const choosing = page.waitForEvent("filechooser")
    await press(page, "Space")
    await (await choosing).setFiles(file)
    await page.locator(".file-done").waitFor()
    await tabTo(page, page.locator("button.send"))
    await press(page, "Enter")
  },
}

const spoken = {
  mouse: async (page: Page) => {
    await page.getByRole("button", { name: "Record" }).click()
    await page.getByRole("timer").getByText("Recording").waitFor()
    await send(page)
  },
  keyboard: async (page: Page) => {
    await tabTo(page, page.getByRole("button", { name: "Record" }))
    await press(page, "Enter")
    await page.getByRole("timer").getByText("Recording").waitFor()
    await tabTo(page, page.locator("button.send"))
    await press(page, "Enter")
  },
}

const addressOf = (ending: string) => new RegExp(`^http://127\\.0\\.0\\.1:\\d+/\\S+\\.${ending}$`)

const cases: Case[] = [
  { name: "text", input: ask.text({ saves }), ...typed("Hello"), saved: "Hello" },
  {
    name: "long text",
    input: ask.text({ saves, isLong: true }),
    mouse: typed("Hello").mouse,
    keyboard: async (page) => {
      await tabTo(page, field(page))
      await page.keyboard.type("Hello")
      await press(page, "Control+Enter")
    },
    saved: "Hello",
  },
  { name: "number", input: ask.number({ saves }), ...typed("12.5"), saved: "12.5" },
  { name: "e-mail", input: ask.email({ saves }), ...typed("Ann@x.co"), saved: "ann@x.co" },
  { name: "URL", input: ask.url({ saves }), ...typed("x.example/a"), saved: "x.example/a" },
  {
    name: "phone",
    input: ask.phone({ saves, defaultCountryCode: "FR" }),
    ...typed("06 01 02 03 04"),
    saved: "+33601020304",
  },
  { name: "date", input: ask.date({ saves }), ...dated("03092026"), saved: "09/03/2026" },
  {
    name: "range of dates",
    input: ask.date({ saves, isRange: true }),
    ...dated("03092026", "03112026"),
    saved: "09/03/2026 to 11/03/2026",
  },
  {
    name: "date with time",
    input: ask.date({ saves, hasTime: true }),
    ...dated("030920261030AM"),
    saved: "09/03/2026 10:30",
  },
  { name: "time", input: ask.time({ saves }), ...typed("1030AM"), saved: "10:30" },
  { name: "choice", input: ask.choice(items, { saves }), ...clicked("Green"), saved: "Green" },
  {
    name: "several choices",
    input: ask.choice(items, { saves, isMultipleChoice: true }),
    ...clicked("Red", "Blue"),
    saved: "Red, Blue",
  },
  {
    name: "picture",
    input: ask.picture({ saves, items: pictures }),
    ...clicked("Red"),
    saved: "Red",
  },
  {
    name: "several pictures",
    input: ask.picture({ saves, items: pictures, isMultipleChoice: true }),
    ...clicked("Green", "Blue"),
    saved: "Green, Blue",
  },
  {
    name: "card",
    input: ask.cards({ saves, items: cards }),
    ...clicked("Ask for it"),
    saved: "House",
  },
  { name: "rating in numbers", input: ask.rating({ saves }), ...rated("7"), saved: "7" },
  {
    name: "rating in icons",
    input: ask.rating({ saves, buttonType: "Icons", length: 5 }),
    ...rated("4"),
    saved: "4",
  },
  {
    name: "voice clip",
    input: ask.text({ audioClip: { isEnabled: true, saveVariableId: idOf(saves) } }),
    ...spoken,
    saved: addressOf("webm"),
  },
  { name: "file", input: ask.file({ saves }), ...uploaded, saved: addressOf("txt") },
]

describe.skipIf(!viewer)("an input of the type", async () => {
  if (!viewer) return
  const server = await pageServer()
  const page = await viewer.openForAll()

  async function open(input: Draft): Promise<void> {
    const flow = bot({ settings: swift }, group("Ask", input, say("Saved {{V}}")))
    const { publicId } = await publishBot(server, flow)
    await page.goto(`${server.address}/chat/${publicId}`)
  }

  test.each(cases)("$name is answered by mouse", async ({ input, mouse, saved }) => {
    await open(input)
    await mouse(page)
    await says(page, "Saved ")
    const texts = await conversationOf(page)
    expect(texts.at(-1)?.replace("Saved ", "")).toEqual(expect.stringMatching(exactly(saved)))
    expectNoComplaints(page)
  })

  test.each(cases)("$name is answered by keyboard", async ({ input, keyboard, saved }) => {
    await open(input)
    await keyboard(page)
    await says(page, "Saved ")
    const texts = await conversationOf(page)
    expect(texts.at(-1)?.replace("Saved ", "")).toEqual(expect.stringMatching(exactly(saved)))
    expectNoComplaints(page)
  })

  test("a microphone that may not be used is no dead end", async () => {
    await open(ask.text({ saves, audioClip: { isEnabled: true } }))
    await page.evaluate(
      "navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('No'))",
    )
    await page.getByRole("button", { name: "Record" }).click()
    await page.getByRole("alert").getByText("The microphone cannot be used").waitFor()
    await field(page).fill("Hello")
    await press(page, "Enter")
    await says(page, "Saved Hello")
  })

  test("a phone number and a date are asked where the browser names no language, but a system", async () => {
    const odd = await viewer.open()
    await odd.addInitScript(nameSystem)
    const asked = [ask.phone({ saves }), ask.date(), say("Saved {{V}}")]
    const { publicId } = await publishBot(server, bot({ settings: swift }, group("A", ...asked)))
    await odd.goto(`${server.address}/chat/${publicId}`)
    await field(odd).fill("(201) 555-0123")
    await press(odd, "Enter")
    await odd.locator("input[type=date]").fill("2026-03-09")
    await press(odd, "Enter")
    await says(odd, "Saved +12015550123")
    expectNoComplaints(odd)
  })

  test("a clip that is cancelled while it is on its way is not sent", async () => {
    await open(ask.text({ saves, audioClip: { isEnabled: true } }))
    const cancelled = openLatch()
    await page.route("**/generate-upload-url", async (route) => {
      await cancelled.isOpen
      await route.continue()
    })
    const sent: string[] = []
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname)
    })
    await page.getByRole("button", { name: "Record" }).click()
    await page.getByRole("timer").getByText("Recording").waitFor()
    const answered = page.waitForResponse("**/generate-upload-url")
    await page.locator("button.send").click()
    await page.locator("progress").waitFor()
    await page.getByRole("button", { name: "Cancel" }).click()
    cancelled.open()
    await (await answered).finished()
    await field(page).fill("Hello")
    await press(page, "Enter")
    await says(page, "Saved Hello")
    expect(sent.map((path) => path.split("/").pop())).toEqual([
      "generate-upload-url",
      "continueChat",
    ])
    await page.unroute("**/generate-upload-url")
  })
})

function exactly(saved: string | RegExp): RegExp {
  if (saved instanceof RegExp) return saved
  return new RegExp(`^${saved.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)
}
