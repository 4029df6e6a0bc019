/** The chat page in a browser: a conversation from the first message to the last. */
import { describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { conversationOf, expectNoComplaints, openViewer, says, type } from "./browser.ts"
import { pageServer } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("the chat page", async () => {
  if (!viewer) return
  const server = await pageServer()

  test("leads a conversation", async () => {
    const { publicId } = await publishBot(
      server,
      bot(
        group(
          "Hello",
          say("What is your name?"),
          ask.text({ saves: "Name" }),
          say("Hi {{Name}}! Your e-mail?"),
          ask.email({ saves: "Email" }),
          say("We write to {{Email}}."),
        ),
      ),
    )
    const page = await viewer.open()
    await page.goto(`${server.address}/chat/${publicId}`)
    await says(page, "What is your name?")
    await type(page, "Ann")
    await says(page, "Your e-mail?")
    await type(page, "nonsense")
    await says(page, "type it again")
    await type(page, "Ann@Example.com")
    await says(page, "We write to ann@example.com.")
    expect(await conversationOf(page)).toEqual([
      "What is your name?",
      "Ann",
      "Hi Ann! Your e-mail?",
      "nonsense",
      "This does not look like an email address. Could you type it again?",
      "ann@example.com",
      "We write to ann@example.com.",
    ])
    expectNoComplaints(page)
  })
})
