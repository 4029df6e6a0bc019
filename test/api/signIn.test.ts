/** People sign in with a browser, by a link that works once; and what their cookie may do. */
import { expect, test, vi } from "vitest"
import { pageSecret, secretHeader } from "../../src/people/sessionCookie.ts"
import { purgeKeys } from "../../src/results/purgeExpired.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { freePort } from "../support/freePort.ts"
import { publishBot } from "../support/publish.ts"
import { secretOf } from "../support/secretOf.ts"
import { testServer } from "../support/server.ts"
import {
  ann,
  browse,
  builder,
  database,
  form,
  linkCode,
  own,
  type Sent,
  server,
  signIn,
} from "../support/signIn.ts"

test("a link signs in once, by a button and not by being looked at", async () => {
  const code = await linkCode()
  for (const method of ["GET", "HEAD", "GET"]) {
    const page = await browse(method, `/signIn/link?code=${code}`, { accept: "text/html" })
    expect(page.status).toBe(200)
    expect(page.session).toBeUndefined()
    // Nobody works in the account of whoever has sent a link without having been told.
    if (method === "GET") expect(page.text).toContain("as ann@example.com")
  }
  const sent = { ...form({ code, next: "/docs" }), accept: "text/html" }
  const entered = await browse("POST", "/signIn/link", sent)
  expect(entered).toMatchObject({ status: 303 })
  expect(entered.headers.get("location")).toBe("/docs")
  expect(entered.session).toMatch(
    /^parley_session=parley_ses_\w{46}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  )
  const again = await browse("POST", "/signIn/link", sent)
  expect(again).toMatchObject({ status: 401, session: undefined })
  expect(again.text).toContain("used before")
  const looked = await browse("GET", `/signIn/link?code=${code}`, { accept: "text/html" })
  expect(looked.status).toBe(401)
})

test("a link lasts ten minutes by the clock of the database", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 })
  const code = await linkCode()
  vi.useRealTimers()
  expect((await browse("GET", `/signIn/link?code=${code}`)).status).toBe(200)
  await database.pool.query("update sign_in_links set expires_at = now() - interval '1 second'")
  expect((await browse("POST", "/signIn/link", { body: { code } })).status).toBe(401)
})

test("sign-in only redirects to pages of allowed origins", async () => {
  const back = form({ code: await linkCode(), next: `${builder}/flows` })
  const { headers } = await browse("POST", "/signIn/link", back)
  expect(headers.get("location")).toBe(`${builder}/flows`)
  for (const next of [
    "https://evil.example",
    `${builder}.evil.example`,
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
    `/${"x".repeat(1_000)}`,
    "x",
  ]) {
    const sent = form({ code: await linkCode(), next })
    expect((await browse("POST", "/signIn/link", sent)).headers.get("location"), next).toBe("/")
  }
})

test("over TLS the cookie is secure, and no other host can set it", async () => {
  const secure = await testServer({
    DATABASE_URL: database.url,
    PARLEY_PUBLIC_URL: "https://parley.example.com",
    PORT: String(await freePort()),
  })
  const form = "a cookie of this browser"
  const enter = async (origin: string) =>
    await fetch(`${secure.address}/signIn/link`, {
      method: "POST",
      headers: {
        origin,
        cookie: `__Host-parley_form=${form}`,
        "content-type": "application/json",
        [secretHeader]: pageSecret(form),
      },
      body: JSON.stringify({ code: await linkCode() }),
    })
  const [cookie] = (await enter("https://parley.example.com")).headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-parley_session=\S+; Path=\/; .*; HttpOnly; SameSite=Lax; Secure$/)
  // A page without TLS under the same name may be anybody's.
  expect((await enter("http://parley.example.com")).status).toBe(403)
  expect((await enter(secure.address)).status).toBe(403)
})

test("a cookie counts from pages of allowed origins, and from our own with their secret alone", async () => {
  const cookie = await signIn()
  const me = await browse("GET", "/api/v1/users/me", { cookie })
  expect(JSON.parse(me.text)).toMatchObject({ email: "ann@example.com" })
  const rename = { body: { updates: { name: "Ann" } }, cookie }
  const batch = {
    body: { 0: { updates: { name: "Ann" } }, 1: { updates: { name: "Ann" } } },
    cookie,
  }
  const asked: [string, string, Sent][] = [
    ["PATCH", "/api/v1/users/me", rename],
    ["POST", "/api/trpc/user.updateMe", { ...rename, body: { json: rename.body } }],
    [
      "POST",
      "/api/trpc/user.updateMe,user.updateMe?batch=1",
      { ...batch, body: { 0: { json: batch.body[0] }, 1: { json: batch.body[1] } } },
    ],
  ]
  for (const [method, path, sent] of asked) {
    for (const origin of [
      "null",
      "https://evil.example",
      "http://localhost",
      `${own}.evil.example`,
    ]) {
      const refused = await browse(method, path, { ...sent, origin, secret: secretOf(cookie) })
      expect(refused.status, `${path} ${origin}`).toBe(403)
      expect(refused.text).toContain("ORIGIN_REFUSED")
    }
    for (const origin of [null, own]) {
      const refused = await browse(method, path, { ...sent, origin, secret: null })
      expect(refused.status, `${path} ${origin}`).toBe(401)
      expect(refused.text).toContain("X-Parley-Session")
    }
    for (const origin of [own, builder]) {
      expect((await browse(method, path, { ...sent, origin })).status, `${path} ${origin}`).toBe(
        200,
      )
    }
  }
  // A mutation is never a GET, which browsers send with cookies from any page that links to it.
  const got = await browse(
    "GET",
    `/api/trpc/user.updateMe?input=${encodeURIComponent('{"json":{"updates":{}}}')}`,
    { cookie },
  )
  expect(got.status).toBe(405)
})

