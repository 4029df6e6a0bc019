/** People sign in at a provider of OpenID Connect: a real one, which this test runs. */
import { createServer } from "node:http"
import Provider from "oidc-provider"
import { expect, onTestFinished, test } from "vitest"
import { secretHeader } from "../../src/people/sessionCookie.ts"
import { testDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { secretOf } from "../support/secretOf.ts"
import { testServer } from "../support/server.ts"
import { whenOver } from "../support/whenOver.ts"

const [idpPort, ownPort] = [await freePort(), await freePort()]
const issuer = `http://127.0.0.1:${idpPort}`
const own = `http://127.0.0.1:${ownPort}`

/** What the provider says of whoever is signed in there. */
let person: Record<string, unknown> & { email: string } = {
  email: "bob@example.com",
  email_verified: true,
  name: "Bob",
}
/** What it says in the token: as a rule, the subject alone. The user info has all but what Entra keeps to tokens. */
let isInToken = (_claim: string) => false

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "parley",
      client_secret: "a secret of the client",
      redirect_uris: [`${own}/signIn/openId/callback`],
      post_logout_redirect_uris: [`${own}/signIn`],
    },
  ],
  claims: { openid: ["sub"], email: ["email", "email_verified", "xms_edov"], profile: ["name"] },
  conformIdTokenClaims: false,
  findAccount: (_ctx, sub) => ({
    accountId: sub,
    claims: async (use) => {
      const told = Object.entries(person).filter(([claim]) =>
        use === "userinfo" ? claim !== "xms_edov" : isInToken(claim),
      )
      return { sub, ...Object.fromEntries(told) }
    },
  }),
  cookies: { keys: ["a key of the test"] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  // Whoever comes is signed in and agrees.
  loadExistingGrant: async (ctx) => {
    const { client, session } = ctx.oidc
    const grant = new ctx.oidc.provider.Grant({
      clientId: client?.clientId,
      accountId: session?.accountId,
    })
    grant.addOIDCScope("openid email profile")
    await grant.save()
    return grant
  },
})
provider.on("server_error", (_ctx, error) => console.error(error))
const answer = provider.callback()
const idp = createServer((request, response) => {
  if (!request.url?.startsWith("/interaction/")) return void answer(request, response)
  const result = { login: { accountId: person.email } }
  void provider.interactionFinished(request, response, result)
})
await new Promise<void>((resolve) => idp.listen(idpPort, "127.0.0.1", resolve))
whenOver(() => {
  idp.closeAllConnections()
  return new Promise<void>((resolve) => void idp.close(() => resolve()))
})

const database = await testDatabase()
const server = await testServer({
  DATABASE_URL: database.url,
  PORT: String(ownPort),
  PARLEY_PUBLIC_URL: own,
  PARLEY_OIDC_ISSUER: issuer,
  PARLEY_OIDC_CLIENT_ID: "parley",
  PARLEY_OIDC_CLIENT_SECRET: "a secret of the client",
  PARLEY_OIDC_DOMAINS: "example.com, @Example.org.",
})

/** A browser: it keeps cookies by host, and follows redirects until a page or an end. */
function openBrowser() {
  const jar = new Map<string, string>()
  const request = async (address: string, init: RequestInit = {}) => {
    const { origin } = new URL(address)
    const cookies = [...jar].filter(([key]) => key.startsWith(origin)).map(([, pair]) => pair)
    const session = cookies.find((pair) => pair.startsWith("parley_session="))
    const headers = {
      accept: "text/html",
      cookie: cookies.join("; "),
      ...(session && { [secretHeader]: secretOf(session) }),
      ...init.headers,
    }
    const response = await fetch(address, { ...init, redirect: "manual", headers })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";")
      const key = `${origin} ${pair.split("=")[0]}`
      if (pair.endsWith("=") || /max-age=0|1970/i.test(cookie)) jar.delete(key)
      else jar.set(key, pair)
    }
    const location = response.headers.get("location")
    const next = location === null ? undefined : new URL(location, address).href
    return { status: response.status, text: await response.text(), next }
  }
  /** Follows until the next address fits. */
  const follow = async (address: string, until: RegExp) => {
    let at = await request(address)
    while (at.next !== undefined && !until.test(at.next)) at = await request(at.next)
    return at
  }
  return { request, follow, jar }
}

const start = `${own}/signIn/openId?next=/docs`
const callback = /\/signIn\/openId\/callback/
const nowhere = /^nowhere$/

