/** Tests details of how chats look: focus, icons, flags, cards, files, and keyboards of phones. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { ask, bot, type Draft, group, say, show } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { openLatch, until } from "../support/waiting.ts"
import { expectNoComplaints, openViewer, says, type, type Viewer } from "./browser.ts"
import { isMuted, styleOf } from "./inPage.mjs"
import { pageServer, swift } from "./pageServer.ts"
import { serveMedia } from "./showcase.ts"

const viewer = await openViewer()

const phone = { width: 390, height: 844 }

describe.skipIf(!viewer)("a chat looks finished:", async () => {
  if (!viewer) return
  const server = await pageServer()

  const publish = async (...inputs: Draft[]) => {
    const flow = bot({ settings: swift }, group("A", say("Hello"), ...inputs, say("Done")))
    return (await publishBot(server, flow)).publicId
  }

  async function open(input: Draft, options: Parameters<Viewer["open"]>[0] = {}): Promise<Page> {
    const page = await viewer?.open({ reducedMotion: "reduce", ...options })
    if (!page) throw new Error("There is no browser")
    await serveMedia(page)
    await page.goto(`${server.address}/chat/${await publish(input)}`)
    await says(page, "Hello")
    return page
  }

  const boxOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).boundingBox()
    if (!box) throw new Error(`${selector} is not shown`)
    return box
  }

  test("a file that could not be uploaded can be tried again", async () => {
    const page = await open(ask.file())
    await page.route(
      "**/generate-upload-url",
      (route) => route.fulfill({ status: 500, body: "" }),
      {
        times: 1,
      },
    )
    const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("some words") }
    await page.locator(".drop input").setInputFiles(file)
    await page.getByText("The file could not be uploaded.").waitFor()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.locator(".file-done").waitFor()
    expect(await page.getByText("The file could not be uploaded.").count()).toBe(0)
    await page.locator("button.send").click()
    await says(page, "Done")
  })

  test.each([
    ["image", "Picture"],
    ["video", "Video"],
    ["audio", "Sound"],
  ] as const)("says that an %s could not be loaded", async (kind, name) => {
    const media = show(kind, { url: `${server.address}/nothing` })
    const flow = bot({ settings: swift }, group("A", say("Hello"), media, ask.text()))
    const { publicId } = await publishBot(server, flow)
    const page = await viewer.open()
    await page.goto(`${server.address}/chat/${publicId}`)
    await page.getByText(`${name}: could not be loaded`).waitFor()
  })

  test("offers a file by its name, with its size", async () => {
    const url = `${server.address}/nothing/Price%20list.pdf`
    const page = await open(show("file", { url, size: 1_234_567, caption: "As of today" }))
    await page.getByText("As of today").waitFor()
    const link = page.getByRole("link", { name: "Price list.pdf 1.2 MB" })
    expect(await link.getAttribute("href")).toBe(url)
  })

  test("opens a message that is taller than the window at its beginning", async () => {
    const words = Array.from({ length: 80 }, (_, index) => `Line ${index}.`).join("\n")
    const flow = bot(
      { settings: swift },
      group("A", ask.text(), say(words, { id: "tall" }), ask.text()),
    )
    const { publicId } = await publishBot(server, flow)
    const page = await viewer.open()
    await page.goto(`${server.address}/chat/${publicId}`)
    await type(page, "Go on")
    await page.getByText("Line 79.").waitFor()
    await page.locator("form.ask .field").waitFor()
    const tall = page.locator(".bubble", { hasText: "Line 0." })
    await until(async () => ((await tall.boundingBox())?.y ?? -1) >= 0)
    expect((await tall.boundingBox())?.y).toBeLessThan(200)
  })

  test("a field has no ring on load, and one once the keyboard is used", async () => {
    const page = await open(ask.text())
    const field = page.locator("form.ask .field")
    await expect.poll(() => field.evaluate((node) => node.matches(":focus"))).toBe(true)
    expect(await field.evaluate(styleOf, "outlineStyle")).toBe("none")
    await page.keyboard.press("a")
    expect(await field.evaluate(styleOf, "outlineStyle")).toBe("solid")
  })

  test("a choice has no ring on load, and one once the keyboard is used", async () => {
    const page = await open(ask.choice(["Bern", "Basel"]))
    const choice = page.getByRole("button", { name: "Bern" })
    await expect.poll(() => choice.evaluate((node) => node.matches(":focus"))).toBe(true)
    expect(await choice.evaluate(styleOf, "outlineStyle")).toBe("none")
    await page.keyboard.press("Shift")
    expect(await choice.evaluate(styleOf, "outlineStyle")).toBe("solid")
  })

  test("the ring around a choice in the dark is as light as that of a field", async () => {
    const input = ask.choice(["Bern", "Basel"], { isMultipleChoice: true })
    const page = await open(input, { colorScheme: "dark" })
    const ring = "rgb(157, 176, 255) solid 3px"
    await page.locator(".choice input").first().focus()
    await page.keyboard.press("Shift")
    expect(await page.locator(".choice").first().evaluate(styleOf, "outline")).toBe(ring)
  })

  test("the icons of a long field are at one edge, and Send at the other", async () => {
    const on = { isEnabled: true }
    const page = await open(ask.text({ isLong: true, attachments: on, audioClip: on }))
    const text = await boxOf(page, "textarea")
    const attach = await boxOf(page, "button[aria-label='Attach files']")
    const record = await boxOf(page, "button[aria-label='Record']")
    const send = await boxOf(page, "button.send")
    expect(attach.x).toBe(text.x)
    expect(record.x).toBeLessThan(attach.x + attach.width + 10)
    expect(send.x + send.width).toBe(text.x + text.width)
  })

  test("a button with an icon alone is a square, with any border", async () => {
    const on = { isEnabled: true }
    const buttons = { border: { thickness: 3, color: "#123524" } }
    const question = ask.text({ isLong: true, attachments: on })
    const flow = bot({ settings: swift, theme: { chat: { buttons } } }, group("A", question))
    const page = await viewer.open()
    await page.goto(`${server.address}/chat/${(await publishBot(server, flow)).publicId}`)
    const { width, height } = await boxOf(page, "button[aria-label='Attach files']")
    expect(height).toBe(width)
  })

  test("a phone number has a flag, and Send beside it on a phone", async () => {
    const page = await open(ask.phone({ defaultCountryCode: "FR" }), { viewport: phone })
    expect(await page.locator(".country > span").textContent()).toBe("🇫🇷 +33")
    const field = await boxOf(page, ".phone")
    expect((await boxOf(page, "button.send")).y).toBe(field.y)
  })

  test("a started player continues when messages follow", async () => {
    const page = await viewer.open()
    const loaded: string[] = []
    await page.route("https://www.youtube-nocookie.com/**", (route) => {
      loaded.push(route.request().url())
      return route.fulfill({ contentType: "text/html", body: "A player" })
    })
    await serveMedia(page)
    const media = [
      ...[show("audio", { url: "https://media.example/a.mp3" }), say("Listen")],
      ...[show("video", { url: "https://media.example/v.mp4" }), say("Look"), ask.text()],
      ...[show("video", { url: "https://youtu.be/abc", areControlsDisplayed: false }), ask.text()],
    ]
    await page.goto(`${server.address}/chat/${await publish(...media)}`)
    await type(page, "Go on")
    for (const kind of ["audio", "video"]) {
      expect(await page.locator(kind).getAttribute("autoplay"), kind).not.toBeNull()
    }
    // It would be loud all of a sudden.
    expect(await page.locator("video").evaluate(isMuted)).toBe(true)
    await page.frameLocator("iframe").getByText("A player").waitFor()
    await type(page, "Go on")
    await says(page, "Done")
    await page.frameLocator("iframe").getByText("A player").waitFor()
    expect(loaded[0]).toBe("https://www.youtube-nocookie.com/embed/abc?autoplay=1&controls=0")
    expect(await page.locator("iframe").getAttribute("src")).toBe(loaded[0])
    expect(loaded).toHaveLength(1)
  })

  test("the answer to a card shows its picture", async () => {
    const paths = [{ id: "a", text: "Book it" }]
    const imageUrl = "https://media.example/0.svg"
    const page = await open(ask.cards({ items: [{ id: "c", title: "Flat", imageUrl, paths }] }))
    await page.getByRole("button", { name: "Book it" }).click()
    await says(page, "Done")
    expect(await page.locator(".guest-bubble img").getAttribute("src")).toBe(imageUrl)
    expectNoComplaints(page)
  })

  test("a file that has arrived has a check mark, a picture shows itself, and the answer names both", async () => {
    const page = await open(ask.file({ isMultipleAllowed: true }))
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    )
    await page.locator(".drop input").setInputFiles([
      { name: "dot.png", mimeType: "image/png", buffer: png },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("words") },
    ])
    await page.locator(".file", { hasText: "dot.png" }).locator(".file-done img").waitFor()
    const notes = page.locator(".file", { hasText: "notes.txt" })
    await notes.locator(".file-done svg").waitFor()
    // Said to screen readers, too.
    expect(await page.locator("[aria-live] .file-done").count()).toBe(2)
    expect(await notes.locator("img").count()).toBe(0)
    expect(await page.locator("progress").count()).toBe(0)
    await page.locator("button.send").click()
    await says(page, "Done")
    expect(await page.locator(".sent").allInnerTexts()).toEqual(["dot.png", "notes.txt"])
    expect(await page.locator(".sent img").count()).toBe(1)
    expectNoComplaints(page)
  })

  test("a file that is removed before it is on its way is not sent", async () => {
    const page = await open(ask.file({ isMultipleAllowed: true }))
    const removed = openLatch()
    const sent: string[] = []
    page.on("request", (request) => {
      const body = request.postData() ?? ""
      if (body.includes("form-data")) sent.push(/filename="([^"]*)"/.exec(body)?.[1] ?? "")
    })
    await page.route("**/generate-upload-url", async (route) => {
      await removed.isOpen
      await route.continue()
    })
    const pick = (name: string) =>
      page
        .locator(".drop input")
        .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(name) })
    await pick("secret.txt")
    await page.getByRole("button", { name: "Remove secret.txt" }).click()
    removed.open()
    await pick("notes.txt")
    await page.locator(".file-done").waitFor()
    expect(sent).toEqual(["notes.txt"])
  })

  test("removing files by keyboard moves the focus to the field", async () => {
    const page = await open(ask.file({ isMultipleAllowed: true }))
    const picker = page.locator(".drop input")
    const isAtPicker = () => picker.evaluate((node) => node.matches(":focus"))
    for (const name of ["Remove notes.txt", "Clear"]) {
      const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("words") }
      await picker.setInputFiles(file)
      await page.locator(".file-done").waitFor()
      await page.getByRole("button", { name }).press("Enter")
      await page.locator(".file-done").waitFor({ state: "detached" })
      expect(await isAtPicker(), name).toBe(true)
    }
  })

  test("no keyboard of a phone mends an address as it mends words", async () => {
    const page = await open(ask.email())
    const field = page.locator("form.ask .field")
    await field.waitFor()
    const given = { autocapitalize: "none", autocorrect: "off", spellcheck: "false" }
    for (const [name, value] of Object.entries(given)) {
      expect(await field.getAttribute(name)).toBe(value)
    }
  })

  test("a popup stays open when text in it is selected to beyond its edge", async () => {
    const page = await viewer.open()
    const popup = `<parley-popup bot="${await publish(ask.text())}"></parley-popup>`
    const body = `<!doctype html>${popup}<script src="/embed.js"></script>`
    await page.route("**/shop", (route) => route.fulfill({ contentType: "text/html", body }))
    await page.goto(`${server.address}/shop`)
    await page.evaluate(`document.querySelector("parley-popup").open()`)
    await page.locator("form.ask .field").fill("Some words")
    const { x, y } = await boxOf(page, "form.ask .field")
    await page.mouse.move(x + 90, y + 20)
    await page.mouse.down()
    await page.mouse.move(5, y + 20)
    await page.mouse.up()
    await page.locator("button.send").click()
    await says(page, "Done")
  })

  test("the keyboard of a phone does not cover the field", async () => {
    const page = await open(ask.text(), { viewport: phone })
    await page.evaluate(`Object.defineProperty(visualViewport, "height", { value: 420 })
      visualViewport.dispatchEvent(new Event("resize"))`)
    expect(await boxOf(page, "parley-chat")).toMatchObject({ y: 0, height: 420 })
    const send = await boxOf(page, "button.send")
    expect(send.y + send.height).toBeLessThan(420)
  })
})
