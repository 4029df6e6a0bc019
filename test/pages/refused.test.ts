/** Tests what happens to answers that are refused, and to those that are not sent yet. */
import type { Route } from "playwright-core"
import { describe, expect, test } from "vitest"
import { ask, type BotParts, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { conversationOf, openViewer, says, type } from "./browser.ts"
import { isInView } from "./inPage.mjs"
import { leadToModel } from "./modelStep.ts"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("an answer that is refused", async () => {
  if (!viewer) return
  const server = await pageServer()

  async function open(parts: BotParts = { settings: swift }) {
    const steps = [
      ...[say("Your name?"), ask.text({ saves: "Name" })],
      ...[say("Hi {{Name}}. Your town?"), ask.text({ saves: "Town" })],
    ]
    const { botId, publicId } = await publishBot(server, bot(parts, group("Talk", ...steps)))
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "Your name?")
    const recorded = async () => {
      const { body } = await server.send("GET", `/api/v1/bots/${botId}/results`)
      const results = body.results as { answers: { content: string }[] }[]
      return results.map(({ answers }) => answers.map(({ content }) => content))
    }
    return { page, recorded }
  }

  const refused = {
    status: 500,
    json: { code: "INTERNAL_SERVER_ERROR", reason: "INTERNAL_SERVER_ERROR", message: "Bug 42" },
  }

  test("goes back into its field, with words for people", async () => {
    const { page, recorded } = await open()
    let sent = 0
    await page.route("**/continueChat", (route) => {
      sent += 1
      return route.fulfill(refused)
    })
    const logged = page.waitForEvent("console", (message) => message.text().includes("Bug 42"))
    await type(page, "Ann")
    await page.getByRole("alert").getByText("That did not work. Please try again.").waitFor()
    await logged
    expect(await page.locator("form.ask .field").inputValue()).toBe("Ann")
    expect(await conversationOf(page)).toEqual(["Your name?"])
    expect(await page.getByText("Bug 42").count()).toBe(0)
    expect(sent).toBe(1)
    await page.unroute("**/continueChat")
    await page.locator("form.ask .field").press("Enter")
    await says(page, "Hi Ann")
    expect(await page.locator("form.ask .field").inputValue()).toBe("")
    expect(await page.getByRole("alert").count()).toBe(0)
    expect(await recorded()).toEqual([["Ann"]])
  })

  test("is too long, if it is longer than a message may be", async () => {
    const { page } = await open()
    await page.locator("form.ask .field").fill("x".repeat(100_001))
    await page.locator("form.ask .field").press("Enter")
    await page.getByRole("alert").getByText("That is too long. Please shorten it.").waitFor()
    await type(page, "Ann")
    await says(page, "Hi Ann")
  })

  test("is shown in view, even if the input is higher than the window", async () => {
    const choices = Array.from({ length: 60 }, (_, index) => `Choice ${index}`)
    const theme = { chat: { buttonsInput: { layout: "vertical" } } }
    const long = bot({ settings: swift, theme }, group("A", say("Pick one"), ask.choice(choices)))
    const { publicId } = await publishBot(server, long)
    const page = await viewer.open()
    await page.goto(`${server.address}/chat/${publicId}`)
    await page.route("**/continueChat", (route) => route.fulfill(refused))
    await page.getByRole("button", { name: "Choice 2", exact: true }).click()
    const told = page.getByRole("alert")
    await told.getByText("did not work").waitFor()
    await expect.poll(() => told.evaluate(isInView)).toBe(true)
  })

  test.each([
    ["a failure of the turn is not repeated", refused, 1],
    ["a proxy that does not reach the service is asked again", { status: 502, body: "Bad" }, 2],
    ["a proxy that does not know the service is asked again", { status: 404, body: "None" }, 2],
    [
      "a service that is busy is asked again",
      { status: 503, json: { code: "SERVICE_UNAVAILABLE", reason: "SERVICE_UNAVAILABLE" } },
      2,
    ],
    [
      "a flow that took too long is not repeated",
      { status: 408, json: { code: "TIMEOUT", reason: "TIMEOUT" } },
      1,
    ],
  ])("%s", async (_, answer, calls) => {
    const { page } = await open()
    let sent = 0
    await page.route("**/continueChat", (route) => {
      sent += 1
      return sent === 1 ? route.fulfill(answer) : route.continue()
    })
    await type(page, "Ann")
    if (calls === 1) await page.getByRole("alert").getByText("did not work").waitFor()
    else await says(page, "Hi Ann")
    expect(sent).toBe(calls)
  })

  const soon = { "retry-after": "0" }

  test.each<[string, Parameters<Route["fulfill"]>[0], number]>([
    ["is asked for again where the service was busy", { status: 503, headers: soon }, 2],
    ["is asked for again after too many requests", { status: 429, headers: soon }, 2],
    ["is not asked for again after a failure", { status: 500 }, 1],
    ["is not asked for again where it is not allowed", { status: 403 }, 1],
    ["is not asked for again when the connection was lost", undefined, 1],
  ])("the answer of a model %s", async (_, answer, calls) => {
    const { page } = await open()
    const sent = await leadToModel(page)
    let asked = 0
    await page.route("**/streamMessage", (route) => {
      asked += 1
      if (asked === 2) return route.fulfill({ body: '0:"Words"\n' })
      return answer ? route.fulfill(answer) : route.abort("connectionreset")
    })
    await type(page, "Ann")
    await says(page, "The end")
    // Without an answer, the page shows a notice.
    const words = await page.getByRole("alert").getByText("The bot could not answer that.").count()
    expect(words).toBe(calls === 2 ? 0 : 1)
    expect(sent).toEqual(["Ann", calls === 2 ? "Words" : undefined])
    expect(asked).toBe(calls)
  })

  test("typed text survives a reload where the bot remembers, and a refusal after one", async () => {
    const { page } = await open({
      settings: { ...swift, general: { rememberUser: { isEnabled: true } } },
    })
    const field = page.locator("form.ask .field")
    await field.fill("An")
    await page.reload()
    await says(page, "Your name?")
    expect(await field.inputValue()).toBe("An")
    // Only the page that is loaded anew reaches the service: the one before it asks again by itself.
    let isReached = false
    await page.route("**/continueChat", (route) =>
      isReached ? route.fulfill(refused) : route.abort("connectionreset"),
    )
    await type(page, "Ann")
    await page.getByText("Connection problem").waitFor()
    page.once("framenavigated", () => {
      isReached = true
    })
    await page.reload()
    await page.getByRole("alert").getByText("did not work").waitFor()
    expect(await field.inputValue()).toBe("Ann")
    await page.unroute("**/continueChat")
    await field.press("Enter")
    await says(page, "Hi Ann")
    await page.reload()
    await says(page, "Hi Ann")
    expect(await field.inputValue()).toBe("")
  })

  test("typed text is not stored where the bot does not remember", async () => {
    const { page } = await open()
    await page.locator("form.ask .field").fill("A secret")
    const stored = await page.evaluate("JSON.stringify([sessionStorage, localStorage])")
    expect(stored).toBe("[{},{}]")
  })

  test("goes back into fields, choices, ratings, dates and files", async () => {
    const steps = [
      ask.number(),
      ask.time(),
      ask.phone({ saves: "A" }),
      ask.choice(["Red", "Green"], { isMultipleChoice: true }),
      ask.rating({ length: 5 }),
      ask.date({ isRange: true }),
      ask.file({ isMultipleAllowed: true }),
      say("Done"),
    ]
    const { publicId } = await publishBot(server, bot({ settings: swift }, group("A", ...steps)))
    const page = await viewer.open()
    await page.goto(`${server.address}/chat/${publicId}`)
    let isRefusing = true
    await page.route("**/continueChat", (route) => {
      isRefusing = !isRefusing
      return isRefusing ? route.continue() : route.fulfill(refused)
    })
    /** Sends, is refused, and sends again what stands in the fields then. */
    const sendTwice = async () => {
      await page.locator("button.send").click()
      await page.getByRole("alert").getByText("did not work").waitFor()
      await page.locator("button.send").click()
    }
    await page.locator("form.ask .field input").fill("42")
    await sendTwice()
    await page.locator("input[type=time]").fill("10:30")
    await sendTwice()
    await page.getByLabel("Country").selectOption("FR")
    await page.locator("input[type=tel]").fill("601020304")
    await sendTwice()
    await page.getByText("Green").click()
    await sendTwice()
    await page.locator(".mark", { hasText: "4" }).click()
    await sendTwice()
    for (const day of [1, 2]) {
      await page
        .locator(".dates input")
        .nth(day - 1)
        .fill(`2026-01-0${day}`)
    }
    await sendTwice()
    const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("words") }
    await page.locator(".drop input").setInputFiles(notes)
    await page.locator(".file-done").waitFor()
    await sendTwice()
    await says(page, "Done")
    expect(await conversationOf(page)).toEqual([
      "42",
      "10:30",
      "+33601020304",
      "Green",
      "4",
      "1 Jan 2026 – 2 Jan 2026",
      expect.stringMatching("File|http"),
      "Done",
    ])
  })
})
