/** What people see who open an address of the service in a browser, where programs get JSON. */
import { expect, test } from "vitest"
import { testServer } from "../support/server.ts"
import { browse, own, signIn } from "../support/signIn.ts"

const unknown = ["/nothing", "/nothing/deeper", "/signin", "/api/v1/nothing", "/api/nothing"]

test.each(
  unknown,
)("%s is a page for browsers, and the error document for programs", async (path) => {
  const page = await browse("GET", path, { accept: "text/html", origin: null })
  expect(page.status).toBe(404)
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(page.headers.get("vary")).toMatch(/\baccept\b/i)
  expect(page.text).toContain("<h1>Page not found</h1>")
  const refusal = await browse("GET", path, { origin: null })
  expect(refusal.status).toBe(404)
  expect(refusal.headers.get("content-type")).toMatch(/^application\/problem\+json/)
  expect(refusal.headers.get("vary")).toMatch(/\baccept\b/i)
  expect(JSON.parse(refusal.text)).toMatchObject({ status: 404 })
})

test("an address in an error page is text", async () => {
  const { text } = await browse("GET", "/<img src=x>", { accept: "text/html", origin: null })
  expect(text).not.toContain("<img")
})

test("other refusals of an address are pages, too, and those of a change are not", async () => {
  const secret = await browse("GET", "/api/v1/users/me", { accept: "text/html", origin: null })
  expect(secret.status).toBe(401)
  expect(secret.text).toContain("<h1>Unauthorized</h1>")
  const change = await browse("POST", "/nothing", { accept: "text/html", origin: null, body: {} })
  expect(change.headers.get("content-type")).toMatch(/^application\/problem\+json/)
})

test("where people can sign in by links alone, the page says how to get one", async () => {
  const bare = await testServer()
  const answer = await fetch(`${bare.address}/signIn`, { headers: { accept: "text/html" } })
  const text = await answer.text()
  expect(text).toContain("<code>npx parley login</code>")
  expect(text).toContain("PARLEY_SMTP_URL")
  expect(text).not.toContain("<form")
})

test("who is signed in is shown, and signs out there or goes on", async () => {
  const cookie = await signIn()
  const path = "/signIn?next=/docs"
  const page = await browse("GET", path, { accept: "text/html", origin: null, cookie })
  expect(page.text).toContain("You are signed in as ann@example.com.")
  expect(page.text).toContain('<a href="/docs">Go on</a>')
  expect(page.text).not.toContain("Send me a code")
  const secret = /name="session" value="([^"]+)"/.exec(page.text)?.[1] ?? ""
  const body = new URLSearchParams({ session: secret }).toString()
  const type = "application/x-www-form-urlencoded"
  const left = await browse("POST", "/signOut", { body, type, origin: own, cookie, secret: null })
  expect({ status: left.status, session: left.session }).toMatchObject({
    status: 303,
    session: expect.stringMatching(/^parley_session=;/),
  })
  const after = await browse("GET", path, { accept: "text/html", origin: null, cookie })
  expect(after.text).toContain("Send me a code")
})