test("allowed origins read answers with cookies, others and chats without", async () => {
  const credentials = "access-control-allow-credentials"
  const allowed = await browse("GET", "/api/v1/users/me", { origin: builder })
  expect(allowed.headers.get(credentials)).toBe("true")
  const other = await browse("GET", "/api/v1/users/me", { origin: "https://evil.example" })
  expect(other.headers.get(credentials)).toBeNull()
  const chat = await browse("POST", "/api/v1/bots/demo/startChat", { body: {}, origin: builder })
  expect(chat.headers.get("access-control-allow-origin")).toBe("*")
  expect(chat.headers.get(credentials)).toBeNull()
})

test("a cookie counts in previews from own pages, and nowhere else in chats", async () => {
  const cookie = await signIn()
  const { botId } = await publishBot(server, bot(group("A", say("Hi"), ask.text())))
  const path = `/api/v1/bots/${botId}/preview/startChat`
  const started = await browse("POST", path, { body: { trace: true }, cookie })
  expect(started.status).toBe(200)
  const { sessionId, trace } = JSON.parse(started.text)
  expect(trace.turn).toBeDefined()
  const traced = (origin: string) =>
    browse("POST", `/api/v1/sessions/${sessionId}/continueChat`, {
      body: { message: "Ann", trace: true },
      cookie,
      origin,
    })
  expect((await traced("https://evil.example")).status).toBe(401)
  expect((await traced(own)).status).toBe(200)
  expect(
    (await browse("POST", path, { body: {}, cookie, origin: "https://evil.example" })).status,
  ).toBe(401)
  const big = { prefilledVariables: { Name: "x".repeat(70_000) } }
  const start = await browse("POST", "/api/v1/bots/demo/startChat", { body: big, cookie })
  expect(start.status).toBe(400)
})

test("a token comes before a cookie, and a session is no token", async () => {
  const cookie = await signIn()
  const withBoth = await fetch(`${own}/api/v1/users/me`, {
    headers: { cookie, authorization: "Bearer parley_pat_wrong" },
  })
  expect(withBoth.status).toBe(401)
  const [, secret = ""] = cookie.split("=")
  const asToken = await server.send("GET", "/api/v1/users/me", { token: secret })
  expect(asToken.status).toBe(401)
})

test("sessions are listed, ended one by one, and end with a sign-out", async () => {
  const [one, two] = [await signIn(), await signIn()]
  const list = async (cookie: string) => {
    const { status, text } = await browse("GET", "/api/v1/users/me/sessions", { cookie })
    return {
      status,
      sessions: (JSON.parse(text).sessions ?? []) as { id: string; isCurrent: boolean }[],
    }
  }
  const { sessions } = await list(one)
  expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
  expect(sessions[0]).toMatchObject({ method: "link", isCurrent: false, userAgent: "node" })
  const path = `/api/v1/users/me/sessions/${sessions[0]?.id}`
  expect((await browse("DELETE", path, { cookie: one })).status).toBe(200)
  expect((await list(two)).status).toBe(401)
  const stolen = await browse("POST", "/signOut", {
    body: {},
    cookie: one,
    origin: "https://evil.example",
  })
  expect(stolen).toMatchObject({ status: 403, session: undefined })
  const lent = await browse("POST", "/signOut", { body: {}, cookie: one, secret: null })
  expect(lent).toMatchObject({ status: 403, session: undefined })
  const out = await browse("POST", "/signOut", { body: {}, cookie: one })
  expect(out.session).toMatch(/^parley_session=; Path=\/; Max-Age=0/)
  expect((await list(one)).status).toBe(401)
})

test("the database has hashes of sessions, which end after 30 days and are then deleted", async () => {
  const cookie = await signIn()
  const [, secret = ""] = cookie.split("=")
  const { rows } = await database.pool.query(
    "select t::text as row, extract(epoch from expires_at - created_at)::float8 as lasts from user_sessions t",
  )
  expect(rows.map(({ row }) => row).join()).not.toContain(secret.slice(11, 40))
  expect(rows.at(-1)?.lasts).toBeCloseTo(30 * 86_400, -2)
  await database.pool.query("update user_sessions set expires_at = now() - interval '1 second'")
  await purgeKeys({ db: database, now: Date.now }, new AbortController().signal)
  const left = await database.pool.query("select from user_sessions")
  expect(left.rowCount).toBe(0)
})

