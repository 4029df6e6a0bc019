/** The hooks of `@parley/client/react` in a browser: they show what happens, and let go of what is not shown. */
import { build } from "esbuild"
import { describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { expectNoComplaints, openViewer } from "./browser.ts"
import { pageServer } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("an app of React", async () => {
  if (!viewer) return
  const server = await pageServer()
  const flow = bot(group("A", say("Who are you?"), ask.text({ saves: "Name" }), say("Hello")))
  const { botId, publicId } = await publishBot(server, { ...flow, name: "Shop" })
  const other = await publishBot(server, { ...flow, name: "Other" })
  const { address: url, token } = server
  const given = { url, token, botId, otherId: other.botId, publicId }
  const { outputFiles } = await build({
    entryPoints: ["test/client/reactApp.mjs"],
    alias: {
      "@parley/client/react": "./src/client/react.ts",
      "@parley/client": "./src/client.ts",
    },
    define: {
      given: JSON.stringify(given),
      body: "document.body",
      "process.env.NODE_ENV": '"development"',
    },
    ...{ bundle: true, write: false, format: "esm", platform: "browser" },
  })
  const app = `${url}/app`

  async function open() {
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    const body = `<!doctype html><title>App</title><body><script type="module">${outputFiles[0]?.text}</script>`
    await page.route(app, (route) => route.fulfill({ contentType: "text/html", body }))
    await page.goto(app)
    const click = (name: string) => page.getByRole("button", { name, exact: true }).click()
    const shows = (id: string, text: string) =>
      expect.poll(() => page.locator(`#${id}`).textContent()).toBe(text)
    return { page, click, shows }
  }

  test("shows its draft as it is edited, saved, taken back and changed by others", async () => {
    const { page, click, shows } = await open()
    await shows("name", "Shop")
    await click("Rename")
    await shows("name", "Shop!")
    await shows("saved", "saved")
    const changed = { bot: { icon: "🛍️", name: "Shop?" } }
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body: changed })
    await shows("name", "Shop?")
    await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { name: "Shop" } } })
    await shows("name", "Shop")
    await click("Rename")
    await shows("saved", "saved")
    await click("Undo")
    await shows("name", "Shop")
    await click("Other")
    await shows("name", "Other")
    expectNoComplaints(page)
  })

  test("chats: messages, the question, what is awaited and what failed", async () => {
    const { page, click, shows } = await open()
    await shows("chat", "0 none false")
    await click("Start")
    await shows("chat", "1 text input false")
    await click("Answer")
    await shows("chat", "2 none false")
    await shows("problem", "fine")
    await page.route("**/api/trpc/chat.start**", (route) =>
      route.fulfill({
        status: 400,
        json: { error: { json: { message: "No", code: -32600, data: null } } },
      }),
    )
    await click("Fail")
    await shows("problem", "failed")
  })

  test("previews the draft, and goes back", async () => {
    const { page, click, shows } = await open()
    await click("Try")
    await shows("preview", "2 Bob")
    await click("Back")
    await shows("preview", "1 none")
    expectNoComplaints(page)
  })
})
