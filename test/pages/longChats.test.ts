/** The cost of a conversation of hundreds of messages in a browser. */
import { describe, expect, test } from "vitest"
import { publishBot } from "../support/publish.ts"
import { expectNoComplaints, openViewer } from "./browser.ts"
import { endless, talkFor } from "./longChat.ts"
import { pageServer } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a long conversation", async () => {
  if (!viewer) return
  const server = await pageServer()

  test("of 500 messages holds less than 15 MB", async () => {
    const { publicId } = await publishBot(server, endless)
    const page = await viewer.open()
    await page.goto(`${server.address}/chat/${publicId}`)
    const { messages, heap } = await talkFor(page, 500)
    expect(messages).toBeGreaterThanOrEqual(500)
    expect(heap).toBeLessThan(15_000_000)
    expectNoComplaints(page)
  })
})