test("a person keeps fifty sessions", async () => {
  await database.pool.query(
    `insert into user_sessions (id, user_id, secret_hash, method, expires_at, created_at)
    select 's' || i, $1, sha256(i::text::bytea), 'link', now() + interval '1 day', now() - i * interval '1 minute'
    from generate_series(1, 60) i`,
    [ann],
  )
  await signIn()
  const { rows } = await database.pool.query(
    "select count(*)::int as count from user_sessions where user_id = $1",
    [ann],
  )
  expect(rows[0]?.count).toBe(50)
})

test("forms on which people sign in send the secret of the document that they are in", async () => {
  const code = await linkCode()
  const opened = await browse("GET", `/signIn/link?code=${code}`, { accept: "text/html" })
  const [cookie = ""] = opened.headers.getSetCookie()[0]?.split(";") ?? []
  const secret = /name="session" value="([^"]+)"/.exec(opened.text)?.[1]
  expect(secret).toBe(secretOf(cookie))
  // A second page in the same browser leaves the first one as it is.
  const again = await browse("GET", "/signIn", { accept: "text/html", cookie, secret: null })
  expect(again.headers.getSetCookie()).toEqual([])
  expect(again.text).toContain(`name="session" value="${secret}"`)
  const enter = (session: string | undefined, jar = cookie) =>
    browse("POST", "/signIn/link", {
      ...form({ code, ...(session && { session }) }),
      cookie: jar,
      secret: null,
    })
  for (const wrong of [undefined, "", "x", secretOf("a=b")]) {
    expect(await enter(wrong)).toMatchObject({ status: 403, session: undefined })
  }
  expect(await enter(secret, "parley_form=other")).toMatchObject({
    status: 403,
    session: undefined,
  })
  expect((await enter(secret)).session).toMatch(/^parley_session=parley_ses_/)
})

type Shape = Record<string, string>

test("only a document of a navigation gets a secret, and no other page reaches into it", async () => {
  const cookie = await signIn()
  const navigation = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" }
  const open = (path: string, headers: Shape) =>
    browse("GET", path, { accept: "text/html", cookie, secret: null, headers })
  for (const path of ["/console", "/signIn", "/signIn/link?code=any"]) {
    const { text, headers } = await open(path, navigation)
    expect(text, path).toContain(`<meta name="parley-session" content="${secretOf(cookie)}">`)
    expect(Object.fromEntries(headers), path).toMatchObject({
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "origin-agent-cluster": "?1",
      "x-frame-options": "DENY",
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      vary: expect.stringMatching(/cookie.*sec-fetch-dest.*sec-fetch-mode/),
    })
    const others: Shape[] = [
      { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors" },
      { "sec-fetch-dest": "iframe" },
      { "sec-fetch-dest": "object" },
      { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" },
      { "sec-fetch-dest": "document", "sec-fetch-mode": "no-cors" },
      { "sec-fetch-dest": "", "sec-fetch-mode": "" },
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { "service-worker": "script" },
    ]
    for (const other of others) {
      const { text, headers } = await open(path, { ...navigation, ...other })
      expect(text, JSON.stringify(other)).not.toMatch(/parley-session|name="session"/)
      expect(headers.getSetCookie()).toEqual([])
    }
  }
  const left = await browse("GET", "/signIn", { accept: "text/html", headers: navigation })
  expect(left.text).not.toContain("parley-session")
})

test("a picture does not replace a sign-in in progress at a provider", async () => {
  const headers = { "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" }
  const { status } = await browse("GET", "/signIn/openId", { headers })
  expect(status).toBe(400)
})

test("the page offers what there is, and works without scripts", async () => {
  const accept = "text/html"
  const { status, text, headers } = await browse("GET", "/signIn?next=/docs", { accept })
  expect(status).toBe(200)
  expect(text).toContain('action="/signIn/mail"')
  expect(text).toContain('value="/docs"')
  expect(text).not.toMatch(/<script|openId/)
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  const sent = form({ email: "ann@example.com", next: "/docs" })
  const asked = await browse("POST", "/signIn/mail", { ...sent, accept })
  expect(asked.text).toContain('<a href="/signIn?next=%2Fdocs">Start again</a>')
  const spent = await browse("GET", "/signIn/link?code=spent&next=/docs", { accept })
  expect(spent.text).toContain('<a href="/signIn?next=%2Fdocs">Start again</a>')
  const { text: ways } = await browse("GET", "/signIn")
  expect(JSON.parse(ways)).toEqual({ ways: { mail: true, openId: false } })
})

test("pages of allowed origins may ask what they may send, and those of others learn nothing", async () => {
  for (const path of ["/signIn", "/mcp", "/api/v1/bots/any/changes"]) {
    const preflight = async (origin: string) => {
      const { status, headers } = await browse("OPTIONS", path, { origin })
      const names = ["access-control-allow-origin", "access-control-allow-credentials"]
      return [status, ...names.map((name) => headers.get(name))]
    }
    expect(await preflight(builder), path).toEqual([204, builder, "true"])
    expect(await preflight("https://other.example.com"), path).toEqual([204, null, null])
  }
})
