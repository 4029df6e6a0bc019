/** The list of bots: new ones, folders, search, the bin, and what others share. */
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("the bots of a workspace", async () => {
  const { open, server, addUser } = await openConsole()

  async function newWorkspace(name: string): Promise<string> {
    const { body } = await server.send("POST", "/api/v1/workspaces", { body: { name } })
    return (body as { workspace: { id: string } }).workspace.id
  }

  async function addBot(workspaceId: string, bot: object): Promise<string> {
    const { body } = await server.send("POST", "/api/v1/bots", { body: { workspaceId, bot } })
    return (body as { bot: { id: string } }).bot.id
  }

  const bots = async (workspaceId: string, more = "") =>
    (await server.send("GET", `/api/v1/bots?workspaceId=${workspaceId}${more}`)).body as {
      bots: { id: string; name: string; folderId: string | null; purgesAt?: string }[]
    }

  test("begin with what to do first: a starter, chosen by keyboard alone, is a bot with a name", async () => {
    const workspaceId = await newWorkspace("Beginners")
    const page = await open(`/?workspace=${workspaceId}`)
    await page.getByRole("heading", { name: "Make your first bot" }).waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Choose a starter" }).press("Enter")
    await page.getByRole("button", { name: /^Customer survey/ }).press("Enter")
    await page.getByLabel("Name", { exact: true }).fill("My survey")
    await expectAccessible(page)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/console\/bots\/[a-z0-9]+/)
    expect((await bots(workspaceId)).bots).toMatchObject([{ name: "My survey" }])
    expectNoComplaints(page)
  })

  test("show a hostile name as text, whether they are live, and are found by `/` in all folders", async () => {
    const workspaceId = await newWorkspace("Finders")
    const name = `<img src=x onerror="alert(1)">`
    const { body } = await server.send("POST", `/api/v1/workspaces/${workspaceId}/folders`, {
      body: { name: "Deep" },
    })
    const { folder } = body as { folder: { id: string } }
    await addBot(workspaceId, { name, folderId: folder.id })
    const page = await open(`/?workspace=${workspaceId}`, { viewport: { width: 390, height: 844 } })
    await page.getByRole("link", { name: "Deep" }).waitFor()
    await page.keyboard.press("/")
    await page.keyboard.type("IMG")
    const card = page.getByRole("listitem").filter({ hasText: name })
    await card.waitFor()
    expect(await card.innerText()).toMatch(/Draft[\s\S]*No chats in 7 days[\s\S]*Deep/)
    expect(new URL(page.url()).searchParams.get("q")).toBe("IMG")
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390)
    expectNoComplaints(page)
  })

  test("move to a folder and to the bin together, and come back from there", async () => {
    const workspaceId = await newWorkspace("Movers")
    for (const name of ["One", "Two", "Three"]) await addBot(workspaceId, { name })
    const page = await open(`/?workspace=${workspaceId}`)
    await page.getByRole("button", { name: "New folder" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Spring")
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { name: "Spring", exact: true }).waitFor()
    await page.getByRole("link", { name: "Bots", exact: true }).last().click()
    for (const name of ["One", "Two"]) await page.getByLabel(`Select ${name}`).check()
    await page.getByRole("button", { name: "Move", exact: true }).click()
    await page.getByLabel("Spring", { exact: true }).check()
    await page.getByRole("dialog").getByRole("button", { name: "Move", exact: true }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    const inFolder = (await bots(workspaceId)).bots.filter(({ folderId }) => folderId !== null)
    expect(inFolder.map(({ name }) => name).toSorted()).toEqual(["One", "Two"])

    await page.getByRole("button", { name: "What to do with Three" }).click()
    await page.getByRole("menuitem", { name: "Move to the bin" }).click()
    const dialog = page.getByRole("dialog", { name: "Move Three to the bin?" })
    await dialog.getByText("Open chats end").waitFor()
    await dialog.getByRole("button", { name: "Move to the bin" }).click()
    await dialog.waitFor({ state: "detached" })
    const inBin = (await bots(workspaceId, "&deleted=true")).bots
    expect(inBin).toMatchObject([{ name: "Three" }])
    const day = new Date(inBin[0]?.purgesAt ?? "")
    await page.getByRole("link", { name: "Bin" }).click()
    const written = day.toLocaleDateString("en-GB", { dateStyle: "medium" })
    await page.getByText(`gone for good ${written}`).waitFor()
    await page.getByRole("button", { name: "Restore: Three" }).click()
    await page.getByRole("heading", { name: "The bin is empty" }).waitFor()
    expect((await bots(workspaceId)).bots).toHaveLength(3)
    expectNoComplaints(page)
  })

  test("are imported from a file after its findings were seen, and what is no bot is refused", async () => {
    const workspaceId = await newWorkspace("Importers")
    const page = await open(`/?workspace=${workspaceId}`)
    await page.getByRole("button", { name: "Import a file" }).click()
    const file = (text: string) =>
      page.locator("input[type=file]").setInputFiles({
        name: "bot.json",
        mimeType: "application/json",
        buffer: Buffer.from(text),
      })
    await file("{ nonsense")
    await page.getByRole("alert").filter({ hasText: "bot.json is not JSON" }).waitFor()
    await page.getByRole("button", { name: "Choose another file" }).click()
    const edge = { id: "e", from: { eventId: "start" }, to: { groupId: "gone" } }
    const start = {
      id: "start",
      type: "start",
      outgoingEdgeId: "e",
      graphCoordinates: { x: 0, y: 0 },
    }
    const flow = { version: "6.1", name: "From a file", events: [start], groups: [], variables: [] }
    await file(JSON.stringify({ ...flow, edges: [edge], theme: {}, settings: {} }))
    await page.getByRole("region", { name: "Findings" }).getByText(/gone/).waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Import anyway" }).click()
    await page.waitForURL(/\/console\/bots\/[a-z0-9]+/)
    expect((await bots(workspaceId)).bots).toMatchObject([{ name: "From a file" }])
  })

  test("that others share are accepted with their invitations, in German too", async () => {
    const workspaceId = await newWorkspace("Bakery")
    const botId = await addBot(workspaceId, { name: "Orders" })
    await addUser("guest@example.com")
    const body = { email: "guest@example.com", type: "READ" }
    await server.send("POST", `/api/v1/bots/${botId}/collaborators`, { body })
    const page = await open("/shared", { email: "guest@example.com", locale: "de-DE" })
    await page.getByText("Bot von Bakery, zum Ansehen").waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Annehmen" }).click()
    await page.getByRole("link", { name: "Orders" }).waitFor()
    await page.getByText("Du darfst ihn ansehen").waitFor()
    expectNoComplaints(page)
  })
})
