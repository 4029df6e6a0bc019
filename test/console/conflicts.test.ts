/** Two people who change one element of a bot at once: what both keep, and what they are asked. */
import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { complaintsOf } from "../pages/browser.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { groupAt, openCanvas, type Stored } from "./openCanvas.ts"
import { viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("conflicts", async () => {
  const { openBot, makeBot, addGuest, draftOf, becomes, server } = await openCanvas()

  const textOf = ({ groups }: Stored, id: string) => {
    const block = groups.flatMap(({ blocks }) => blocks).find((each) => each.id === id)
    return block && /"text":"([^"]*)"/.exec(JSON.stringify(block.content ?? ""))?.[1]
  }

  /** A bot that Ann has open, and Bob as well. */
  const open = async (options: { locale?: string } = {}) => {
    const botId = await makeBot()
    const email = `bob@${botId.slice(-12)}.example`.toLowerCase()
    await addGuest(email, { [botId]: "WRITE" })
    const ann = await openBot(botId, options)
    const bob = await openBot(botId, { email })
    return { botId, ann, bob, email }
  }

  /** Changes the draft from elsewhere, as it is now. */
  const edit = async (botId: string, ...edits: object[]) => {
    const { revision } = await draftOf(botId)
    const body = { revision, edits }
    const { status } = await server.send("POST", `/api/v1/bots/${botId}/edits`, { body })
    expect(status).toBe(200)
  }

  const question = (page: Page) =>
    page.getByRole("region", { name: "Changes that do not fit together" })

  const beginToWrite = async (page: Page) => {
    await page.getByRole("button", { name: "Text: Hello there" }).click()
    await page.locator("[data-group] [contenteditable=true]:focus").waitFor()
  }
  const write = async (page: Page, text: string) => {
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.type(text)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: `Text: ${text}` }).waitFor()
  }

  /** Both write the same text, Ann while her connection is cut. */
  const meetInText = async () => {
    const { botId, ann, bob, email } = await open()
    await beginToWrite(ann)
    await ann.context().setOffline(true)
    await write(ann, "Hello from Ann")
    await beginToWrite(bob)
    await write(bob, "Hello from Bob")
    await becomes(botId, (draft) => expect(textOf(draft, "hello")).toBe("Hello from Bob"))
    await ann.context().setOffline(false)
    await question(ann).waitFor()
    await ann.getByRole("button", { name: "Text: Hello from Bob" }).waitFor()
    return { botId, ann, bob, email }
  }

  test("a text that both wrote is a question with both texts, and mine can be used", async () => {
    const { botId, ann, bob, email } = await meetInText()
    const asked = await question(ann).innerText()
    expect(asked).toContain(`You and ${email} both changed the words of Text in “Welcome”.`)
    expect(asked).toMatch(/Your version\s+Hello from Ann/)
    expect(asked).toMatch(/Saved now, by .*\s+Hello from Bob/)
    await expectAccessible(ann)
    await question(ann).getByRole("button", { name: "Use mine" }).press("Enter")
    await becomes(botId, (draft) => expect(textOf(draft, "hello")).toBe("Hello from Ann"))
    await bob.getByRole("button", { name: "Text: Hello from Ann" }).waitFor()
    expect([await question(ann).count(), await question(bob).count()]).toEqual([0, 0])
    // Of lost and refused requests, the browser itself reports each.
    const own = complaintsOf(ann).filter((each) => !each.startsWith("Failed to load resource"))
    expect(own).toEqual([])
  })

  test("or theirs is kept, while everything else goes on", async () => {
    const { botId, ann, bob } = await meetInText()
    await groupAt(ann, "Goodbye").getByRole("button", { name: "Goodbye", exact: true }).focus()
    await ann.keyboard.press("Enter")
    await ann.keyboard.type("Farewell")
    await ann.keyboard.press("Enter")
    await bob.getByRole("heading", { name: "Farewell" }).waitFor()
    await question(ann).getByRole("button", { name: "Keep theirs" }).click()
    await question(ann).waitFor({ state: "detached" })
    expect(textOf(await draftOf(botId), "hello")).toBe("Hello from Bob")
    await ann.getByRole("button", { name: "Text: Hello from Bob" }).waitFor()
  })

  test("the editor keeps changes of different members of one block without a question", async () => {
    const { botId, ann, bob } = await open()
    const [annsPanel, bobsPanel] = [ann, bob].map((page) =>
      page.getByRole("complementary", { name: "Options of the block" }),
    )
    for (const page of [ann, bob])
      await page.getByRole("button", { name: /^Text question\s+Saves/ }).click()
    await annsPanel?.getByLabel("Placeholder").waitFor()
    await ann.context().setOffline(true)
    await annsPanel?.getByLabel("Placeholder").fill("From Ann")
    await ann.keyboard.press("Tab")
    await bobsPanel?.getByLabel("Button").fill("From Bob")
    await bob.keyboard.press("Tab")
    const labels = (draft: Stored) => JSON.stringify(draft.groups[0]?.blocks[1])
    await becomes(botId, (draft) => expect(labels(draft)).toContain("From Bob"))
    await ann.context().setOffline(false)
    await becomes(botId, (draft) => {
      expect(labels(draft)).toContain("From Ann")
      expect(labels(draft)).toContain("From Bob")
    })
    await ann.getByText("Saved").waitFor()
    expect(await annsPanel?.getByLabel("Button").inputValue()).toBe("From Bob")
    expect([await question(ann).count(), await question(bob).count()]).toEqual([0, 0])
  })

  test("what another author saves while one types is asked about as well", async () => {
    const botId = await makeBot()
    const ann = await openBot(botId)
    await beginToWrite(ann)
    // Nothing is saved until she leaves the text.
    await ann.clock.install()
    await ann.clock.pauseAt(Date.now() + 60_000)
    await ann.keyboard.press("ControlOrMeta+a")
    await ann.keyboard.type("Hello from Ann")
    const content = { richText: [{ type: "p", children: [{ text: "Hello from Bob" }] }] }
    const group = { id: "gGoodbye", title: "Farewell", graphCoordinates: { x: 720, y: 40 } }
    await edit(
      botId,
      { type: "block.put", groupId: "gWelcome", block: { id: "hello", type: "text", content } },
      { type: "group.put", group },
    )
    await ann.getByRole("heading", { name: "Farewell" }).waitFor()
    await ann.keyboard.press("Escape")
    await ann.clock.resume()
    await question(ann).getByRole("button", { name: "Use mine" }).click()
    await becomes(botId, (draft) => expect(textOf(draft, "hello")).toBe("Hello from Ann"))
  })

  test("a block that the other removed can be put back, also in German", async () => {
    const { botId, ann, bob } = await open({ locale: "de-DE" })
    await beginToWrite(ann)
    await ann.context().setOffline(true)
    await write(ann, "Hallo von Ann")
    await bob.getByRole("button", { name: "Text: Hello there" }).focus()
    await bob.keyboard.press("Delete")
    await becomes(botId, (draft) => expect(draft.groups[0]?.blocks).toHaveLength(2))
    await ann.context().setOffline(false)
    const asked = ann.getByRole("region", { name: "Änderungen, die nicht zusammenpassen" })
    await asked.getByText(/^Entfernt von bob@.*, geändert von dir: Text/).waitFor()
    await asked.getByRole("button", { name: "Meine zurückholen" }).click()
    await becomes(botId, (draft) => expect(textOf(draft, "hello")).toBe("Hallo von Ann"))
    await bob.getByRole("button", { name: "Text: Hallo von Ann" }).waitFor()
  })
})
