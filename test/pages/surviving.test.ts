/** A conversation survives lost connections, restarts, reloads, impatience, a second tab. */
import axe from "axe-core"
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { newToken } from "../../src/people/apiTokens.ts"
import { json, startPeer } from "../effects/peer.ts"
import { launch, productCopy } from "../process/product.ts"
import { ask, type BotParts, block, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { publishBot } from "../support/publish.ts"
import { sendTo } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"
import {
  conversationOf,
  expectNoComplaints,
  openViewer,
  says,
  type,
  type Viewer,
} from "./browser.ts"
import { findingsOf, forbidStorage } from "./inPage.mjs"
import { pageServer, swift } from "./pageServer.ts"
import { askToPay, leaveBank, serveProvider, serveRedirects } from "./payments.ts"
import { serveMedia } from "./showcase.ts"

const viewer = await openViewer()

const remembering = (storage: "session" | "local"): BotParts => ({
  settings: { ...swift, general: { rememberUser: { isEnabled: true, storage } } },
})

const flow = (parts: BotParts = { settings: swift }) =>
  bot(
    parts,
    group(
      "Talk",
      say("Your name?"),
      ask.text({ saves: "Name" }),
      say("Hi {{Name}}. Your town?"),
      ask.text({ saves: "Town" }),
      say("Bye {{Name}} of {{Town}}"),
    ),
  )

const whole = ["Your name?", "Ann", "Hi Ann. Your town?", "Rome", "Bye Ann of Rome"]

describe.skipIf(!viewer)("a conversation", async () => {
  if (!viewer) return
  const server = await pageServer()

  async function open(parts?: BotParts, options?: Parameters<Viewer["open"]>[0]) {
    const { botId, publicId } = await publishBot(server, flow(parts))
    const page = await viewer?.open(options)
    if (!page) throw new Error("There is no browser")
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "Your name?")
    /** The answers of all chats of this bot. */
    const recorded = async () => {
      const { body } = await server.send("GET", `/api/v1/bots/${botId}/results`)
      const results = body.results as { answers: { content: string }[] }[]
      return results.map(({ answers }) => answers.map(({ content }) => content))
    }
    return { page, recorded }
  }

  /** Lets the next answer reach the service, and loses the response. */
  async function loseNextAnswer(page: Page): Promise<{ keys: string[] }> {
    const keys: string[] = []
    let isLost = false
    await page.route("**/continueChat", async (route) => {
      keys.push(route.request().headers()["idempotency-key"] ?? "")
      if (isLost) return await route.continue()
      isLost = true
      await route.fetch()
      await route.abort("connectionreset")
    })
    return { keys }
  }

  test("an answer that broke off is asked for again under the same key", async () => {
    const { page, recorded } = await open()
    const { keys } = await loseNextAnswer(page)
    await type(page, "Ann")
    await says(page, "Hi Ann")
    await type(page, "Rome")
    await says(page, "Bye")
    expect(await conversationOf(page)).toEqual(whole)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
    expect(await recorded()).toEqual([["Ann", "Rome"]])
  })

  test("a start that broke off is one conversation", async () => {
    const { botId, publicId } = await publishBot(server, flow())
    const page = await viewer.open()
    let starts = 0
    await page.route("**/startChat", async (route) => {
      starts += 1
      if (starts > 1) return await route.continue()
      await route.fetch()
      await route.abort("connectionreset")
    })
    await page.goto(`${server.address}/chat/${publicId}`)
    await type(page, "Ann")
    await says(page, "Hi Ann")
    const { body } = await server.send("GET", `/api/v1/bots/${botId}/results`)
    expect(body.results).toHaveLength(1)
  })

  test.each([
    "light",
    "dark",
  ] as const)("an answer without a connection is shown as not sent, and sent when it is back, in the %s", async (colorScheme) => {
    const { page, recorded } = await open(undefined, { colorScheme })
    await page.context().setOffline(true)
    await type(page, "Ann")
    const notice = page.getByRole("alert")
    await notice.getByText("Connection problem").waitFor()
    expect(await page.locator(".unsent").count()).toBe(1)
    expect(await page.locator(".typing").count()).toBe(0)
    await page.evaluate(axe.source)
    const faint = await page.locator(".chat").evaluate(findingsOf, true)
    expect(faint, "contrast of an unsent answer").toEqual([])
    await page.context().setOffline(false)
    await says(page, "Hi Ann")
    expect(await notice.count()).toBe(0)
    expect(await page.locator(".unsent").count()).toBe(0)
    expect(await recorded()).toEqual([["Ann"]])
  })

  test("an answer sent twice by impatience is one", async () => {
    const choosing = bot(
      { settings: swift },
      group("Choose", ask.choice(["Yes", "No"], { saves: "A" }), ask.text(), say("Done")),
    )
    const { botId, publicId } = await publishBot(server, choosing)
    const page = await viewer.open()
    const sent: string[] = []
    page.on("request", (request) => {
      if (request.url().endsWith("/continueChat")) sent.push(request.postData() ?? "")
    })
    await page.goto(`${server.address}/chat/${publicId}`)
    await page.getByRole("button", { name: "Yes" }).dblclick()
    await page.locator("form.ask .field").waitFor()
    expect(sent).toHaveLength(1)
    const { body } = await server.send("GET", `/api/v1/bots/${botId}/results`)
    expect(body.results).toMatchObject([{ answers: [{ content: "Yes" }] }])
  })

  test("a reload begins anew unless the bot remembers", async () => {
    const { page } = await open()
    await type(page, "Ann")
    await says(page, "Hi Ann")
    await page.reload()
    await says(page, "Your name?")
    expect(await conversationOf(page)).toEqual(["Your name?"])
  })

  test("a reload continues where the bot remembers", async () => {
    const { page, recorded } = await open(remembering("session"))
    await type(page, "Ann")
    await says(page, "Hi Ann")
    await page.reload()
    await says(page, "Hi Ann")
    expect(await conversationOf(page)).toEqual(whole.slice(0, 3))
    await type(page, "Rome")
    await says(page, "Bye")
    expect(await conversationOf(page)).toEqual(whole)
    expect(await recorded()).toEqual([["Ann", "Rome"]])
    expectNoComplaints(page)
  })

  test("a continued page has the title of the bot and hides the query, like a new one", async () => {
    const { settings } = remembering("session")
    const { page } = await open({ settings: { ...settings, metadata: { title: "Towns" } } })
    for (let visit = 1; visit <= 2; visit++) {
      await page.goto(`${page.url()}?Name=Zoe`)
      await says(page, "Your name?")
      await expect.poll(() => page.title()).toBe("Towns")
      expect(page.url()).not.toContain("Name")
    }
  })

  test("a reload keeps the avatar that the bot has chosen meanwhile", async () => {
    const theme = { chat: { hostAvatar: { isEnabled: true, url: "{{Face}}" } } }
    const steps = [say("Whose face?"), ask.text({ saves: "Face" }), say("Here I am"), ask.text()]
    const faces = bot({ ...remembering("session"), theme }, group("A", ...steps))
    const { publicId } = await publishBot(server, faces)
    const page = await viewer.open()
    await serveMedia(page)
    await page.goto(`${server.address}/chat/${publicId}`)
    await type(page, "https://media.example/0.svg")
    const avatar = page.locator("img.avatar[src='https://media.example/0.svg']")
    await avatar.last().waitFor()
    await page.reload()
    await says(page, "Here I am")
    await avatar.last().waitFor()
  })

  test("a browser that forbids channels between tabs, as it forbids storage, has a chat", async () => {
    const { publicId } = await publishBot(server, flow(remembering("local")))
    const page = await viewer.open()
    await page.addInitScript(forbidStorage)
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "Your name?")
    await type(page, "Ann")
    await says(page, "Hi Ann")
    expectNoComplaints(page)
  })

  test("a reload in the middle of an answer sends it once", async () => {
    const { page, recorded } = await open(remembering("session"))
    const keys = new Set<string | undefined>()
    await page.route("**/continueChat", async (route) => {
      keys.add(route.request().headers()["idempotency-key"])
      await route.fetch()
      await route.abort("connectionreset")
    })
    await type(page, "Ann")
    await page.getByText("Connection problem").waitFor()
    await page.unroute("**/continueChat")
    const again = page.waitForRequest("**/continueChat")
    await page.reload()
    // Under another key it would be one more answer, or wait for a question that has passed.
    keys.add((await again).headers()["idempotency-key"])
    expect(keys.size).toBe(1)
    await says(page, "Hi Ann")
    expect(await conversationOf(page)).toEqual(whole.slice(0, 3))
    expect(await recorded()).toEqual([["Ann"]])
  })

  test("a second tab follows the first, and can continue", async () => {
    const { page, recorded } = await open(remembering("local"))
    const second = await page.context().newPage()
    await second.goto(page.url())
    await says(second, "Your name?")
    await type(page, "Ann")
    await says(second, "Hi Ann")
    await type(second, "Rome")
    await says(page, "Bye Ann of Rome")
    expect(await conversationOf(page)).toEqual(whole)
    expect(await recorded()).toEqual([["Ann", "Rome"]])
  })

  test("a payment that ended in another tab meanwhile is not answered again", async () => {
    const steps = [ask.text(), say("Paid. Your name?"), ask.text(), say("Done")]
    const paying = bot(remembering("local"), group("Pay", ...steps))
    const { publicId } = await publishBot(server, paying)
    const page = await viewer.open()
    await askToPay(page)
    await serveRedirects(page)
    await page.goto(`${server.address}/chat/${publicId}`)
    const pay = { name: "Pay €5.00" }
    await page.getByText("A form of the provider").waitFor()
    const second = await page.context().newPage()
    await serveProvider(second, true)
    await second.goto(page.url())
    await second.getByText("A form of the provider").waitFor()
    await page.getByRole("button", pay).click()
    await page.getByText("The bank").waitFor()
    await second.getByRole("button", pay).click()
    await second.getByRole("alert").getByText("Card declined").waitFor()
    await second.getByRole("button", pay).click()
    await says(second, "Paid")
    await leaveBank(page, "succeeded")
    await page.locator("form.ask .field").waitFor()
    expect(await conversationOf(page)).toEqual(await conversationOf(second))
    expect(await page.getByText("Done").count()).toBe(0)
  })

  test("a session that is gone can be begun anew", async () => {
    const { page } = await open()
    await page.route("**/continueChat", (route) =>
      route.fulfill({ status: 404, json: { reason: "NOT_FOUND", message: "Session not found" } }),
    )
    await type(page, "Ann")
    await page.getByRole("button", { name: "Start again" }).click()
    await says(page, "Your name?")
    expect(await conversationOf(page)).toEqual(["Your name?"])
    expect(await page.getByRole("alert").count()).toBe(0)
  })

  test("a bot deleted meanwhile is reported as gone, also for uploads", async () => {
    const asked = bot({ settings: swift }, group("A", say("Your photo?"), ask.file()))
    const { botId, publicId } = await publishBot(server, asked)
    const page = await viewer.open()
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "Your photo?")
    await server.send("DELETE", `/api/v1/bots/${botId}`)
    const photo = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("a photo") }
    await page.locator(".drop input").setInputFiles(photo)
    const told = page.getByRole("alert")
    await told.getByText("This conversation has expired.").waitFor()
    await told.getByRole("button", { name: "Start again" }).click()
    await told.getByText("not available").waitFor()
    expect(await told.getByRole("button").count()).toBe(0)
  })
})

