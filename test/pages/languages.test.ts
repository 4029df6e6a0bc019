/** 2.10 on pages and in embeds: every language is whole, fits, and can be read by everybody. */
import axe from "axe-core"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { textsIn } from "../../src/engine/texts.ts"
import { isRightToLeft, type Language, languages } from "../../src/lib/languages.ts"
import { catalogues } from "../../src/pages/chat/texts/catalogues.ts"
import { english } from "../../src/pages/chat/texts/english.ts"
import type { Texts } from "../../src/pages/chat/texts/texts.ts"
import { ask, bot, type Draft, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { expectNoComplaints, openViewer, says, type } from "./browser.ts"
import { hostSite } from "./hostSite.ts"
import { brokenButtons, cutOff, findingsOf, languagesOf, unfitting, wordsIn } from "./inPage.mjs"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

const textsOf = (language: Language): Texts => (language === "en" ? english : catalogues[language])

/** Questions of which the author has written nothing. */
const questions: readonly Draft[] = [
  ask.text({ isLong: true, attachments: { isEnabled: true }, audioClip: { isEnabled: true } }),
  ask.email(),
  ask.phone({ defaultCountryCode: "DE" }),
  ask.url(),
  ask.number({ max: 10 }),
  ask.date({ isRange: true }),
  ask.date({ hasTime: true }),
  ask.time(),
  ask.choice(["1", "2"], { isMultipleChoice: true, isSearchable: true }),
  ask.choice(["1", "2"]),
  ask.rating(),
  ask.file({ isRequired: false }),
]

const locales: Partial<Record<Language, string>> = { en: "en-GB", pt: "pt-BR", zh: "zh-CN" }

describe.skipIf(!viewer)("2.10 the built-in texts", async () => {
  if (!viewer) return
  const server = await pageServer()
  const site = await hostSite(server.address)
  const embed = `<script src="${server.address}/embed.js"></script>`
  const phone = { width: 390, height: 844 }

  const settings = { ...swift, general: { isBrandingEnabled: true } }
  const theme = { general: { progressBar: { isEnabled: true } } }
  const publish = async (input: Draft, general: object = {}) => {
    const own = { ...settings, general: { ...settings.general, ...general } }
    const flow = bot({ settings: own, theme }, group("A", say("…"), input, say("!")))
    return (await publishBot(server, flow)).publicId
  }
  const asking = await Promise.all(questions.map((input) => publish(input)))
  const [, email = ""] = asking
  const inHebrew = await publish(ask.email(), { language: "he" })

  const open = async (language: Language) => {
    const locale = locales[language] ?? language
    const page = await viewer.open({ viewport: phone, reducedMotion: "reduce", locale })
    await page.addInitScript(axe.source)
    return page
  }

  async function visit(page: Page, bots: readonly string[], more = ""): Promise<void> {
    const chats = bots.map((each) => `<parley-chat bot="${each}"></parley-chat>`)
    const title = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>`
    site.serve({ "/": `${title}${chats.join("")}</main>${more}${embed}` })
    await page.goto(site.origin)
    await expect.poll(() => page.locator(".asked").count()).toBe(bots.length)
  }

  test.each(
    languages,
  )("are whole and fit in %s, in embeds on a phone and on the chat's own page, the service included", async (language) => {
    const dir = isRightToLeft(language) ? "rtl" : "ltr"
    const page = await open(language)
    await visit(page, asking, `<parley-bubble bot="${email}"></parley-bubble>`)
    const texts = textsOf(language)
    await page.locator(`.chat[lang=${language}]`).last().waitFor()
    await page.getByRole("button", { name: texts.openChat }).waitFor()
    expect(await leftIn(page, language)).toEqual([])
    expect(await page.locator(".chat[lang]").evaluateAll(unfitting)).toEqual([])
    expect(await page.locator(".chat[lang]").evaluateAll(brokenButtons)).toEqual([])
    for (const chat of await page.locator(".chat[lang]").all()) {
      expect(await chat.evaluate(cutOff)).toEqual([])
      expect(await chat.getAttribute("dir")).toBe(dir)
    }
    expect(await page.locator(".chat[lang]").last().evaluate(findingsOf, true)).toEqual([])
    await makeMistakes(page)
    await page.getByText(texts.noMatch).waitFor()
    await page.getByText(texts.dateMissing).waitFor()
    await page.getByText(texts.notAnAddress).waitFor()
    await page.getByText(texts.atMost.replace("{bound}", "10")).waitFor()
    expect(await leftIn(page, language)).toEqual([])
    for (const chat of await page.locator(".chat[lang]").all()) {
      expect(await chat.evaluate(cutOff)).toEqual([])
    }
    await page.goto(`${server.address}/chat/${email}`)
    await type(page, "nonsense")
    await says(page, textsIn(language).invalidEmail)
    expect(await page.locator("html").getAttribute("lang")).toBe(language)
    expect(await page.locator("html").getAttribute("dir")).toBe(dir)
    expect(await page.locator(".chat[lang]").getAttribute("lang")).toBe(language)
    const asked = await page.locator(".host-bubble").first().boundingBox()
    const answered = await page.locator(".guest-bubble").first().boundingBox()
    expect((asked?.x ?? 0) > (answered?.x ?? 0)).toBe(dir === "rtl")
    expect(await leftIn(page, language)).toEqual([])
    expect(await page.locator(".chat[lang]").last().evaluate(findingsOf, true)).toEqual([])
    expectNoComplaints(page)
  })

  test.each([
    ["pt-PT", undefined, "Escreva o seu e-mail…"],
    ["pt-AO", "pt", "Escreva o seu e-mail…"],
    ["fr", "pt-PT", "Escreva o seu e-mail…"],
    ["pt-BR", undefined, "Digite seu e-mail…"],
    ["pt-PT", "pt-BR", "Digite seu e-mail…"],
    ["fr", "pt", "Digite seu e-mail…"],
  ])("are in the Portuguese of a browser in %s, where the bot says %s", async (locale, language, hint) => {
    const page = await viewer.open({ viewport: phone, reducedMotion: "reduce", locale })
    await page.goto(`${server.address}/chat/${await publish(ask.email(), { language })}`)
    await page.getByPlaceholder(hint).waitFor()
    expectNoComplaints(page)
  })

  test.each([
    ["en-US", /^1:30\sPM$/],
    ["en-GB", /^13:30$/],
    ["he", /^13:30$/],
    ["ar-EG", /^\p{Nd}:\p{Nd}{2}\sم$/u],
  ])("write a time as the clocks of %s do", async (locale, time) => {
    const page = await viewer.open({ viewport: phone, reducedMotion: "reduce", locale })
    await page.goto(`${server.address}/chat/${await publish(ask.time())}`)
    await page.locator("input[type=time]").fill("13:30")
    await page.keyboard.press("Enter")
    await says(page, "!")
    expect(await page.locator(".guest-bubble .said").innerText()).toMatch(time)
  })

  test("are in the language of each bot, for any visitor", async () => {
    const page = await open("fr")
    await visit(page, [inHebrew, email])
    const chats = page.locator(".chat[lang]")
    await page.locator(".chat[lang=fr]").waitFor()
    expect(await chats.first().getAttribute("lang")).toBe("he")
    // The second bot has no language.
    const bubbles = await page.locator(".said").evaluateAll(languagesOf)
    expect(bubbles).toEqual(["he", ""])
    await page.goto(`${server.address}/chat/${inHebrew}`)
    await page.getByRole("button", { name: textsOf("he").send }).waitFor()
    expect(await page.locator("html").getAttribute("lang")).toBe("he")
  })

  test("are English where a catalogue does not come, and the page says so", async () => {
    const page = await open("de")
    await page.route("**/embed/texts/**", (route) => route.fulfill({ status: 503 }))
    await page.goto(`${server.address}/chat/${email}`)
    await page.getByRole("button", { name: english.send }).waitFor()
    expect(await page.locator("html").getAttribute("lang")).toBe("en")
    expect(await page.locator(".chat[lang]").getAttribute("lang")).toBe("en")
  })

  test("do not keep a chat waiting, and come when they come", async () => {
    const page = await open("de")
    let deliver = () => {}
    const isComing = new Promise<void>((resolve) => {
      deliver = resolve
    })
    await page.route("**/embed/texts/**", async (route) => {
      await isComing
      await route.continue()
    })
    await page.goto(`${server.address}/chat/${email}`)
    await page.getByRole("button", { name: english.send }).waitFor()
    deliver()
    await page.getByRole("button", { name: textsOf("de").send }).waitFor()
    expectNoComplaints(page)
  })

  test("are fetched once, and only where they are shown", async () => {
    const page = await open("ja")
    const fetched: string[] = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.startsWith("/embed/texts")) fetched.push(`${pathname} ${searchParams.get("v")}`)
    })
    await visit(page, [email, email], `<parley-bubble bot="${email}"></parley-bubble>`)
    expect(fetched).toEqual([expect.stringMatching(/^\/embed\/texts\/ja\.json [\w-]{12}$/)])
    const [address] = fetched
    const path = address?.replace(" ", "?v=")
    const kept = await fetch(server.address + path)
    expect(kept.headers.get("cache-control")).toContain("immutable")
    expect(kept.headers.get("access-control-allow-origin")).toBe("*")
    const other = await fetch(`${server.address}/embed/texts/ja.json?v=other`)
    expect(other.headers.get("cache-control")).not.toContain("immutable")
    expect(await other.json()).toEqual(catalogues.ja)
    expect((await fetch(`${server.address}/embed/texts/en.json`)).status).toBe(404)
  })

  /** Makes the mistakes that the page itself finds. */
  async function makeMistakes(page: Page): Promise<void> {
    await page.locator("[type=search]").fill("zzz")
    const wrong = [
      ["[inputmode=url]", "x"],
      ["[inputmode=decimal]", "11"],
      [".dates [type=date]", "2026-03-09"],
    ] as const
    for (const [field, value] of wrong) {
      await page.locator(field).first().fill(value)
      await page.locator(field).first().press("Enter")
    }
  }
})

/** The built-in English texts that a page in another language shows. */
async function leftIn(page: Page, language: Language): Promise<string[]> {
  if (language === "en") return []
  const texts = textsOf(language)
  const others = Object.entries(english)
    .filter(([name, text]) => texts[name as keyof Texts] !== text)
    .map(([, text]) => text)
  const shown = await page.locator("parley-chat, parley-bubble").evaluateAll(wordsIn)
  expect(shown).toContain(texts.send)
  return shown.filter((words) => others.some((text) => isOf(text, words)))
}

/** Whether words are a text with its placeholders filled in. */
function isOf(text: string, words: string): boolean {
  const pattern = text.replace(/[.*+?^$()|\\]/g, "\\$&").replace(/\{\w+\}|\[\[\w+\]\]/g, ".+")
  return new RegExp(`^${pattern}$`).test(words)
}
