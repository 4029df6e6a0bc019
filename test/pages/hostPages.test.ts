/** Tests chats on pages that do as they please: with their focus, their keys, their styles and their elements. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { ask, block, bot, group, say, set } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { openLatch } from "../support/waiting.ts"
import {
  complaintsOf,
  conversationOf,
  expectNoComplaints,
  openViewer,
  says,
  type,
  type Viewer,
} from "./browser.ts"
import { hostSite } from "./hostSite.ts"
import { isInView, styleOf } from "./inPage.mjs"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

/** A rule of the page's style sheet, and its computed value. */
type Look = { css?: string } & Parameters<Viewer["open"]>[0]

const phone = { width: 390, height: 844 }

describe.skipIf(!viewer)("a chat on a page", async () => {
  if (!viewer) return
  const server = await pageServer()
  const site = await hostSite(server.address)

  const flow = bot({ settings: swift }, group("A", say("Hello"), ask.text(), say("Done")))
  const { publicId } = await publishBot(server, flow)

  /** Opens a page with an element of its own, and what its script does. */
  async function visit(script: string, { css = "", ...options }: Look = {}) {
    site.serve({
      "/": `<!doctype html><meta name="viewport" content="width=device-width">
        <link rel="stylesheet" href="/site.css"><script src="${server.address}/embed.js"></script>
        <input id="own"><div id="place"></div><script src="/page.js"></script>`,
      "/site.css": css,
      "/page.js": script,
    })
    const page = await viewer?.open(options)
    if (!page) throw new Error("There is no browser")
    await page.goto(site.origin)
    return page
  }

  const isFocused = (page: Page, selector: string) =>
    page.locator(selector).evaluate((node) => node.matches(":focus"))

  test("starts when its bot is named after it is in the page, as some frameworks do", async () => {
    const page = await visit(`const chat = document.createElement("parley-chat")
      place.append(chat)
      chat.setAttribute("bot", "${publicId}")
      const bubble = document.createElement("parley-bubble")
      place.append(bubble)
      bubble.open()
      bubble.setAttribute("bot", "${publicId}")`)
    await page.locator("parley-chat").getByText("Hello").waitFor()
    await page.locator("parley-bubble").getByText("Hello").waitFor()
    expectNoComplaints(page)
  })

  test("keeps its memory, and does not begin twice, where the page sets variables at once", async () => {
    const steps = [say("Hi {{Name}}"), ask.text(), say("Thanks"), ask.text()]
    const settings = { ...swift, general: { rememberUser: { isEnabled: true } } }
    const remembers = await publishBot(server, bot({ settings }, group("A", ...steps)))
    const page = await visit(`starts = 0
      chat = Parley.initStandard({ bot: "${remembers.publicId}", target: place })
      chat.element.listen(({ type }) => { if (type === "start") starts += 1 })
      chat.setPrefilledVariables({ Name: "Ann" })`)
    await says(page, "Hi Ann")
    await page.locator("form.ask .field").waitFor()
    // The same once more changes nothing: the answer below is to the first question.
    await page.evaluate(`chat.setPrefilledVariables({ Name: "Ann" })`)
    await type(page, "Hello")
    await says(page, "Thanks")
    expect(await page.evaluate("starts")).toBe(1)
    await page.reload()
    await page.locator("form.ask .field").waitFor()
    expect(await conversationOf(page)).toEqual(["Hi Ann", "Hello", "Thanks"])
    expect(await page.evaluate("starts")).toBe(0)
  })

  test("says that it cannot begin with variables that JSON cannot say", async () => {
    const page = await visit(`const variables = { Name: "Ann" }
      variables.itself = variables
      Parley.initStandard({ bot: "${publicId}", target: place, prefilledVariables: variables })`)
    await page.getByRole("alert").getByText("not available").waitFor()
    expect(complaintsOf(page).join()).toContain("circular")
  })

  test("counts a visit once, though it begins again and stands there twice", async () => {
    const steps = [
      say("Hi {{Name}}"),
      block("Pixel", { pixelId: "123", eventType: "Lead" }),
      block("Google Analytics", { trackingId: "G-1", action: "met" }),
      ask.text(),
    ]
    const settings = { ...swift, metadata: { googleTagManagerId: "GTM-1" } }
    const tracking = await publishBot(server, bot({ settings }, group("A", ...steps)))
    const page = await viewer.open()
    const loaded: string[] = []
    await page.route(/googletagmanager|facebook/, (route) => {
      loaded.push(new URL(route.request().url()).pathname)
      return route.fulfill({ contentType: "text/javascript", body: "" })
    })
    const chat = `<parley-chat trusted bot="${tracking.publicId}"></parley-chat>`
    const body = `<!doctype html><script src="/embed.js"></script>${chat}${chat}`
    await page.route("**/shop", (route) => route.fulfill({ contentType: "text/html", body }))
    await page.goto(`${server.address}/shop`)
    await page.locator("form.ask").nth(1).waitFor()
    await page.evaluate(
      `document.querySelector("parley-chat").setPrefilledVariables({ Name: "Ann" })`,
    )
    await says(page, "Hi Ann")
    await page.locator("form.ask").nth(1).waitFor()
    expect(loaded.sort()).toEqual(["/en_US/fbevents.js", "/gtag/js", "/gtm.js"])
    const told = (await page.evaluate("fbq.queue.map(([name]) => name)")) as string[]
    expect(told.filter((name) => name !== "trackSingle")).toEqual(["init", "track"])
  })

  test("is removed at once, without a word in the console", async () => {
    const page = await visit(`const popup = Parley.initPopup({ bot: "${publicId}" })
      popup.open()
      popup.unmount()
      Parley.initStandard({ bot: "${publicId}", target: place })`)
    await says(page, "Hello")
    expectNoComplaints(page)
  })

  test("never opens if the page says so", async () => {
    const page =
      await visit(`never = Parley.initPopup({ bot: "${publicId}", openAfterMs: Infinity })
      Parley.initBubble({ bot: "${publicId}", openAfterMs: 1 })`)
    await says(page, "Hello")
    expect(await page.locator("parley-popup dialog[open]").count()).toBe(0)
  })

  test("runs code of authors after the page has moved it", async () => {
    const compute = (code: string) => set("Sum", code, { isExecutedOnClient: true })
    const steps = [compute("1 + 1"), say("{{Sum}}"), ask.text(), compute("2 + 2"), say("{{Sum}}")]
    const { publicId } = await publishBot(server, bot({ settings: swift }, group("A", ...steps)))
    const page = await visit(`chat = Parley.initStandard({ bot: "${publicId}" })`)
    await says(page, "2")
    await page.evaluate("place.append(chat.element)")
    await type(page, "Go on")
    await says(page, "4")
  })

  test("does not take the focus from a field when it opens or closes by itself", async () => {
    const page = await visit(`own.focus()
      bubble = Parley.initBubble({ bot: "${publicId}", openAfterMs: 0 })`)
    await says(page, "Hello")
    await page.locator("form.ask .field").waitFor()
    expect(await isFocused(page, "#own")).toBe(true)
    await page.evaluate("bubble.close()")
    expect(await isFocused(page, "#own")).toBe(true)
    // Opening it moves the focus into it, and closing back.
    await page.getByRole("button", { name: "Open chat" }).click()
    expect(await isFocused(page, "form.ask .field")).toBe(true)
    await page.keyboard.press("Escape")
    expect(await isFocused(page, ".toggle")).toBe(true)
    expectNoComplaints(page)
  })

  test("moves the focus to its first question when opened by keyboard", async () => {
    const page = await visit(`Parley.initBubble({ bot: "${publicId}" })`)
    await page.getByRole("button", { name: "Open chat" }).press("Enter")
    await page.locator("form.ask .field").waitFor()
    await expect.poll(() => isFocused(page, "form.ask .field")).toBe(true)
  })

  test("keeps the focus when a command takes the question away", async () => {
    const page = await visit(`bubble = Parley.initBubble({ bot: "${publicId}" })`)
    await page.getByRole("button", { name: "Open chat" }).press("Enter")
    const field = page.locator("form.ask .field")
    await field.focus()
    // No answer comes: nothing is asked that could take the focus.
    await page.route("**/continueChat", () => {})
    await page.evaluate(`bubble.sendCommand("help")`)
    await field.waitFor({ state: "detached" })
    expect(await isFocused(page, ".chat[tabindex]")).toBe(true)
  })

  test("shows a question asked while it was hidden once it is shown", async () => {
    const long = Array.from({ length: 25 }, (_, line) => say(`Line ${line}`))
    const steps = [ask.text(), ...long, ask.choice(["Yes"])]
    const talks = await publishBot(server, bot({ settings: swift }, group("A", ...steps)))
    const page = await visit(`bubble = Parley.initBubble({ bot: "${talks.publicId}" })
      bubble.open()`)
    const asked = openLatch()
    await page.route("**/continueChat", async (route) => {
      await asked.isOpen
      await route.continue()
    })
    await page.locator("form.ask .field").fill("Hello")
    await page.locator("button.send").click()
    await page.evaluate("bubble.close()")
    asked.open()
    const choice = page.locator(".choices .button")
    await choice.waitFor({ state: "attached" })
    await page.evaluate("bubble.open()")
    await expect.poll(() => choice.evaluate(isInView)).toBe(true)
  })

  test("takes every letter, where the page has keys of its own", async () => {
    const page = await visit(`pressed = []
      Parley.initStandard({ bot: "${publicId}", target: place })
      addEventListener("keydown", (event) => {
        pressed.push(event.key)
        if (event.target.tagName !== "INPUT" && event.key.length === 1) event.preventDefault()
      })`)
    const field = page.locator("form.ask .field")
    await field.click()
    await page.keyboard.type("A / b")
    expect(await field.inputValue()).toBe("A / b")
    // Dialogs of the page still hear the keys that leave them.
    await page.keyboard.press("Escape")
    await page.keyboard.press("Tab")
    expect(await page.evaluate("pressed")).toEqual(["Escape", "Tab"])
  })

  test("lets its words be selected, where those of the page cannot be", async () => {
    const page = await visit(`Parley.initStandard({ bot: "${publicId}", target: place })`, {
      css: "* { user-select: none; -webkit-user-select: none }",
    })
    await page.locator(".host-bubble", { hasText: "Hello" }).dblclick()
    expect(await page.evaluate("String(getSelection())")).toBe("Hello")
  })

  test("has an edge where the system has a few colours, the same for the chat as for the page", async () => {
    const page = await visit(
      `Parley.initBubble({ bot: "${publicId}" }).open()
      Parley.initPopup({ bot: "${publicId}" }).open()`,
      { forcedColors: "active" },
    )
    for (const part of [".panel", ".toggle", "dialog > div"]) {
      expect(await page.locator(part).evaluate(styleOf, "outline"), part).toMatch(
        /^rgb\(.* solid 1px$/,
      )
    }
  })

  test("fills a phone again after it was closed with the keyboard open", async () => {
    const page = await visit(`bubble = Parley.initBubble({ bot: "${publicId}" })`, {
      viewport: phone,
    })
    await page.evaluate("bubble.open()")
    await says(page, "Hello")
    const height = async () => (await page.locator(".panel").boundingBox())?.height
    await showKeyboard(page, 420)
    expect(await height()).toBe(420)
    await page.evaluate("bubble.close()")
    await showKeyboard(page, phone.height)
    await page.evaluate("bubble.open()")
    expect(await height()).toBe(phone.height)
  })

  test("in a popup is as high as its content, until it has to scroll", async () => {
    const lines = Array.from({ length: 30 }, (_, line) => `Line ${line}`).join("\n")
    const flow = bot(
      { settings: swift },
      group("A", say("Hello"), ask.text(), say("And?"), ask.text(), say(lines), ask.text()),
    )
    const { publicId } = await publishBot(server, flow)
    const page = await visit(`Parley.initPopup({ bot: "${publicId}" }).open()`)
    const field = page.locator("parley-popup form.ask .field")
    const boxes = async () => {
      await field.waitFor()
      const [chat, asked] = [page.locator("parley-popup .chat"), field]
      return { chat: await chat.boundingBox(), field: await asked.boundingBox() }
    }
    const first = await boxes()
    expect(first.chat?.height).toBe(240)
    await type(page, "A name that takes a line of its own")
    await says(page, "And?")
    const second = await boxes()
    expect(second.chat?.y).toBe(first.chat?.y)
    expect(second.chat?.height).toBeGreaterThan(240)
    expect(second.chat?.height).toBeLessThan(400)
    expect(second.field?.y).toBeGreaterThan(first.field?.y ?? 0)
    await type(page, "Yes")
    await says(page, "Line 29")
    const third = await boxes()
    expect(third.chat).toEqual({ ...first.chat, height: (page.viewportSize()?.height ?? 0) - 112 })
    await page.evaluate(`document.querySelector("parley-popup").setAttribute("height", "300px")`)
    expect((await boxes()).chat?.height).toBe(300)
  })

  test("in a popup stays above the keyboard of a phone, with its button", async () => {
    const page = await visit(`Parley.initPopup({ bot: "${publicId}", height: "720px" }).open()`, {
      viewport: phone,
    })
    await says(page, "Hello")
    await showKeyboard(page, 420)
    const close = await page.getByRole("button", { name: "Close chat" }).boundingBox()
    expect(close?.y).toBeGreaterThan(0)
    const dialog = await page.locator("parley-popup .chat").boundingBox()
    expect((dialog?.y ?? 0) + (dialog?.height ?? 0)).toBeLessThan(420)
    await showKeyboard(page, phone.height)
    expect((await page.locator("parley-popup .chat").boundingBox())?.height).toBe(720)
  })
})

/** Leaves this many pixels of a window visible, as keyboards of phones do in some browsers. */
async function showKeyboard(page: Page, height: number): Promise<void> {
  await page.evaluate(`Object.defineProperty(visualViewport, "height", { value: ${height}, configurable: true })
    visualViewport.dispatchEvent(new Event("resize"))`)
}
