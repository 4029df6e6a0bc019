/** Tests how sites load the embed and where it finds its service, and whom it remembers. */
import type { Locator, Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { until } from "../support/waiting.ts"
import { complaintsOf, expectNoComplaints, openViewer } from "./browser.ts"
import { hostSite } from "./hostSite.ts"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("an embed", async () => {
  if (!viewer) return
  const server = await pageServer()
  const site = await hostSite(server.address)
  const embed = `<script src="${server.address}/embed.js"></script>`
  const general = { rememberUser: { isEnabled: true, storage: "local" } }

  const greeting = bot(
    { settings: { ...swift, general } },
    group(
      "A",
      say("Hi {{Name}}!"),
      ask.text({ saves: "Town" }),
      say("{{Town}} is nice."),
      ask.text(),
    ),
  )

  const publish = async () => (await publishBot(server, greeting)).publicId

  async function visit(files: Readonly<Record<string, string>>): Promise<Page> {
    site.serve(files)
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    await page.goto(site.origin)
    return page
  }

  async function answer(chat: Locator, text: string): Promise<void> {
    await chat.locator("form .field").fill(text)
    await chat.page().keyboard.press("Enter")
  }

  const chatOf = (bot: string) => `<parley-chat bot="${bot}"></parley-chat>`

  test.each([
    ["a module", () => `<script type="module" src="${server.address}/embed.js"></script>`, {}],
    [
      "an imported module",
      () => `<script type="module" src="/site.js"></script>`,
      { "/site.js": () => `await import("${server.address}/embed.js")` },
    ],
  ])("finds its service as %s", async (_, tag, files) => {
    const scripts = Object.entries(files).map(([path, text]) => [path, text()])
    const page = await visit({
      ...Object.fromEntries(scripts),
      "/": `<!doctype html>${tag()}${chatOf(await publish())}`,
    })
    await page.getByText("Hi").waitFor()
    expectNoComplaints(page)
  })

  test("asks for its service in one sentence where it is part of the page's own script", async () => {
    const script = await (await fetch(`${server.address}/embed.js`)).text()
    const files = { "/bundle.js": script }
    const bundle = `<script type="module" src="/bundle.js"></script>`
    const publicId = await publish()
    const page = await visit({ ...files, "/": `<!doctype html>${bundle}${chatOf(publicId)}` })
    await until(() => complaintsOf(page).length > 0)
    expect(complaintsOf(page)).toEqual([
      expect.stringMatching(/^Parley: .* Set the attribute host /),
    ])
    const named = `<parley-chat bot="${publicId}" host="${server.address}"></parley-chat>`
    const other = await visit({ ...files, "/": `<!doctype html>${bundle}${named}` })
    await other.getByText("Hi").waitFor()
    expectNoComplaints(other)
  })

  test("forgets a person on request, and keeps people apart by their keys", async () => {
    const chatFor = (key: string) =>
      `<parley-chat bot="${publicId}" remember-key="${key}"></parley-chat>`
    const publicId = await publish()
    const page = await visit({ "/": `<!doctype html>${embed}${chatFor("ann")}` })
    const chat = page.locator("parley-chat")
    const become = (key: string) =>
      chat.evaluate((element, name) => element.setAttribute("remember-key", name), key)
    await answer(chat, "Bern")
    await chat.getByText("Bern is nice.").waitFor()
    await become("bob")
    await chat.locator(".bubble", { hasText: "Hi" }).waitFor()
    expect(await chat.getByText("Bern").count()).toBe(0)
    await become("ann")
    await chat.getByText("Bern is nice.").waitFor()
    await page.evaluate(`document.querySelector("parley-chat").reset()`)
    await chat.getByText("Bern is nice.").waitFor({ state: "detached" })
    await chat.locator("form .field").waitFor()
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain("Bern")
    expectNoComplaints(page)
  })

  test("takes the values of another person, unless the chat has an answer", async () => {
    const publicId = await publish()
    const chatOf = (name: string) =>
      `<parley-chat bot="${publicId}" prefilled-variables='{"Name":"${name}"}'></parley-chat>`
    const page = await visit({ "/": `<!doctype html>${embed}${chatOf("Ann")}` })
    await page.getByText("Hi Ann!").waitFor()
    site.serve({ "/": `<!doctype html>${embed}${chatOf("Bob")}` })
    await page.reload()
    await page.getByText("Hi Bob!").waitFor()
    await answer(page.locator("parley-chat"), "Rome")
    await page.getByText("Rome is nice.").waitFor()
    site.serve({ "/": `<!doctype html>${embed}${chatOf("Eve")}` })
    await page.reload()
    await page.getByText("Rome is nice.").waitFor()
    expect(await page.getByText("Hi Bob!").count()).toBe(1)
  })

  test("offers to start again where the author wants that", async () => {
    const ending = bot(
      { settings: { ...swift, general: { isRestartEnabled: true } } },
      group("A", ask.text({ saves: "Town" }), say("{{Town}} is nice.")),
    )
    const { publicId } = await publishBot(server, ending)
    const page = await visit({ "/": `<!doctype html>${embed}${chatOf(publicId)}` })
    const chat = page.locator("parley-chat")
    await answer(chat, "Rome")
    await chat.getByText("Rome is nice.").waitFor()
    await chat.getByRole("button", { name: "Start again" }).click()
    await chat.getByText("Rome is nice.").waitFor({ state: "detached" })
    await answer(chat, "Bern")
    await chat.getByText("Bern is nice.").waitFor()
  })
})
