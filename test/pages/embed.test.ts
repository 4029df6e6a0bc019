/** Tests chats on sites of other origins, with strict policies and intrusive style sheets. */
import { readFile } from "node:fs/promises"
import axe from "axe-core"
import type { Locator, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { ask, type BotParts, bot, group, onCommand, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { complaintsOf, expectNoComplaints, openViewer } from "./browser.ts"
import { hostSite } from "./hostSite.ts"
import { bubbleFindings, read, stylesOf } from "./inPage.mjs"
import { leadToModel } from "./modelStep.ts"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("an embed", async () => {
  if (!viewer) return
  const server = await pageServer()
  const site = await hostSite(server.address)
  const embed = `<script src="${server.address}/embed.js"></script>`

  const greeting = (parts: BotParts = {}) =>
    bot(
      { ...parts, settings: { ...swift, ...parts.settings } },
      group("A", say("Hi {{Name}}!"), ask.text({ saves: "Town" }), say("{{Town}} is nice.")),
      group("Help", say("Here is help."), ask.text()),
    )

  const publish = async (parts: BotParts = {}) =>
    (await publishBot(server, greeting(parts))).publicId

  async function visit(files: Readonly<Record<string, string>>): Promise<Page> {
    site.serve(files)
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    await page.goto(site.origin)
    return page
  }

  test("works by the lines of the README, under a policy without inline scripts", async () => {
    const publicId = await publish()
    const { html, script } = await readmeLines({ address: server.address, publicId })
    const page = await visit({
      "/": `<!doctype html><title>Shop</title>${html}`,
      "/your.js": script,
    })
    const logged = page.waitForEvent("console", (message) => message.text() === "Rome")
    await answer(page.locator("parley-chat"), "Bern")
    await page.locator("parley-chat").getByText("Bern is nice.").waitFor()
    await page.getByRole("button", { name: "Open chat" }).click()
    const bubble = page.locator("parley-bubble")
    await bubble.getByText("Hi Ann!").waitFor()
    await answer(bubble, "Rome")
    await bubble.getByText("Rome is nice.").waitFor()
    await logged
    expectNoComplaints(page)
  })

  test("stands beside another of the same bot, each with its own conversation", async () => {
    const publicId = await publish()
    const chat = (name: string) =>
      `<parley-chat bot="${publicId}" prefilled-variables='{"Name":"${name}"}'></parley-chat>`
    const page = await visit({ "/": `<!doctype html>${embed}${chat("Ann")}${chat("Bob")}` })
    const [first, second] = [
      page.locator("parley-chat").first(),
      page.locator("parley-chat").last(),
    ]
    await first.getByText("Hi Ann!").waitFor()
    await second.getByText("Hi Bob!").waitFor()
    await answer(second, "Rome")
    await second.getByText("Rome is nice.").waitFor()
    expect(await first.getByText("Rome").count()).toBe(0)
    await answer(first, "Bern")
    await first.getByText("Bern is nice.").waitFor()
    expectNoComplaints(page)
  })

  test("looks the same under any style sheet of the page, and does not change the page", async () => {
    const publicId = await publish()
    const page = await visit({
      "/": `<!doctype html><link rel="stylesheet" href="/rude.css">${embed}<p>Text</p><parley-chat bot="${publicId}"></parley-chat>`,
      "/rude.css": rudeStyles,
    })
    const plain = await visit({
      "/": `<!doctype html>${embed}<p>Text</p><parley-chat bot="${publicId}"></parley-chat>`,
    })
    for (const part of [".host-bubble", ".button.send", "form .field"]) {
      expect(await page.locator(part).evaluate(stylesOf), part).toEqual(
        await plain.locator(part).evaluate(stylesOf),
      )
    }
    expect(await page.locator("p").first().evaluate(stylesOf)).toMatchObject({
      color: "rgb(1, 2, 3)",
    })
    expect(await plain.locator("p").first().evaluate(stylesOf)).toMatchObject({
      color: "rgb(0, 0, 0)",
    })
    expectNoComplaints(page)
  })

  test("fills its container, and has 400 pixels where that has no height", async () => {
    const chat = `<parley-chat bot="${await publish()}"></parley-chat>`
    const page = await visit({
      "/": `<!doctype html><link rel="stylesheet" href="/site.css">${embed}
        <div>${chat}</div><div class="low">${chat}</div><div class="high">${chat}</div><div class="row">${chat}</div>`,
      "/site.css": ".low { height: 300px } .high, .row { height: 700px } .row { display: flex }",
    })
    const chats = page.locator("parley-chat")
    for (const [index, height] of [400, 300, 700, 700].entries()) {
      const chat = chats.nth(index)
      await chat.getByText("Hi !").waitFor()
      expect(await chat.boundingBox()).toMatchObject({ height })
      expect(await chat.locator(".chat").boundingBox()).toMatchObject({ height })
    }
    // A long conversation scrolls within it.
    await answer(chats.first(), "Bern ".repeat(900))
    await chats.first().getByText("is nice.").waitFor()
    expect(await chats.first().boundingBox()).toMatchObject({ height: 400 })
    expectNoComplaints(page)
  })

  test("follows changes of its bot, its theme and its prefilled variables", async () => {
    const publicId = await publish()
    const other = await publishBot(server, bot({ settings: swift }, group("A", say("Another bot"))))
    const page = await visit({
      "/": `<!doctype html>${embed}<parley-chat bot="${publicId}"></parley-chat>`,
    })
    const chat = page.locator("parley-chat")
    const set = (name: string, value: string) =>
      page.evaluate(`document.querySelector("parley-chat").setAttribute("${name}", '${value}')`)
    await chat.getByText("Hi !").waitFor()
    await set("prefilled-variables", '{"Name":"Ann"}')
    await chat.getByText("Hi Ann!").waitFor()
    expect(await chat.locator(".host-bubble").count()).toBe(1)
    await page.evaluate(
      `document.querySelector("parley-chat").setPrefilledVariables({ Name: "Eve" })`,
    )
    await chat.getByText("Hi Eve!").waitFor()
    await set("theme", '{"general":{"background":{"type":"Color","content":"#123524"}}}')
    await chat.locator(".chat.dark").waitFor()
    await answer(chat, "Rome")
    await chat.getByText("Rome is nice.").waitFor()
    // A conversation is not thrown away for a variable.
    await set("prefilled-variables", '{"Name":"Bob"}')
    expect(await chat.getByText("Hi Eve!").count()).toBe(1)
    await set("bot", other.publicId)
    await chat.getByText("Another bot").waitFor()
    expect(await chat.locator(".host-bubble").count()).toBe(1)
    expect(await chat.locator(".chat.dark").count()).toBe(1)
    expectNoComplaints(page)
  })

  test("changes the side and the colour of its button", async () => {
    const page = await visit({
      "/": `<!doctype html>${embed}<parley-bubble bot="${await publish()}"></parley-bubble>`,
    })
    const button = page.getByRole("button", { name: "Open chat" })
    const left = async () => (await button.boundingBox())?.x
    const set = (name: string, value: string) =>
      page.evaluate(
        `document.querySelector("parley-bubble").setAttribute("${name}", ${JSON.stringify(value)})`,
      )
    expect(await left()).toBeGreaterThan(600)
    await set("placement", "left")
    await set("color", "#00ff00")
    await set("button-size", "72px")
    expect(await button.boundingBox()).toMatchObject({ x: 20, width: 72, height: 72 })
    expect(await button.evaluate(stylesOf)).toMatchObject({ backgroundColor: "rgb(0, 255, 0)" })
    await set("theme", '{"placement":"right","button":{"backgroundColor":"#ff0000"}}')
    expect(await left()).toBeGreaterThan(600)
    expect(await button.evaluate(stylesOf)).toMatchObject({ backgroundColor: "rgb(255, 0, 0)" })
  })

  test.each([
    ["title", "Ann of the shop", { metadata: { title: "Ann of the shop" } }],
    ["name", "Test", {}],
  ])("of a bubble fills a phone, with avatar, %s and a button to close it", async (_, shown, settings) => {
    const publicId = await publish({ settings })
    const page = await visit({
      "/": `<!doctype html><html lang="en"><title>Shop</title>
        <meta name="viewport" content="width=device-width">${embed}
        <parley-bubble bot="${publicId}"></parley-bubble>`,
    })
    await page.setViewportSize({ width: 390, height: 844 })
    const bubble = page.locator("parley-bubble")
    await page.getByRole("button", { name: "Open chat" }).click()
    await bubble.getByText("Hi !").waitFor()
    expect(await bubble.locator(".panel").boundingBox()).toEqual({
      ...{ x: 0, y: 0 },
      ...{ width: 390, height: 844 },
    })
    expect(await bubble.locator(".bar").innerText()).toBe(shown)
    expect(await bubble.locator(".bar .face").count()).toBe(1)
    await page.evaluate(axe.source)
    expect(await page.evaluate(bubbleFindings)).toEqual([])
    await page.evaluate(`Object.defineProperty(visualViewport, "height", { value: 420 })
      visualViewport.dispatchEvent(new Event("resize"))`)
    expect(await bubble.locator(".panel").boundingBox()).toMatchObject({ y: 0, height: 420 })
    await page.getByRole("button", { name: "Close chat" }).click()
    await page.getByRole("button", { name: "Open chat" }).waitFor()
    expect(await bubble.locator(".panel").isVisible()).toBe(false)
    expectNoComplaints(page)
  })

  test("shows a preview message, and counts messages while closed", async () => {
    const flow = bot(
      { settings: swift },
      group("A", say("One"), say("Two"), say("Three"), ask.text()),
    )
    const { publicId } = await publishBot(server, flow)
    const page = await visit({
      "/": `<!doctype html><html lang="en"><title>Shop</title>${embed}<script src="/page.js"></script>`,
      "/page.js": `bubble = Parley.initBubble({ bot: "${publicId}", width: "500px", height: "50vh",
        buttonSize: "72px", previewMessage: { message: "Any <b>questions</b>?", autoShowDelay: 0 } })`,
    })
    // Screen readers announce it.
    const preview = page.getByRole("status").locator(".preview")
    await preview.getByText("Any <b>questions</b>?").waitFor()
    await page.evaluate(axe.source)
    expect(await page.evaluate(bubbleFindings)).toEqual([])
    await page.getByRole("button", { name: "Hide message" }).click()
    expect(await preview.count()).toBe(0)
    await page.evaluate(`bubble.open(); bubble.close()`)
    const button = page.getByRole("button", { name: "Open chat (3)" })
    await button.waitFor()
    expect(await page.locator("parley-bubble .unread").innerText()).toBe("3")
    expect(await button.boundingBox()).toMatchObject({ width: 72, height: 72 })
    await page.evaluate(`bubble.showPreviewMessage({ message: "Hello there" })`)
    await page.getByRole("button", { name: "Hello there" }).click()
    await page.locator("parley-bubble").getByText("Three").waitFor()
    expect(await preview.count()).toBe(0)
    const panel = await page.locator("parley-bubble .panel").boundingBox()
    expect(panel).toMatchObject({ width: 500, height: 360 })
    await page.locator("parley-bubble .toggle").click()
    await page.getByRole("button", { name: "Open chat", exact: true }).waitFor()
    expectNoComplaints(page)
  })

  test("talks where the bot allows it, and says so elsewhere", async () => {
    const allowed = (origin: string) =>
      publish({ settings: { security: { allowedOrigins: [origin] } } })
    const [here, elsewhere] = await Promise.all([
      allowed(site.origin),
      allowed("https://shop.example"),
    ])
    const page = await visit({
      "/": `<!doctype html>${embed}<parley-chat bot="${here}"></parley-chat><parley-chat bot="${elsewhere}"></parley-chat>`,
    })
    // Of either load: the body of the first one is gone with its page.
    const refused = page.waitForResponse((response) => response.url().includes(elsewhere))
    await page.reload()
    expect((await refused).status()).toBe(403)
    await page.locator("parley-chat").first().getByText("Hi !").waitFor()
    const words = "This chat is not allowed on this website."
    await page.locator("parley-chat").last().getByText(words).waitFor()
    // The bot's page on the origin of the service is ours.
    await page.goto(`${server.address}/chat/${elsewhere}`)
    await answer(page.locator("parley-chat"), "Rome")
    await page.locator("parley-chat").getByText("Rome is nice.").waitFor()
  })

  test("a framed chat page talks where the bot allows the page around it", async () => {
    const allowed = (origin: string) =>
      publish({ settings: { security: { allowedOrigins: [origin] } } })
    const [here, elsewhere] = await Promise.all([
      allowed(site.origin),
      allowed("https://shop.example"),
    ])
    const frame = (id: string) => `<iframe src="${server.address}/chat/${id}"></iframe>`
    const page = await visit({ "/": `<!doctype html>${frame(here)}${frame(elsewhere)}` })
    await page.frameLocator("iframe >> nth=0").getByText("Hi !").waitFor()
    const foreign = page.frameLocator("iframe >> nth=1")
    await foreign.getByText("not allowed on this website").waitFor()
    expect(await foreign.locator("parley-chat").count()).toBe(0)
  })

  test("opens and closes by keyboard, by script and beside itself, and takes commands", async () => {
    const { publicId } = await publishBot(
      server,
      greeting({ events: [onCommand("help", "Help", { resumeAfter: false })] }),
    )
    const page = await visit({
      "/": `<!doctype html>${embed}<script src="/page.js"></script>`,
      "/page.js": `events = []
        popup = Parley.initPopup({ bot: "${publicId}", onEvent: ({ type }) => events.push(type) })
        bubble = Parley.initBubble({ bot: "${publicId}" })
        ended = new Promise((resolve) => bubble.onEnd(resolve))`,
    })
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    const bubble = page.locator("parley-bubble")
    await bubble.getByText("Hi !").waitFor()
    await page.evaluate(`bubble.sendCommand("help")`)
    await bubble.getByText("Here is help.").waitFor()
    await page.keyboard.press("Escape")
    await bubble.getByRole("button", { name: "Open chat" }).waitFor()
    await page.evaluate(`popup.setPrefilledVariables({ Name: "Eve" }); popup.open()`)
    await page.locator("parley-popup").getByText("Hi Eve!").waitFor()
    await page.mouse.click(5, 5)
    const seen = ["open", "start", "message", "close"]
    await expect.poll(() => page.evaluate(read, "events")).toEqual(seen)
    expectNoComplaints(page)
  })

  test("continues when a listener of the page fails, and calls the others", async () => {
    const publicId = await publish()
    const page = await visit({
      "/": `<!doctype html>${embed}<script src="/page.js"></script>`,
      "/page.js": `heard = []
        const fail = () => { throw new Error("a mistake of the page") }
        const chat = Parley.initStandard({ bot: "${publicId}", onEvent: fail })
        chat.onMessage(fail)
        chat.element.listen(({ type }) => heard.push(type))`,
    })
    const chat = page.locator("parley-chat")
    await answer(chat, "Rome")
    await chat.getByText("Rome is nice.").waitFor()
    const all = ["start", "message", "answer", "message", "end"]
    await expect.poll(() => page.evaluate(read, "heard")).toEqual(all)
    const mistake = "Error: a mistake of the page"
    expect([...new Set(complaintsOf(page))]).toEqual([mistake])
  })

  test.each([
    ["as such", false, "bold"],
    ["as text where the page forbids the reader", true, "**bold**"],
  ])("shows the Markdown of a model %s", async (_, isForbidden, bold) => {
    const page = await visit({ "/": `<!doctype html><p>Later` })
    if (isForbidden) await page.route("**/on-demand.js?*", (route) => route.abort())
    await leadToModel(page)
    site.serve({
      "/": `<!doctype html>${embed}<parley-chat bot="${await publish()}"></parley-chat>`,
    })
    await page.reload()
    const written = "Words in **bold**\n\n| Plan | Price |\n| --- | --: |\n| Pro | 9 |"
    await page.route("**/streamMessage", (route) =>
      route.fulfill({ body: `0:${JSON.stringify(written)}\n` }),
    )
    const chat = page.locator("parley-chat")
    await answer(chat, "go")
    const bubble = chat.locator(".host-bubble").filter({ hasText: "Words" })
    await bubble.waitFor()
    expect(await bubble.innerText()).toContain(`Words in ${bold}`)
    expect(await bubble.locator("td").allInnerTexts()).toEqual(isForbidden ? [] : ["Pro", "9"])
    if (!isForbidden) expectNoComplaints(page)
  })

  test("asks on after a command that the bot does not know", async () => {
    const publicId = await publish()
    const page = await visit({
      "/": `<!doctype html>${embed}<parley-chat bot="${publicId}"></parley-chat>`,
    })
    const chat = page.locator("parley-chat")
    await chat.locator("form .field").waitFor()
    const refused = page.waitForResponse((response) => response.status() === 400)
    await page.evaluate(`document.querySelector("parley-chat").sendCommand("nonsense")`)
    await refused
    await answer(chat, "Rome")
    await chat.getByText("Rome is nice.").waitFor()
    expect(await chat.getByRole("alert").count()).toBe(0)
  })

  test("is opened by a script in the head, before there is a body", async () => {
    const publicId = await publish()
    const page = await visit({
      "/": `<!doctype html><head>${embed}<script src="/page.js"></script></head><p>Text</p>`,
      "/page.js": `Parley.initPopup({ bot: "${publicId}" }).open()`,
    })
    await page.locator("parley-popup").getByText("Hi !").waitFor()
    expectNoComplaints(page)
  })
})

async function answer(chat: Locator, text: string): Promise<void> {
  await chat.locator("form .field").fill(text)
  await chat.getByRole("button", { name: "Send" }).click()
}

/** The HTML from the README, with another address and another bot. */
async function readmeLines({ address, publicId }: { address: string; publicId: string }) {
  const text = await readFile("README.md", "utf8")
  const section = text.slice(text.indexOf("## Put it on your site"))
  const [, html = "", script = ""] = /```html\n(.*?)```.*?```js\n(.*?)```/s.exec(section) ?? []
  const adapted = (lines: string) =>
    lines.replaceAll("http://localhost:3000", address).replaceAll("newsletter", publicId)
  return { html: adapted(html), script: adapted(script) }
}

const rudeStyles = `* { display: none !important; color: red !important; font-size: 60px !important;
  margin: 30px !important; transform: rotate(9deg) !important; visibility: hidden !important }
html, body, p { display: block !important; transform: none !important; visibility: visible !important }
p { color: rgb(1, 2, 3) !important }
html { direction: rtl; letter-spacing: 9px; text-transform: uppercase; line-height: 4 }
parley-chat { opacity: 0 !important; color: red; font: 40px fantasy }
.bubble, .button, input { border: 9px solid red !important; background: red !important }`
