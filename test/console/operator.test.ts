/** Operators decide about workspaces and bots of the whole service; others do not find the pages. */
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("in the console, an operator", async () => {
  const { open, server, addUser } = await openConsole()

  async function newWorkspace(name: string): Promise<string> {
    const { body } = await server.send("POST", "/api/v1/workspaces", { body: { name } })
    return (body as { workspace: { id: string } }).workspace.id
  }
  const read = async (path: string) =>
    (await server.send("GET", `/api/v1/operator${path}`)).body as {
      workspace: object
      bots: object[]
    }

  test("finds a workspace, suspends it after the consequences, changes its limits, and sees who decided", async () => {
    const id = await newWorkspace("<b>Harbour</b>")
    await newWorkspace("Other")
    const page = await open("/")
    await page.getByRole("link", { name: "Operator" }).click()
    await page.getByRole("link", { name: "Other" }).waitFor()
    await expectAccessible(page)
    await page.getByLabel("Search", { exact: true }).fill("HARBOUR")
    await page.getByRole("link", { name: "Other" }).waitFor({ state: "detached" })
    await page.getByRole("link", { name: "<b>Harbour</b>" }).click()
    const drawer = page.getByRole("dialog", { name: "<b>Harbour</b>" }).first()
    await drawer.getByRole("button", { name: "Suspend" }).click()
    const confirm = page.getByRole("dialog", { name: "Suspend: <b>Harbour</b>" })
    await confirm.getByText("New chats are refused").waitFor()
    await confirm.getByRole("button", { name: "Suspend" }).click()
    await drawer.getByRole("button", { name: "Lift the suspension" }).waitFor()
    await drawer.getByLabel("Chats per month").fill("20000")
    await drawer.getByRole("button", { name: "Save" }).click()
    await drawer.getByText("Chats this month: 0 of 20,000").waitFor()
    await drawer.getByText("ann@example.com").last().waitFor()
    await expectAccessible(page)
    expect((await read(`/workspaces/${id}`)).workspace).toMatchObject({
      ...{ isSuspended: true, customChatsLimit: 20_000, customSeatsLimit: null },
    })
    expectNoComplaints(page)
  })

  test("closes a bot at risk with a reason for its authors, and opens it again, on a phone", async () => {
    const workspaceId = await newWorkspace("Prizes")
    const bot = { name: "Prize draw" }
    const made = await server.send("POST", "/api/v1/bots", { body: { workspaceId, bot } })
    const { id } = (made.body as { bot: { id: string } }).bot
    await server.send("PATCH", `/api/v1/operator/bots/${id}`, { body: { riskLevel: 90 } })
    const page = await open("/operator?part=bots&state=atRisk", {
      viewport: { width: 390, height: 844 },
    })
    await page.getByText("Prizes · Risk 90").waitFor()
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
    const dialog = page.getByRole("dialog", { name: "Prize draw" })
    const decide = page.getByRole("button", { name: "Decide about Prize draw" })
    await decide.click()
    await dialog.getByLabel("Reason").fill("Asks for passwords")
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Close the bot" }).click()
    // The field of the reason goes with it.
    await dialog.waitFor({ state: "detached" })
    await page.getByText("Asks for passwords").waitFor()
    const [closed] = (await read("/bots?state=closed")).bots
    expect(closed).toMatchObject({ id, closedReason: "Asks for passwords" })
    await decide.click()
    await dialog.getByRole("button", { name: "Open the bot again" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByText("Asks for passwords").waitFor({ state: "detached" })
    await decide.click()
    await dialog.getByLabel("Risk").fill("10")
    await dialog.getByRole("button", { name: "Save the risk" }).click()
    await page.getByText("No bot matches.").waitFor()
    expectNoComplaints(page)
  })

  test("sees accounts and all decisions; other people get the service's sentence, and no link", async () => {
    await addUser("bea@example.com")
    const page = await open("/operator?part=users&q=bea")
    await page.getByText("never used").waitFor()
    await expectAccessible(page)
    await page.getByRole("tab", { name: "Decisions" }).click()
    await page.getByText("Decided about the bot").first().waitFor()
    await expectAccessible(page)
    expectNoComplaints(page)
    const other = await open("/operator", { email: "bea@example.com" })
    await other
      .getByRole("alert")
      .getByText(/operator/)
      .waitFor()
    await other.getByRole("link", { name: "Shared with you" }).waitFor()
    expect(await other.getByRole("link", { name: "Operator" }).count()).toBe(0)
  })
})
