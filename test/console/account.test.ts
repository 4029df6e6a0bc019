/** People look after their account: their name and language, their tokens, the browsers they are signed in with. */
import { describe, expect, test } from "vitest"
import { expectNoComplaints } from "../pages/browser.ts"
import { openConsole, viewer } from "./openConsole.ts"

describe.skipIf(!viewer)("in the account of the console, a person", async () => {
  const { open, server } = await openConsole()

  test("chooses a name and a language, which counts at once", async () => {
    const page = await open("/account")
    await page.getByLabel("Name").first().fill("Ann")
    await page.getByRole("combobox", { name: "Language" }).click()
    await page.getByRole("option", { name: "Deutsch" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "Konto" }).waitFor()
    const { body } = await server.send("GET", "/api/v1/users/me")
    expect(body).toMatchObject({ name: "Ann", preferredLanguage: "de" })
    const updates = { preferredLanguage: null }
    await server.send("PATCH", "/api/v1/users/me", { body: { updates } })
    expectNoComplaints(page)
  })

  test("makes a token that is shown once, and revokes it", async () => {
    const page = await open("/account")
    await page.getByLabel("Name").last().fill("For the CI")
    await page.getByRole("button", { name: "Make a token" }).click()
    const secret = await page.getByText(/^parley_pat_/).innerText()
    const read = () => server.send("GET", "/api/v1/users/me", { token: secret.trim() })
    expect((await read()).status).toBe(200)
    await page.reload()
    await page.getByText("For the CI").waitFor()
    expect(await page.content()).not.toContain(secret.trim())
    await page.getByRole("button", { name: "Revoke: For the CI" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
    await page.getByText("For the CI").first().waitFor({ state: "detached" })
    expect((await read()).status).toBe(401)
    expectNoComplaints(page)
  })

  test("signs another browser out", async () => {
    const [page, other] = [await open("/account"), await open("/account")]
    await page.reload()
    await page.getByRole("button", { name: "Sign out there" }).first().waitFor()
    for (;;) {
      const left = await page.getByRole("button", { name: "Sign out there" }).count()
      if (left === 0) break
      await page.getByRole("button", { name: "Sign out there" }).first().click()
      await expect
        .poll(() => page.getByRole("button", { name: "Sign out there" }).count())
        .toBeLessThan(left)
    }
    await other.goto(`${server.address}/console`)
    expect(other.url()).toContain("/signIn")
  })
})