/** Who this browser is for the service. */
async function whoIs({ request }: ReturnType<typeof openBrowser>) {
  const { status, text } = await request(`${own}/api/v1/users/me`)
  return status === 200 ? JSON.parse(text) : status
}

test("the first sign-in makes an account, and joins the workspaces that have invited the address", async () => {
  person = { email: "Bob@Example.com", email_verified: true, name: "Bob" }
  const { body: listed } = await server.send("GET", "/api/v1/workspaces")
  const [workspace] = listed.workspaces as { id: string }[]
  const path = `/api/v1/workspaces/${workspace?.id}/invitations`
  await server.send("POST", path, { body: { email: "bob@example.com", type: "MEMBER" } })
  const browser = openBrowser()
  const end = await browser.follow(start, /\/docs$/)
  expect(end, end.text).toMatchObject({ status: 303, next: `${own}/docs` })
  expect(await whoIs(browser)).toMatchObject({ email: "bob@example.com", name: "Bob" })
  const seen = await browser.request(`${own}/api/v1/workspaces`)
  expect(JSON.parse(seen.text).workspaces).toMatchObject([{ id: workspace?.id }])
  // The second one finds the account.
  const again = openBrowser()
  await again.follow(start, /\/docs$/)
  expect((await whoIs(again)).id).toBe((await whoIs(browser)).id)
})

test("who comes from the provider is asked before a local page counts", async () => {
  person = { email: "zoe@example.com", email_verified: true, name: "Zoe" }
  const browser = openBrowser()
  const page = "http://localhost:5173/app"
  const begun = `${own}/signIn/openId?${new URLSearchParams({ next: page })}`
  const end = await browser.follow(begun, /\/signIn\?next=/)
  expect(end.next).toBe(`${own}/signIn?${new URLSearchParams({ next: page })}`)
  expect([...browser.jar.keys()].filter((key) => key.includes("parley_pages"))).toEqual([])
})

type SignIn = [claims: Record<string, unknown>, inToken: typeof isInToken]

/** Signs somebody new in with each of these claims: the status, and their address or the refusal. */
async function outcomesOf(name: string, signIns: readonly SignIn[]) {
  onTestFinished(() => {
    isInToken = () => false
  })
  const outcomes = []
  for (const [index, [claims, inToken]] of signIns.entries()) {
    isInToken = inToken
    person = { email: `${name}${index}@example.com`, name, ...claims }
    const browser = openBrowser()
    const { status } = await browser.follow(start, /\/docs$/)
    const me = await whoIs(browser)
    outcomes.push([status, me.email ?? me])
  }
  return outcomes
}

test("an address is verified also by a text, and by the user info alone", async () => {
  const outcomes = await outcomesOf("dan", [
    [{ email_verified: "true" }, () => false],
    [{ email_verified: "true" }, () => true],
    [{ email_verified: true }, (claim) => claim === "email"],
    [{}, (claim) => claim === "email"],
    [{ email_verified: false }, (claim) => claim === "email"],
    [{ email_verified: "false" }, () => true],
    [{ email_verified: "True" }, () => false],
    [{ email_verified: 1 }, () => true],
  ])
  expect(outcomes).toEqual([
    [303, "dan0@example.com"],
    [303, "dan1@example.com"],
    [303, "dan2@example.com"],
    ...Array.from({ length: 5 }, () => [403, 401]),
  ])
})

test("Microsoft Entra says in its own claim that an address is verified", async () => {
  const outcomes = await outcomesOf("fay", [
    [{ xms_edov: true }, () => true],
    [{ xms_edov: "1" }, () => true],
    [{ xms_edov: 1 }, (claim) => claim !== "name"],
    [{ xms_edov: false }, () => true],
    [{ xms_edov: "0" }, () => true],
    // The provider has said no.
    [{ xms_edov: true, email_verified: false }, () => true],
    // The address is one that the user info names.
    [{ xms_edov: true }, (claim) => claim === "xms_edov"],
  ])
  expect(outcomes).toEqual([
    [303, "fay0@example.com"],
    [303, "fay1@example.com"],
    [303, "fay2@example.com"],
    ...Array.from({ length: 4 }, () => [403, 401]),
  ])
})