describe.skipIf(!viewer)("a service that is killed and started again", async () => {
  if (!viewer) return
  const upstream = await startPeer()
  const token = newToken()
  const variables = {
    PORT: String(await freePort()),
    DATABASE_URL: await testDatabaseUrl(),
    PARLEY_SECRET: "a secret that both processes know",
    PARLEY_BOOTSTRAP_EMAIL: "ann@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
  }
  const product = await productCopy()
  const start = async () => {
    const run = launch(product, variables)
    const address = await run.ready()
    const kill = async () => {
      run.child.kill("SIGKILL")
      await run.ended()
    }
    return { address, kill }
  }

  /** A bot that makes a request in the middle of a turn, and asks before and after it. */
  const calling = bot(
    { settings: swift },
    group(
      "Talk",
      ...[say("Your name?"), ask.text({ saves: "Name" })],
      block("Webhook", { webhook: { url: upstream.url, method: "POST" } }),
      ...[say("Hi {{Name}}. Your town?"), ask.text({ saves: "Town" })],
      say("Bye {{Name}} of {{Town}}"),
    ),
  )

  test("continues the conversation, busy or idle", async () => {
    const first = await start()
    const send = sendTo(first.address, token)
    const { botId, publicId } = await publishBot({ send }, calling)
    const page = await viewer.open()
    await page.goto(`${first.address}/chat/${publicId}`)
    await says(page, "Your name?")

    upstream.answers(() => {}, json({}))
    await type(page, "Ann")
    await eventually(() => expect(upstream.received).toHaveLength(1))
    await first.kill()
    const second = await start()
    await says(page, "Hi Ann. Your town?")

    await second.kill()
    await type(page, "Rome")
    await page.getByText("Connection problem").waitFor()
    await start()
    await says(page, "Bye Ann of Rome")

    expect(await conversationOf(page)).toEqual(whole)
    const { body } = await send("GET", `/api/v1/bots/${botId}/results`)
    expect(body.results).toMatchObject([{ answers: [{ content: "Ann" }, { content: "Rome" }] }])
  })
})
