/** People sign in with a real browser, which sends what browsers send, also from pages of others. */
import { describe, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { findUserByEmail } from "../../src/db/people/users.ts"
import { pageSecret } from "../../src/people/sessionCookie.ts"
import { newSignInLink } from "../../src/people/signIn.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { whenOver } from "../support/whenOver.ts"
import { openViewer } from "./browser.ts"
import { clientScript } from "./clientScript.ts"
import { hostSite } from "./hostSite.ts"
import { pageServer } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a person who opens a link", async () => {
  const known = await hostSite("http://127.0.0.1:*")
  const unknown = await hostSite("http://127.0.0.1:*")
  const other = await hostSite("http://127.0.0.1:*")
  for (const site of [known, unknown, other]) site.serve({ "/": "<title>A page</title>" })
  const url = await testDatabaseUrl()
  const server = await pageServer({ DATABASE_URL: url, PARLEY_ALLOWED_ORIGINS: known.origin })
  const db = await openDatabase({ url, poolSize: 1 })
  whenOver(() => db.close())
  const userId = (await findUserByEmail(db, "ann@example.com"))?.id ?? ""

  test("is signed in by the button, for pages of the service and of known origins alone", async () => {
    const page = await viewer?.browser.newPage()
    if (!page) return
    const link = await newSignInLink(db, { userId, serviceUrl: server.address })
    await page.goto(`${link}&next=/docs`)
    expect(await page.textContent("main")).toContain("as ann@example.com")
    await page.click("button")
    await page.waitForURL(`${server.address}/docs`)
    // Ports do not part sites: the browser sends the cookie from all of these pages.
    const callFrom = async (origin: string, path: string, init: object = {}) => {
      await page.goto(origin)
      const sent = JSON.stringify({ credentials: "include", ...init })
      return await page.evaluate(
        `fetch(${JSON.stringify(server.address + path)}, ${sent}).then(
          async (answer) => answer.status + " " + await answer.text(), () => "not readable")`,
      )
    }
    const change = {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ updates: { name: "Ann" } }),
    }
    const me = "/api/v1/users/me"
    expect(await callFrom(known.origin, me)).toMatch(/^200 .*ann@example.com/)
    expect(await callFrom(known.origin, me, change)).toMatch(/^200 .*"name":"Ann"/)
    // Pages of the service itself send the secret that they find in themselves; others have none.
    expect(await callFrom(`${server.address}/docs/reference`, me)).toMatch(/^401 /)
    await page.goto(`${server.address}/signIn`)
    const secret = await page.getAttribute('meta[name="parley-session"]', "content")
    // That page has no script; what one would send goes along with the same cookies.
    const headers = { "x-parley-session": String(secret) }
    const answer = await page.context().request.get(server.address + me, { headers })
    expect(await answer.json()).toMatchObject({ email: "ann@example.com" })
    expect(await callFrom(unknown.origin, me)).toMatch(/^403 /)
    // Sent without asking first, as a form is, and refused all the same.
    const leaving = { method: "POST", mode: "no-cors", body: "a=b" }
    await callFrom(unknown.origin, "/signOut", {
      ...leaving,
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect(await callFrom(known.origin, me)).toMatch(/^200 /)
    await page.close()
  })

  test("continues to a page of another port, which counts from then on, and others do not", async () => {
    const page = await viewer?.browser.newPage()
    if (!page) return
    const me = JSON.stringify(`${server.address}/api/v1/users/me`)
    const statusAt = async (origin: string) => {
      await page.goto(origin)
      return await page.evaluate(
        `fetch(${me}, { credentials: "include" }).then(({ status }) => status)`,
      )
    }
    const link = await newSignInLink(db, { userId, serviceUrl: server.address, next: "/docs" })
    await page.goto(link)
    await page.click("button")
    await page.waitForURL(`${server.address}/docs`)
    expect(await statusAt(unknown.origin)).toBe(403)
    const query = new URLSearchParams({ next: `${unknown.origin}/#flows` })
    await page.goto(`${server.address}/signIn?${query}`)
    expect(await page.textContent("main")).toContain(`You go on to ${unknown.origin}`)
    await page.getByRole("button", { name: "Go on" }).click()
    await page.waitForURL(`${unknown.origin}/#flows`)
    expect(await statusAt(unknown.origin)).toBe(200)
    expect(await statusAt(other.origin)).toBe(403)
    await page.close()
  })

  test("comes back to the builder app that sent them, whose client then needs no token", async () => {
    known.serve({
      "/flows": '<script src="/client.js"></script>',
      "/client.js": await clientScript(),
    })
    const page = await viewer?.browser.newPage()
    if (!page) return
    const link = await newSignInLink(db, { userId, serviceUrl: server.address })
    await page.goto(`${link}&${new URLSearchParams({ next: `${known.origin}/flows` })}`)
    await page.click("button")
    await page.waitForURL(`${known.origin}/flows`)
    const heard = await page.evaluate(`(async () => {
      const parley = Client.createParleyClient({
        url: ${JSON.stringify(server.address)},
        fetch: (address, init) => fetch(address, { ...init, credentials: "include" }),
      })
      const { workspaces } = await parley.workspace.list.query()
      const { bot } = await parley.bot.create.mutate({ workspaceId: workspaces[0].id, bot: {} })
      return await new Promise((resolve, reject) => {
        const from = { botId: bot.id, revision: bot.revision }
        parley.bot.changes.subscribe(from, { onData: ({ data }) => resolve(data.type), onError: reject })
      })
    })()`)
    expect(heard).toBe("listening")
    await page.close()
  })
})

test("too many attempts keep the target page", async () => {
  const limited = await pageServer({ PARLEY_RATES: "signIn=0.01/1" })
  const attempt = () =>
    fetch(`${limited.address}/signIn/link`, {
      method: "POST",
      headers: {
        origin: limited.address,
        accept: "text/html",
        cookie: "parley_form=any",
        "x-parley-session": pageSecret("any"),
      },
      body: new URLSearchParams({ code: "spent", next: "/docs" }),
    })
  await attempt()
  const refused = await attempt()
  expect(refused.status).toBe(429)
  expect(await refused.text()).toContain('<a href="/signIn?next=%2Fdocs">Start again</a>')
})
