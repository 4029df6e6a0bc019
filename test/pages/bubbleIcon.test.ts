/** Tests which mark the button of a bubble has. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { expectNoComplaints, openViewer } from "./browser.ts"
import { hostSite } from "./hostSite.ts"
import { pageServer } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a bubble", async () => {
  if (!viewer) return
  const server = await pageServer()
  const site = await hostSite(server.address)
  const embed = `<script src="${server.address}/embed.js"></script>`

  async function visit(files: Readonly<Record<string, string>>): Promise<Page> {
    site.serve(files)
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    await page.goto(site.origin)
    return page
  }

  test("has the icon of the bot on its button, unless the page chose another", async () => {
    const { botId, publicId } = await publishBot(server, bot(group("A", say("Hi!"))))
    const bubble = `${embed}<parley-bubble bot="${publicId}"></parley-bubble>`
    const plain = await visit({ "/": `<!doctype html>${bubble}` })
    const markOf = (page: Page) => page.getByRole("button", { name: "Open chat" })
    await markOf(plain).locator("svg").waitFor()
    expectNoComplaints(plain)
    const body = { bot: { icon: "🤖" } }
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body })
    const own = `${server.address}/embed/icon.svg`
    const page = await visit({ "/": `<!doctype html>${bubble}` })
    const sign = markOf(page).locator("img")
    await sign.waitFor()
    expect(await sign.getAttribute("src")).toBe(`${server.address}/chat/${publicId}/icon`)
    const theme = JSON.stringify({ button: { iconUrl: own } })
    await page.evaluate(
      `document.querySelector("parley-bubble").setAttribute("theme", ${JSON.stringify(theme)})`,
    )
    await markOf(page).locator(`img[src="${own}"]`).waitFor()
    expectNoComplaints(page)
  })
})
