/** Tests that a page shows what happens to a chat while it asks. */
import { describe, expect, test } from "vitest"
import { ask, bot, group, groupIdOf, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { openLatch, until } from "../support/waiting.ts"
import { conversationOf, expectNoComplaints, openViewer, says, type } from "./browser.ts"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a page that asks", async () => {
  if (!viewer) return
  const server = await pageServer()

  const twoQuestions = bot(
    { settings: swift },
    group("A", say("Your name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}")),
    group("B", say("Are you still there?"), ask.text({ saves: "Sign" }), say("{{Sign}}, I see")),
  )

  test("shows messages to a chat that asks, and its question", async () => {
    const { page, sessionId } = await open()
    await says(page, "Your name?")
    await server.send("PATCH", `/api/v1/sessions/${sessionId}`, {
      body: { continueAt: { groupId: groupIdOf("B") } },
    })
    await says(page, "Are you still there?")
    await type(page, "Yes")
    await says(page, "Yes, I see")
    const shown = ["Your name?", "Are you still there?", "Yes", "Yes, I see"]
    expect(await conversationOf(page)).toEqual(shown)
  })

  test("takes no answer for another question than the one that the person has seen", async () => {
    const { page, botId, sessionId } = await open({ isDeaf: true })
    await says(page, "Your name?")
    await server.send("PATCH", `/api/v1/sessions/${sessionId}`, {
      body: { continueAt: { groupId: groupIdOf("B") } },
    })
    await page.route("**/continueChat", async (route) => {
      await page.unroute("**/events")
      await route.fallback()
    })
    await type(page, "Ann")
    await says(page, "Are you still there?")
    await type(page, "Yes")
    await says(page, "Yes, I see")
    const shown = ["Your name?", "Are you still there?", "Yes", "Yes, I see"]
    expect(await conversationOf(page)).toEqual(shown)
    const { body } = await server.send("GET", `/api/v1/bots/${botId}/results`)
    expect(body.results).toMatchObject([{ answers: [{ content: "Yes" }] }])
  })

  test("makes no request that fails, from the start to the end and again", async () => {
    const settings = { general: { isRestartEnabled: true } }
    const ending = bot(
      { settings },
      group("A", say("Your name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}"), say("Bye")),
    )
    const { publicId } = await publishBot(server, ending)
    const page = await viewer.open()
    const failed: string[] = []
    page.on("response", (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
    })
    // The on-demand script loads when the first chat is over.
    const { isOpen, open: deliver } = openLatch()
    await page.route("**/embed/on-demand.js*", async (route) => {
      await isOpen
      await route.continue()
    })
    let listened = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/events")) listened += 1
    })
    await page.goto(`${server.address}/chat/${publicId}`)
    await type(page, "Ann")
    const again = page.getByRole("button", { name: "Start again" })
    await again.waitFor()
    const delivered = page.waitForResponse("**/embed/on-demand.js*")
    deliver()
    await delivered
    await again.click()
    await type(page, "Bob")
    await says(page, "Hi Bob")
    await again.click()
    await says(page, "Your name?")
    await until(() => listened > 0)
    expect(failed).toEqual([])
    expectNoComplaints(page)
  })

  async function open({ isDeaf = false } = {}) {
    const { botId, publicId } = await publishBot(server, twoQuestions)
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    if (isDeaf) await page.route("**/events", (route) => route.abort())
    const started = page.waitForResponse("**/startChat")
    await page.goto(`${server.address}/chat/${publicId}`)
    const { sessionId } = (await (await started).json()) as { sessionId: string }
    return { page, botId, sessionId }
  }
})
