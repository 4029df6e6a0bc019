/** Authors publish a bot, give it an address, compare its versions and go back, all by hand. */
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

type Read = { revision: number; events: { outgoingEdgeId: string }[] }

describe.skipIf(!viewer)("in the console, an author", async () => {
  const { open, server } = await openConsole()
  const { send, workspaceId } = server
  const makeBot = async (fromTemplate = "newsletter") => {
    const { body } = await send("POST", "/api/v1/bots/import", {
      body: { workspaceId, fromTemplate },
    })
    return (body.bot as { id: string }).id
  }

  test("publishes a draft with a note, sees what the next one changes, and goes back", async () => {
    const botId = await makeBot()
    const page = await open(`/bots/${botId}/share`)
    await page.getByText("Everything is new").waitFor()
    await page.getByLabel("Note").fill("The first")
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    await page.getByText("Version 1 is live.").waitFor()
    const edits = [{ type: "variable.put", variable: { id: "v9", name: "<b>Town</b>" } }]
    const { body } = await send("GET", `/api/v1/bots/${botId}`)
    const { revision } = body.bot as { revision: number }
    await send("POST", `/api/v1/bots/${botId}/edits`, { body: { revision, edits } })
    await page.reload()
    await page.getByText("<b>Town</b>").first().waitFor()
    await page.getByRole("button", { name: "Publish", exact: true }).click()
    await page.getByText("Version 2 is live.").waitFor()

    await page.getByRole("link", { name: "Versions" }).click()
    await page.getByText("The first").waitFor()
    await page.getByRole("combobox", { name: "From" }).click()
    await page.getByRole("option", { name: "Version 1" }).click()
    await page.getByText("Added").first().waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Make live again" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Make live again" }).click()
    await page.getByText("Version 1 is live.").waitFor()
    const live = await send("GET", `/api/v1/bots/${botId}/versions`)
    expect(live.body.versions).toMatchObject([{ number: 2, isLive: false }, { isLive: true }])
    expectNoComplaints(page)
  })

  test("does not publish what cannot run, and reads why", async () => {
    const botId = await makeBot()
    const { body } = await send("GET", `/api/v1/bots/${botId}`)
    const { revision, events } = body.bot as Read
    const edits = [{ type: "edge.remove", edgeId: events[0]?.outgoingEdgeId }]
    await send("POST", `/api/v1/bots/${botId}/edits`, { body: { revision, edits } })
    const { body: lint } = await send("POST", "/api/v1/bots/lint", { body: { botId } })
    const found = lint.findings as { message: string; severity: string }[]
    const finding = found.find(({ severity }) => severity === "error")
    expect(finding).toBeDefined()
    const page = await open(`/bots/${botId}/share`)
    await page.getByText(finding?.message ?? "").waitFor()
    expect(await page.getByRole("button", { name: "Publish", exact: true }).isDisabled()).toBe(true)
  })

  test("chooses an address, which is refused while another bot has it", async () => {
    const [taken, botId] = [await makeBot(), await makeBot()]
    await send("PATCH", `/api/v1/bots/${taken}`, { body: { bot: { publicId: "taken" } } })
    const page = await open(`/bots/${botId}/share`)
    const field = page.getByLabel("Public id")
    await field.fill("taken")
    await page.getByText("Another bot has this id").waitFor()
    await field.fill("my-letter")
    await page.getByRole("button", { name: "Save" }).first().click()
    await page.getByText(`${server.address}/chat/my-letter`, { exact: true }).waitFor()
    await page.getByRole("tab", { name: "Bubble" }).click()
    await page.getByText('<parley-bubble bot="my-letter">').waitFor()
    expectNoComplaints(page)
  })

  test("shares the bot by mail address, and stops", async () => {
    const botId = await makeBot()
    const page = await open(`/bots/${botId}/share`)
    await page.getByLabel("Mail address").fill("nobody")
    await page.getByLabel("Mail address").fill("bob@example.com")
    await page.getByRole("button", { name: "Share", exact: true }).click()
    await page.getByText("Invited").waitFor()
    await page.getByRole("button", { name: "Stop sharing" }).click()
    await page.getByText("bob@example.com no longer sees this bot").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await page.getByText("Invited").waitFor({ state: "detached" })
    const { body } = await send("GET", `/api/v1/bots/${botId}/collaborators`)
    expect(body.collaborators).toEqual([])
  })
})
