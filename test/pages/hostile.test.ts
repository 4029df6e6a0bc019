/** Texts of authors, visitors and models that try to become more: nothing runs, nothing loads. */
import { describe, expect, test } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import { ask, bot, group, p, say, sayRich, show } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { complaintsOf, openViewer, says, type } from "./browser.ts"
import { addressesIn, pointAtEverything, read, watch } from "./inPage.mjs"
import { pageServer } from "./pageServer.ts"
import { data, links, payloads, styles } from "./payloads.ts"

const viewer = await openViewer()

const settings = { typingEmulation: { enabled: false } }

describe.skipIf(!viewer)("hostile texts", async () => {
  if (!viewer) return
  const server = await pageServer()

  /** A page that notes what runs, what it loads, and what its policy reports. */
  async function open(flow: Flow, query = "") {
    const { publicId } = await publishBot(server, flow)
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    const loaded: string[] = []
    page.on("request", (request) => {
      const url = request.url()
      if (!url.startsWith(server.address)) loaded.push(url)
    })
    await page.addInitScript(watch)
    await page.goto(`${server.address}/chat/${publicId}${query}`)
    const expectHarmless = async () => {
      expect(await page.evaluate(read, "happened")).toEqual([])
      expect(loaded).toEqual([])
      expect(complaintsOf(page)).toEqual([])
    }
    return { page, expectHarmless }
  }

  test("there are 200 of them", () => {
    expect(new Set(payloads).size).toBeGreaterThanOrEqual(200)
  })

  test("of authors are shown as they are, as texts of every kind", async () => {
    const blocks = payloads.flatMap((text) => [
      say(text),
      sayRich([
        { type: "p", children: [{ type: "a", url: text, children: [{ text: "a link" }] }] },
      ]),
    ])
    const { page, expectHarmless } = await open(
      bot({ settings }, group("A", ...blocks, ask.choice(payloads), say("End"))),
    )
    await page.locator(".options").waitFor()
    const shown = await page.locator(".host-bubble").allTextContents()
    expect(shown).toHaveLength(payloads.length * 2)
    expect(shown).toContain("<script>ran()</script>")
    const targets = await page.locator(".chat").evaluate(addressesIn)
    expect(targets.filter((target) => !/^https?:/.test(target))).toEqual([])
    await page.locator(".chat").evaluate(pointAtEverything)
    await page.locator(".options .button").first().click()
    await says(page, "End")
    await expectHarmless()
  })

  test("lead nowhere as links, pictures, clips and pages", async () => {
    const blocks = [...links, ...data].flatMap((url) => [
      show("image", { url, clickLink: { url } }),
      show("audio", { url }),
      show("video", { url, type: "url" }),
      show("embed", { url }),
    ])
    const { page, expectHarmless } = await open(
      bot({ settings }, group("A", ...blocks, say("Done"), ask.text())),
    )
    await says(page, "Done")
    const found = await page.locator(".chat").evaluate(addressesIn)
    expect(found).toEqual([])
    await expectHarmless()
  })

  test("of visitors stay texts, from the address and from the keyboard", async () => {
    const texts = payloads.filter((_, at) => at % 10 === 0)
    const flow = bot(
      { settings },
      group(
        "A",
        say("Hi {{Name}}"),
        ...texts.flatMap(() => [ask.text({ saves: "T" }), say("{{T}}!")]),
      ),
    )
    const name = "<img src=x onerror=ran()>"
    const { page, expectHarmless } = await open(flow, `?Name=${encodeURIComponent(name)}`)
    await says(page, `Hi ${name}`)
    for (const text of texts) {
      await type(page, text)
      await says(page, `${text}!`)
    }
    await expectHarmless()
  })

  test("of models stay texts, and links of theirs that could run anything are none", async () => {
    // Without parentheses, which would end the address in Markdown.
    const written = links.map((link) => link.replace("ran()", "ran``"))
    const words = [...payloads, ...written.map((link) => `[a](${link}) ![b](${link})`)].join("\n\n")
    const { page, expectHarmless } = await open(bot(group("A", ask.text(), say("End"))))
    await page.route("**/continueChat", (route) => route.fulfill({ json: streamStep }))
    await page.route("**/streamMessage", (route) =>
      route.fulfill({ body: `0:${JSON.stringify(words)}\n` }),
    )
    await type(page, "go")
    await says(page, "ran()")
    const targets = await page.locator(".chat").evaluate(addressesIn)
    expect(targets.filter((target) => !/^https?:/.test(target))).toEqual([])
    await page.locator(".chat").evaluate(pointAtEverything)
    await expectHarmless()
  })

  test.each(
    Array.from({ length: 10 }, (_, at) => at),
  )("are no values of themes, options and metadata: part %i", async (part) => {
    let at = part * 23
    const next = () => payloads[at++ % payloads.length] ?? ""
    const style = () => styles[at++ % styles.length] ?? next()
    const { page, expectHarmless } = await open(dressed(next, style))
    await page.locator("form.ask").waitFor()
    await page.locator(".chat").evaluate(pointAtEverything)
    await type(page, "1")
    await page.locator(".options .button").first().click()
    await page.locator(".tile").first().click()
    await page.locator(".card .button").first().click()
    await page.locator(".mark input").first().check({ force: true })
    await page.locator("button.send").click()
    await says(page, "End")
    await expectHarmless()
  })
})

/** What the client gets when a model is to answer. */
const streamStep = {
  messages: [],
  clientSideActions: [{ type: "stream", stream: true, expectsDedicatedReply: true }],
}

/** A bot with a payload wherever authors give something other than what is said. */
function dressed(next: () => string, style: () => string): Flow {
  const box = () => ({
    backgroundColor: style(),
    color: style(),
    border: { color: style(), thickness: 1 },
  })
  const theme = {
    general: {
      font: { type: "Google", family: "" },
      background: { type: "Color", content: style() },
      progressBar: { isEnabled: true, color: style(), backgroundColor: style() },
    },
    chat: {
      container: { ...box(), maxWidth: style(), maxHeight: style() },
      hostBubbles: box(),
      guestBubbles: box(),
      buttons: box(),
      inputs: { ...box(), placeholderColor: style() },
      hostAvatar: { isEnabled: true, url: links[0] },
      guestAvatar: { isEnabled: true, url: links[1] },
    },
  }
  // A name is quoted, so that it may hold whatever it likes.
  Object.assign(theme.general, { font: next() })
  const metadata = {
    title: next(),
    description: next(),
    imageUrl: links[2],
    favIconUrl: links[3],
    customHeadCode: `${next()}<meta name="owner" content="${next()}">`,
  }
  const labels = () => ({ placeholder: next(), button: next(), left: next(), right: next() })
  const icon = { isEnabled: true, svg: `<svg><path d="M0 0" fill="${style()}"/>${next()}</svg>` }
  return bot(
    { theme, settings: { ...settings, metadata } },
    group(
      "A",
      sayRich([p(next())]),
      ask.number({ labels: labels() }),
      ask.choice([next(), next()], { isSearchable: true, searchInputPlaceholder: next() }),
      ask.picture({
        items: [{ id: "p", title: next(), description: next(), pictureSrc: links[4] }],
      }),
      ask.cards({
        items: [
          {
            id: "c",
            title: next(),
            description: next(),
            imageUrl: links[5],
            paths: [{ id: "d", text: next() }],
          },
        ],
      }),
      ask.rating({ buttonType: "Icons", length: 3, labels: labels(), customIcon: icon }),
      say("End"),
    ),
  )
}
