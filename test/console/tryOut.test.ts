/** The chat with a draft beside the canvas: it is the one that visitors get, with what happens behind it. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { expectNoComplaints, says, type } from "../pages/browser.ts"
import { swift } from "../pages/pageServer.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { openConsole, viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("trying a draft", async () => {
  const { open, server } = await openConsole()
  const { send, workspaceId } = server

  async function openChat(): Promise<Page> {
    const flow = bot(
      { settings: swift },
      group("Hello", say("What is your name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}!")),
      group("Later", say("You are later")),
    )
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
