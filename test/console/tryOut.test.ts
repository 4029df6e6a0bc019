/** The chat with a draft beside the canvas: it is the one that visitors get, with what happens behind it. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { expectNoComplaints, says, type } from "../pages/browser.ts"
import { swift } from "../pages/pageServer.ts"
import { ask, block, bot, group, say, set } from "../support/bots.ts"
import { openConsole, viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("trying a draft", async () => {
  const { open, server } = await openConsole()
  const { send, workspaceId } = server

  const greeter = () =>
    bot(
      { settings: swift },
      group("Hello", say("What is your name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}!")),
      group("Later", say("You are later")),
    )

  async function openChat(flow: object = greeter()): Promise<Page> {
    const sent = { workspaceId, bot: { ...flow, name: "Greeter" } }
    const { body } = await send("POST", "/api/v1/bots/import", { body: sent })
    return await open(`/bots/${(body as { bot: { id: string } }).bot.id}?try=true`)
  }

  test("plays the draft, and shows its variables as they change", async () => {
    const page = await openChat()
    await says(page, "What is your name?")
    await type(page, "Ann")
    await says(page, "Hi Ann!")
    const variable = page.getByRole("button", { name: "Set Name" })
    expect(await variable.innerText()).toContain("Ann")
    expectNoComplaints(page)
  })

  test("goes back to the question before, which can be answered anew", async () => {
    const page = await openChat()
    await says(page, "What is your name?")
    await type(page, "Ann")
    await says(page, "Hi Ann!")
    await page.getByRole("button", { name: "Back to the question before" }).click()
    await page.locator(".bubble", { hasText: "Hi Ann!" }).waitFor({ state: "detached" })
    await type(page, "Ben")
    await says(page, "Hi Ben!")
  })

  test("starts at another group", async () => {
    const page = await openChat()
    await says(page, "What is your name?")
    await page.getByRole("button", { name: "Start at" }).click()
    await page.getByRole("menuitem", { name: "Later" }).click()
    await says(page, "You are later")
    expect(await page.locator(".bubble", { hasText: "your name" }).count()).toBe(0)
  })

  test("marks the edges that the chat took", async () => {
    const page = await openChat(
      bot(
        { settings: swift },
        group(
          "Fork",
          ask.choice([
            { content: "Left", to: "West" },
            { content: "Right", to: "East" },
          ]),
        ),
        group("West", say("You went left")),
        group("East", say("You went right")),
      ),
    )
    await page.locator("parley-preview").getByRole("button", { name: "Left" }).click()
    await says(page, "You went left")
    const marked = page.locator(".react-flow__edge-path[data-taken]")
    expect(await marked.count()).toBe(2)
  })

  test("shows addresses that the bot leads to, and stays in the console", async () => {
    const page = await openChat(
      bot(
        { settings: swift },
        group(
          "Away",
          say("Now you go"),
          block("Code", { content: "location.href = 'https://two.example/'" }),
          block("Redirect", { url: "https://one.example/?a=<b>" }),
          block("Redirect", { url: "https://three.example/", isNewTab: true }),
          say("Still here"),
          ask.text(),
        ),
      ),
    )
    const address = page.url()
    await says(page, "Still here")
    const lead = page.locator(".bubble", { hasText: "The bot would lead to" })
    await lead.nth(2).waitFor()
    const links = await lead.getByRole("link").all()
    const found = await Promise.all(
      links.map(async (link) => [
        await link.getAttribute("target"),
        await link.getAttribute("href"),
      ]),
    )
    expect(found).toEqual([
      ["_blank", "https://two.example/"],
      ["_blank", "https://one.example/?a=%3Cb%3E"],
      ["_blank", "https://three.example/"],
    ])
    expect(page.context().pages()).toHaveLength(1)
    expect(page.url()).toBe(address)
    expectNoComplaints(page)
  })

  test("runs code of the draft where it reaches neither the page nor the session", async () => {
    const seen =
      "return [typeof window.document.body, document.cookie, window.origin, await fetch('/api/v1/workspaces').then(() => 'read', () => 'refused')].join()"
    const page = await openChat(
      bot(
        { settings: { ...swift } },
        group(
          "Spy",
          set("Seen", seen, { isExecutedOnClient: true, isCode: true }),
          say("Seen: {{Seen}}"),
          ask.text(),
        ),
      ),
    )
    await says(page, "Seen: undefined,,,refused")
  })

  test("keeps the styles of a draft within the chat", async () => {
    const everywhere =
      "position: fixed !important; inset: 0 !important; width: 100vw !important; height: 100vh !important; z-index: 2147483647 !important; contain: none !important; overflow: visible !important; background: red !important"
    const customCss = `:host, .chat, .bubble { ${everywhere} } :host::before { content: ""; ${everywhere} }`
    const page = await openChat(
      bot({ settings: swift, theme: { customCss } }, group("Loud", say("Look"), ask.text())),
    )
    await says(page, "Look")
    await page.getByRole("button", { name: "Try it" }).click({ trial: true })
    const covers = `(x, y) => document.elementFromPoint(x, y)?.closest("parley-preview") !== null`
    const beside = await page.evaluate<boolean[]>(
      `[[10, 10], [400, 300], [innerWidth - 10, 10], [400, innerHeight - 10]].map(([x, y]) => (${covers})(x, y))`,
    )
    expect(beside).toEqual([false, false, false, false])
    expectNoComplaints(page)
  })

  test("copies the conversation as a test, which the draft passes", async () => {
    const page = await openChat()
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await says(page, "What is your name?")
    await type(page, "Ann")
    await says(page, "Hi Ann!")
    await page.getByRole("button", { name: "Copy the conversation as a test" }).click()
    const file = await page.evaluate<string>("navigator.clipboard.readText()")
    expect(file).toContain('- user: "Ann"')
    const botId = /bots\/([^/?]+)/.exec(page.url())?.[1]
    const { body } = await send("POST", `/api/v1/bots/${botId}/test`, { body: { file } })
    expect(body).toMatchObject({ passed: 1, failed: 0 })
  })
})
