/** The view of conversations: a member reads along, takes over from the bot, and hands back. */
import { describe, expect, test } from "vitest"
import { expectNoComplaints, says, type } from "../pages/browser.ts"
import { swift } from "../pages/pageServer.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { eventually } from "../support/waiting.ts"
import { openConsole, viewer } from "./openConsole.ts"

const hostile = `<img src=x onerror="document.title='gone'"> https://evil.example`

describe.skipIf(!viewer)("the conversations of a bot", async () => {
  const { open, server } = await openConsole()
  const flow = bot(
    { settings: swift, variables: { Name: null } },
    group(
      "Sign up",
      say("Your name?"),
      ask.text({ saves: "Name" }),
      say("Hi {{Name}}, your town?"),
      ask.text(),
      say("Thanks"),
    ),
    group("Goodbye", say("See you soon"), ask.text()),
  )

  test("show a visitor of the chat page, whom a member answers in the place of the bot", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    const visitor = await viewer?.open()
    if (!visitor) return
    await visitor.goto(`${server.address}/chat/${publicId}`)
    await says(visitor, "Your name?")
    await type(visitor, hostile)
    await says(visitor, "your town?")

    const page = await open(`/bots/${botId}/conversations`)
    await page.getByRole("link", { name: "With the bot" }).click()
    const messages = page.getByRole("region", { name: "Messages" })
    await messages.getByText(hostile, { exact: true }).waitFor()
    await page.getByRole("textbox", { name: "Name" }).waitFor()

    await page.getByRole("button", { name: "Pause the bot" }).click()
    await visitor.locator(".joined").waitFor()
    await page.getByRole("textbox", { name: "Reply" }).pressSequentially("I am Eve")
    await visitor.locator(".typing").waitFor()
    await page.keyboard.press("Enter")
    await says(visitor, "I am Eve")
    await messages.getByText("I am Eve").waitFor()
    await visitor.locator("form.ask .field").fill("O")
    await page.getByText("The visitor is typing…").waitFor()
    await type(visitor, "Oh, a person")
    await messages.getByText("Oh, a person").waitFor()
    await page.getByRole("link", { name: "With a person" }).waitFor()

    await page.getByRole("button", { name: "Resume the bot" }).click()
    await visitor.locator(".joined").waitFor({ state: "detached" })
    await type(visitor, "Rome")
    await says(visitor, "Thanks")
    await messages.getByText("Thanks").waitFor()
    expect(await messages.locator("img, a").count()).toBe(0)
    expect(await page.title()).toMatch(/^Conversations · .* · Parley$/)
    expectNoComplaints(page)
    expectNoComplaints(visitor)
  })

  test("are listed though many visitors after them only looked", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    await (await chatOver(server, publicId)).say("Ann")
    for (let visitor = 0; visitor < 45; visitor++)
      await server.send("POST", `/api/v1/bots/${publicId}/startChat`, { body: {} })
    const page = await open(`/bots/${botId}/conversations`)
    await page.getByRole("complementary").getByRole("link", { name: "With the bot" }).waitFor()
    expectNoComplaints(page)
  })

  test("are steered: variables set, a member in charge, continued elsewhere, and ended", async () => {
    const { botId, publicId } = await publishBot(server, flow)
    const chat = await chatOver(server, publicId)
    await chat.say("Ann")
    const session = async () => {
      const { body } = await server.send("GET", `/api/v1/sessions/${chat.step.sessionId}`)
      return body.conversation as Record<string, unknown>
    }
    const page = await open(`/bots/${botId}/conversations?session=${chat.step.sessionId}`)
    const name = page.getByRole("textbox", { name: "Name" })
    await name.fill("Anna")
    await name.press("Enter")
    await eventually(async () => {
      expect(await session()).toMatchObject({ variables: [{ name: "Name", value: "Anna" }] })
    })
    await page.getByRole("combobox", { name: "In charge" }).selectOption({ index: 1 })
    await eventually(async () => expect(await session()).toHaveProperty("assigneeId"))
    await page.getByRole("switch", { name: "Assigned to me" }).press("Space")
    await page.getByRole("link", { name: "With the bot" }).waitFor()
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "Continue elsewhere…" }).click()
    await page.getByRole("combobox", { name: "Group" }).selectOption("Goodbye")
    await page.getByRole("button", { name: "Continue there" }).click()
    await page.getByRole("region", { name: "Messages" }).getByText("See you soon").waitFor()
    await page.getByRole("button", { name: "More" }).click()
    await page.getByRole("menuitem", { name: "End the conversation…" }).click()
    const dialog = page.getByRole("dialog", { name: "End the conversation" })
    await dialog.getByText("begins a new conversation").waitFor()
    await dialog.getByRole("button", { name: "End" }).click()
    await page.getByText("This conversation is over.").waitFor()
    expect(await session()).toMatchObject({ state: "ended" })
    await page.getByRole("combobox", { name: "State" }).selectOption("Expired")
    await page.getByText("No conversations here").waitFor()
    expect(page.url()).toContain("state=expired")
    expectNoComplaints(page)
  })
})
