/** Tests how chats look and sound: to screen readers, on narrow screens, from right to left, without motion. */
import { readFile } from "node:fs/promises"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { request } from "undici"
import { describe, expect, test } from "vitest"
import { blockTypes } from "../../src/engine/blocks/registry.ts"
import { ask, type BotParts, bot, group, say, show } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { openLatch } from "../support/waiting.ts"
import {
  conversationOf,
  expectNoComplaints,
  openViewer,
  says,
  type,
  type Viewer,
} from "./browser.ts"
import { colorsOf, cutOff, findingsOf, movesIn, noteShifts, read } from "./inPage.mjs"
import { pageServer } from "./pageServer.ts"
import { answerAll, serveMedia, showcase } from "./showcase.ts"

const viewer = await openViewer()

const progressBar = { isEnabled: true }
const light: BotParts = { theme: { general: { progressBar } } }
const withPictures: BotParts = {
  theme: { general: { progressBar }, chat: { guestAvatar: { isEnabled: true } } },
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
/** The width of a page in a window of 1280 pixels at 400 %, the narrowest that WCAG 2.2 requires. */
const zoomed = { width: 320, height: 512 }
const halved = { width: 640, height: 400 }

describe.skipIf(!viewer)("a chat page", async () => {
  if (!viewer) return
  const server = await pageServer()

  async function open(parts: BotParts, options: Parameters<Viewer["open"]>[0]): Promise<Page> {
    const { publicId } = await publishBot(server, showcase(parts))
    const page = await viewer?.open(options)
    if (!page) throw new Error("There is no browser")
    await serveMedia(page)
    await page.goto(`${server.address}/chat/${publicId}`)
    return page
  }

  test.each([
    ["light on a desktop", light, { viewport: desktop }],
    ["dark on a phone", withPictures, { viewport: phone, colorScheme: "dark" as const }],
  ])("has nothing that axe finds, %s", async (_, parts, options) => {
    const page = await open(parts, options)
    await page.evaluate(axe.source)
    await answerAll(page, async (place) => {
      const found = await page.locator(".chat").evaluate(findingsOf, place === "the end")
      expect(found, place).toEqual([])
    })
    expectNoComplaints(page)
  })

  test.each([
    ["a grey that is neither light nor dark", "#8a8a8a", undefined, false],
    ["a white box before a dark background", "#123524", "#ffffff", false],
    ["a dark box before a light background", "#f4f4f4", "#20242e", true],
  ])("can be read on %s", async (_, content, backgroundColor, isDark) => {
    const container = { backgroundColor }
    const theme = { general: { background: { type: "Color", content } }, chat: { container } }
    const labels = { left: "Never", right: "For sure" }
    const flow = bot({ theme }, group("A", say("How likely?"), ask.rating({ labels })))
    const { publicId } = await publishBot(server, flow)
    const page = await viewer.open({ viewport: phone })
    await page.goto(`${server.address}/chat/${publicId}`)
    await page.locator("form.ask").waitFor()
    await page.evaluate(axe.source)
    expect(await page.locator(".chat").evaluate(findingsOf, true)).toEqual([])
    expect(await page.locator(".chat.dark").count()).toBe(isDark ? 1 : 0)
  })

  test.each([
    ["at 200 %", halved],
    ["at 400 %", zoomed],
  ])("cuts nothing off %s", async (_, viewport) => {
    const page = await open(light, { viewport })
    await answerAll(page, async (place) =>
      expect(await page.locator(".chat").evaluate(cutOff), place).toEqual([]),
    )
  })

  test.each([
    [
      "beside a rating",
      ask.rating({ labels: { left: "Unwahrscheinlicher", right: "Höchstwahrscheinlich" } }),
    ],
    ["above a date", ask.date({ isRange: true, labels: { from: "Word".repeat(30) } })],
  ])("breaks words that are longer than a narrow screen %s", async (_, input) => {
    const { publicId } = await publishBot(server, bot(group("A", say("How likely?"), input)))
    const page = await viewer.open({ viewport: zoomed })
    await page.goto(`${server.address}/chat/${publicId}`)
    await page.locator("form.ask").waitFor()
    expect(await page.locator(".chat").evaluate(cutOff)).toEqual([])
  })

  test.each([
    ["a phone number", ask.phone()],
    ["a moment", ask.date({ hasTime: true })],
  ])("has room for %s in letters of twice the size", async (_, input) => {
    const theme = { customCss: ".chat { font-size: 32px }" }
    const { publicId } = await publishBot(server, bot({ theme }, group("A", say("Hello"), input)))
    const page = await viewer.open({ viewport: { width: 375, height: 667 } })
    await page.goto(`${server.address}/chat/${publicId}`)
    await page.locator("form.ask").waitFor()
    expect(await page.locator(".chat").evaluate(cutOff)).toEqual([])
    const field = await page.locator("form.ask input").boundingBox()
    expect(field?.width).toBeGreaterThan(150)
  })

  test("moves nothing for people who asked for that", async () => {
    const page = await open(light, { viewport: phone })
    await page.locator("form.ask").waitFor()
    expect(await page.locator(".chat").evaluate(movesIn)).toEqual([])
  })

  test.each([
    ["number", {}],
    ["star", { buttonType: "Icons" }],
  ])("shows which %s is chosen where the system has a few colours of its own", async (_, how) => {
    const flow = bot(group("A", say("How likely?"), ask.rating({ length: 3, ...how })))
    const { publicId } = await publishBot(server, flow)
    const page = await viewer.open({ forcedColors: "active" })
    await page.goto(`${server.address}/chat/${publicId}`)
    const marks = page.locator(".mark")
    await marks.first().click()
    const [chosen, other] = await Promise.all([
      marks.first().evaluate(colorsOf),
      marks.last().evaluate(colorsOf),
    ])
    expect(chosen).not.toEqual(other)
  })

  test("runs from right to left for texts that do", async () => {
    const arabic = bot(group("A", say("مرحبا! ما اسمك؟"), ask.text(), say("شكرا لك")))
    const { publicId } = await publishBot(server, arabic)
    const page = await viewer.open({ viewport: phone })
    await page.goto(`${server.address}/chat/${publicId}`)
    await type(page, "أحمد")
    await says(page, "شكرا لك")
    const [asked, answered] = await Promise.all([
      page.locator(".host-bubble").first().boundingBox(),
      page.locator(".guest-bubble").first().boundingBox(),
    ])
    expect((asked?.x ?? 0) + (asked?.width ?? 0)).toBeGreaterThan(300)
    expect(answered?.x).toBeLessThan(40)
  })

  test("shifts nothing when messages, pictures and questions arrive", async () => {
    const texts = ["One", "Two words", "Three more words"].map((text) => say(text))
    const picture = show("image", { url: "https://media.example/0.svg" })
    const flow = bot(
      group("A", picture, ...texts, ask.choice(["Yes"]), ...texts, ask.text(), say("Done")),
    )
    const { publicId } = await publishBot(server, flow)
    const page = await viewer.open({ viewport: phone, reducedMotion: "no-preference" })
    await page.clock.install()
    await serveMedia(page)
    // Pictures load later than texts.
    const isLoading = openLatch()
    const hasAsked = openLatch()
    await page.route("https://media.example/**", async (route) => {
      isLoading.open()
      await hasAsked.isOpen
      await route.fallback()
    })
    await page.addInitScript(noteShifts)
    await page.goto(`${server.address}/chat/${publicId}`)
    await isLoading.isOpen
    // The longest wait for a picture.
    await page.clock.fastForward(4_000)
    await page.getByRole("button", { name: "Yes" }).click()
    hasAsked.open()
    await type(page, "An answer")
    await says(page, "Done")
    expect(await page.evaluate(read, "shifts")).toEqual([])
  })

  test("leads a conversation", async () => {
    const { publicId } = await publishBot(
      server,
      bot(
        group(
          "Hello",
          say("What is your name?"),
          ask.text({ saves: "Name" }),
          say("Hi {{Name}}! Your e-mail?"),
          ask.email({ saves: "Email" }),
          say("We write to {{Email}}."),
        ),
      ),
    )
    const page = await viewer.open({ reducedMotion: "no-preference" })
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "What is your name?")
    await type(page, "Ann")
    await says(page, "Your e-mail?")
    await type(page, "nonsense")
    await says(page, "type it again")
    await type(page, "Ann@Example.com")
    await says(page, "We write to ann@example.com.")
    expect(await conversationOf(page)).toEqual([
      "What is your name?",
      "Ann",
      "Hi Ann! Your e-mail?",
      "nonsense",
      "This does not look like an email address. Could you type it again?",
      "ann@example.com",
      "We write to ann@example.com.",
    ])
    expectNoComplaints(page)
  })

  test("shows every type of message and input in the showcase", () => {
    const shown = showcase().groups.flatMap(({ blocks }) => blocks.map(({ type }) => type))
    const types = Object.entries(blockTypes).filter(([, { kind }]) => /bubble|input/.test(kind))
    // Only a browser with a stand-in for Stripe shows payments: paying.test.ts.
    const missing = types.map(([type]) => type).filter((type) => !shown.includes(type as never))
    expect(missing, "add it to test/pages/showcase.ts").toEqual(["payment input"])
  })

  test("loads less than 40 kB", async () => {
    // Brotli, as all browsers that run it load it.
    const headers = { "accept-encoding": "br" }
    const script = await request(`${server.address}/embed.js`, { headers })
    expect(script.headers["content-encoding"]).toBe("br")
    const { byteLength } = await script.body.bytes()
    expect(byteLength, "embed.js: move code to src/pages/chat/onDemand.ts").toBeLessThan(40_000)
    const html = await (await fetch(`${server.address}/chat/demo`)).text()
    expect(
      [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address),
    ).toEqual([expect.stringContaining("icon.svg"), expect.stringMatching(/^\/embed\.js\?v=/)])
    expect(await readFile("dist/pages/embed.js", "utf8")).not.toContain("https://fonts.gstatic")
  })
})