test("another domain, or an address that is not verified, is refused in words", async () => {
  const refusals = []
  for (const [email, email_verified] of [
    ["eve@evil.example", true],
    ["eve@sub.example.com", true],
    ["eve@example.com", false],
    // Lower case makes an ordinary k of a Kelvin sign.
    ["\u212aate@example.com", true],
  ] as const) {
    person = { email, email_verified, name: "Eve" }
    const browser = openBrowser()
    const { status, text } = await browser.follow(start, nowhere)
    expect(text).toContain('<a href="/signIn?next=%2Fdocs">Start again</a>')
    refusals.push([status, /<p>(.*?)<\/p>/.exec(text)?.[1]])
    expect(await whoIs(browser)).toBe(401)
  }
  expect(refusals).toEqual([
    [403, "People with an address at evil.example may not sign in here."],
    [403, "People with an address at sub.example.com may not sign in here."],
    [403, "The provider has not verified your e-mail address."],
    [403, "The provider has named no e-mail address that this service takes."],
  ])
})

test("an answer counts only in the browser that has asked, and once", async () => {
  person = { email: "bob@example.com", email_verified: true, name: "Bob" }
  const browser = openBrowser()
  const { next: answered = "" } = await browser.follow(start, callback)
  // Somebody is made to open the answer to another person's sign-in.
  const victim = openBrowser()
  expect((await victim.request(answered)).status).toBe(400)
  await victim.request(start)
  expect((await victim.request(answered)).status).toBe(400)
  expect(await whoIs(victim)).toBe(401)
  const kept = new Map(browser.jar)
  const forged = answered.replace(/state=[^&]+/, "state=forged")
  expect((await browser.request(forged)).status).toBe(400)
  expect(await whoIs(browser)).toBe(401)
  for (const [key, pair] of kept) browser.jar.set(key, pair)
  expect(await browser.request(answered)).toMatchObject({ status: 303, next: `${own}/docs` })
  expect(await whoIs(browser)).toMatchObject({ email: "bob@example.com" })
  // The code is spent, even for a browser that still has what it kept.
  const replaying = openBrowser()
  for (const [key, pair] of kept) replaying.jar.set(key, pair)
  expect((await replaying.request(answered)).status).toBe(400)
  expect(await whoIs(replaying)).toBe(401)
})

test("answers that no sign-in of this browser awaits count nothing, and end none", async () => {
  const browser = openBrowser()
  const { next: answered = "" } = await browser.follow(start, callback)
  const forged = `${own}/signIn/openId/callback?code=x&state=y`
  const picture = openBrowser()
  for (let count = 0; count < 70; count++) {
    expect((await picture.request(forged)).status).toBe(400)
  }
  expect((await browser.request(forged)).status).toBe(400)
  expect(await browser.request(answered)).toMatchObject({ status: 303 })
})

test("who signs out here is led to the provider to sign out there, too", async () => {
  const browser = openBrowser()
  await browser.follow(start, /\/docs$/)
  const stolen = await browser.request(`${own}/signOut`, {
    method: "POST",
    body: "{}",
    headers: { origin: "http://evil.example", "content-type": "application/json" },
  })
  expect(stolen.status).toBe(403)
  const out = await browser.request(`${own}/signOut`, {
    method: "POST",
    body: "{}",
    headers: { origin: own, "content-type": "application/json" },
  })
  const { continueAt } = JSON.parse(out.text)
  expect(await whoIs(browser)).toBe(401)
  const there = await browser.request(continueAt)
  expect({ status: there.status, text: there.text }).toMatchObject({ status: 200 })
  expect(there.text).toContain("form")
})

test("without a provider the service starts, and says at the sign-in what is missing", async () => {
  const alone = await testServer({
    DATABASE_URL: database.url,
    PARLEY_OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    PARLEY_OIDC_CLIENT_ID: "parley",
    PARLEY_OIDC_CLIENT_SECRET: "a secret of the client",
  })
  const { status, body } = await alone.send("GET", "/signIn/openId", { token: null })
  expect({ status, message: body.message }).toEqual({
    status: 503,
    message: "The provider with which people sign in does not answer",
  })
})

test("without domains an address needs an account or an invitation", async () => {
  const port = String(ownPort)
  await server.stop()
  await testServer({
    DATABASE_URL: database.url,
    PORT: port,
    PARLEY_PUBLIC_URL: own,
    PARLEY_OIDC_ISSUER: issuer,
    PARLEY_OIDC_CLIENT_ID: "parley",
    PARLEY_OIDC_CLIENT_SECRET: "a secret of the client",
  })
  person = { email: "eve@example.com", email_verified: true, name: "Eve" }
  const stranger = openBrowser()
  expect((await stranger.follow(start, nowhere)).status).toBe(403)
  person = { email: "bob@example.com", email_verified: true, name: "Bob" }
  const known = openBrowser()
  await known.follow(start, /\/docs$/)
  expect(await whoIs(known)).toMatchObject({ email: "bob@example.com" })
})
