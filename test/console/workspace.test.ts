/** Members look after what the bots of a workspace share: people, keys, values, endpoints, files. */
import { describe, expect, test } from "vitest"
import { type Peer, startPeer } from "../effects/peer.ts"
import { expectNoComplaints } from "../pages/browser.ts"
import { bot, group } from "../support/bots.ts"
import { expectAccessible } from "./expectAccessible.ts"
import { openConsole, viewer } from "./openConsole.ts"

const shop = await startPeer()

describe.skipIf(!viewer)("in the workspace of the console, an admin", async () => {
  const { open, server } = await openConsole({ PARLEY_ALLOW_HOSTS: "127.0.0.1" })
  const { send, workspaceId } = server

  test("keeps values in clear, and secrets that are shown to no one again", async () => {
    const page = await open("/workspace?part=variables")
    const add = async (name: string, value: string, isSecret: boolean) => {
      await page.getByLabel("Name", { exact: false }).last().fill(name)
      await page.getByLabel("Value", { exact: true }).fill(value)
      if (isSecret) await page.getByRole("checkbox", { name: "Secret" }).check()
      await page.getByRole("button", { name: "Add" }).click()
      await page.getByRole("cell", { name }).first().waitFor()
    }
    await add("shopUrl", "https://shop.example", false)
    await add("shopKey", "a-key-that-is-secret", true)
    await page.reload()
    expect(await page.getByLabel("New value of shopUrl").inputValue()).toBe("https://shop.example")
    expect(await page.getByLabel("New value of shopKey").inputValue()).toBe("")
    const { body } = await send("GET", `/api/v1/workspaces/${workspaceId}/variables`)
    expect(body.variables).toMatchObject([
      { name: "shopKey", isSecret: true },
      { name: "shopUrl", value: "https://shop.example" },
    ])
    expectNoComplaints(page)
  })

  test("invites a person as a member, and withdraws it", async () => {
    const page = await open("/workspace?part=members")
    await page.getByLabel("Mail address").fill("bob@example.com")
    await page.getByRole("button", { name: "Invite" }).click()
    await page.getByText("Invited").waitFor()
    await page.getByRole("button", { name: "Withdraw the invitation: bob@example.com" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw the invitation" }).click()
    await page.getByText("Invited").waitFor({ state: "detached" })
    expectNoComplaints(page)
  })

  test("makes a credential, whose contents are in no page afterwards", async () => {
    const page = await open("/workspace?part=credentials")
    await page.getByRole("button", { name: "New credential" }).click()
    await page.getByRole("menuitem", { name: "openai", exact: true }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("<i>Models</i>")
    await dialog.locator("input[type=password]").first().fill("sk-a-key-that-is-secret")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("cell", { name: "<i>Models</i>", exact: true }).waitFor()
    expect(await page.content()).not.toContain("sk-a-key-that-is-secret")
    expectNoComplaints(page)
  })

  test("changes the name of a credential, and where its secrets may go", async () => {
    const data = { url: "http://proxy.example.com:8080" }
    const credentials = { type: "http proxy", name: "Office", data, allowedHosts: ["a.example"] }
    await send("POST", "/api/v1/credentials", { body: { workspaceId, credentials } })
    const page = await open("/workspace?part=credentials")
    await page.getByRole("button", { name: "Change: Office" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("Head office")
    const hosts = dialog.getByLabel("Allowed hosts").first()
    await hosts.fill("https://b.example/path")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText(/^must be a host/).waitFor()
    await hosts.press("Backspace")
    await hosts.fill("b.example")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("cell", { name: "Head office a.example, b.example" }).waitFor()
    const path = `/api/v1/credentials?workspaceId=${workspaceId}&type=http%20proxy`
    expect((await send("GET", path)).body.credentials).toMatchObject([
      { name: "Head office", allowedHosts: ["a.example", "b.example"] },
    ])
  })

  test("replaces the key of a credential, which stays when its name is changed", async () => {
    const { host } = new URL(shop.url)
    const data = { auth: { type: "bearer", token: "the-old-key" } }
    const credentials = { type: "http", name: "Shop", data, allowedHosts: [host] }
    const stored = await send("POST", "/api/v1/credentials", { body: { workspaceId, credentials } })
    const { credentialsId } = stored.body as { credentialsId: string }
    const page = await open("/workspace?part=credentials")
    await page.getByRole("button", { name: "Change: Shop" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Replace its contents" }).click()
    await dialog.getByRole("combobox", { name: "Auth: Kind" }).click()
    await page.getByRole("option", { name: "Bearer token" }).click()
    await dialog.getByLabel("Token").fill("the-new-key")
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Change: Shop" }).click()
    await dialog.getByLabel("Name").fill("Tea shop")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("cell", { name: `Tea shop ${host}` }).waitFor()
    expect(await keySentTo(shop, credentialsId)).toBe("Bearer the-new-key")
    expectNoComplaints(page)
  })

  /** What a bot sends with the credential. */
  async function keySentTo({ url, received }: Peer, credentialsId: string) {
    const flow = bot(
      group("Start", { type: "Webhook", options: { credentialsId, webhook: { url } } }),
    )
    const made = await send("POST", "/api/v1/bots/import", {
      body: { workspaceId, bot: { name: "Calls", ...flow } },
    })
    const { id } = (made.body as { bot: { id: string } }).bot
    await send("POST", `/api/v1/bots/${id}/preview/startChat`, { body: {} })
    return received.at(-1)?.headers.authorization
  }

  test("offers no type of credential that has nothing to fill in", async () => {
    const { body } = await send("GET", "/api/v1/blocks")
    const { credentials } = body as { credentials: { type: string }[] }
    const page = await open("/workspace?part=credentials")
    await page.getByRole("button", { name: "New credential" }).click()
    await page.getByRole("menuitem", { name: "smtp", exact: true }).waitFor()
    const types = await page.getByRole("menuitem").allInnerTexts()
    expect(credentials.map(({ type }) => type).filter((type) => !types.includes(type))).toEqual([
      "whatsApp",
    ])
  })

  test("sees on a phone which part is open", async () => {
    const page = await open("/workspace?part=usage", { viewport: { width: 390, height: 844 } })
    const tab = page.getByRole("tab", { name: "Usage", selected: true })
    const endOf = async () => {
      const box = await tab.boundingBox()
      return box && box.x + box.width
    }
    await expect.poll(endOf).toBeLessThanOrEqual(390)
  })

  test("renames a theme template, opens the theme of a bot to use it, and deletes it", async () => {
    const page = await open("/workspace?part=themes")
    await page.getByText("There are none yet.").waitFor()
    const theme = { chat: { buttons: { backgroundColor: "#9a4a1c" } } }
    const path = `/api/v1/workspaces/${workspaceId}/themeTemplates`
    await send("POST", path, { body: { name: "Autumn", theme } })
    await send("POST", "/api/v1/bots", { body: { workspaceId, bot: { name: "Tea club" } } })
    await page.reload()
    await page.getByRole("button", { name: "Rename: Autumn" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("<i>Late autumn</i>")
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Use in a bot: <i>Late autumn</i>" }).click()
    await page.getByRole("menuitem", { name: "Tea club" }).click()
    await page.getByRole("button", { name: "Apply <i>Late autumn</i>" }).waitFor()
    await page.goBack()
    await page.getByRole("button", { name: "Delete: <i>Late autumn</i>" }).click()
    await dialog.getByText("Bots that have its look keep it.").waitFor()
    await dialog.getByRole("button", { name: "Delete" }).click()
    await page.getByText("There are none yet.").waitFor()
    expect((await send("GET", `${path}?isBuiltIn=false`)).body.themeTemplates).toEqual([])
    expectNoComplaints(page)
  })

  test("makes an endpoint, whose secret is shown once, and sees who did what", async () => {
    const page = await open("/workspace?part=webhooks")
    await page.getByRole("button", { name: "New endpoint" }).click()
    await page.getByLabel("Address").fill("https://crm.example.com/hook")
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByText(/^whsec_/).waitFor()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Deliveries" }).click()
    await page.getByText("Nothing was sent yet.").waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("tab", { name: "Audit log" }).click()
    await page.getByRole("cell", { name: "createWebhookEndpoint" }).waitFor()
    await page.getByRole("tab", { name: "Usage" }).click()
    await page.getByText("Tokens sent to models").waitFor()
    expectNoComplaints(page)
  })
})
