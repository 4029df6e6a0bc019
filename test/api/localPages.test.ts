/** A service that only its machine uses: people go on to pages of other ports of it, which count from then on. */
import { request } from "undici"
import { expect, test } from "vitest"
import { admitPage, secretHeader } from "../../src/people/sessionCookie.ts"
import { newSignInLink } from "../../src/people/signIn.ts"
import { testDatabase } from "../support/database.ts"
import { freePort } from "../support/freePort.ts"
import { secretOf } from "../support/secretOf.ts"
import { testServer } from "../support/server.ts"
import { formHeaders } from "../support/signIn.ts"

const database = await testDatabase()
const [port, chatPort] = [await freePort(), await freePort()]
const own = `http://localhost:${port}`
await testServer({
  DATABASE_URL: database.url,
  PORT: String(port),
  PARLEY_CHAT_URL: `http://localhost:${chatPort}`,
  PARLEY_RATE_LIMITS: "off",
})
const { rows } = await database.pool.query("select id from users where email = 'ann@example.com'")
const userId = String(rows[0]?.id)

const page = "http://localhost:5173"

type Sent = { cookie?: string; secret?: string; origin?: string; members?: Record<string, string> }

/** Sends a request as a browser does: a form where there are members, else a navigation or a call of a page. */
async function browse(path: string, { cookie, secret, origin, members }: Sent = {}) {
  const answer = await request(`${own}${path}`, {
    method: members ? "POST" : "GET",
    headers: {
      ...(!origin && {
        "sec-fetch-dest": "document",
        "sec-fetch-mode": "navigate",
        accept: "text/html",
      }),
      ...((origin ?? members) && { origin: origin ?? own }),
      ...(cookie && { cookie }),
      ...(secret && { [secretHeader]: secret }),
      ...(members && { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(members && { body: new URLSearchParams(members).toString() }),
  })
  const { statusCode: status, headers } = answer
  const set = [headers["set-cookie"] ?? []].flat().map((each) => each.split(";")[0] ?? "")
  // The first form sets one that is of no matter here.
  const cookies = set.filter((each) => !each.startsWith("parley_form="))
  return { status, text: await answer.body.text(), headers, cookies }
}

/** Signs Ann in by a link, and returns what the browser keeps. */
async function signIn(next: string) {
  const link = new URL(await newSignInLink(database, { userId, serviceUrl: own, next }))
  const code = link.searchParams.get("code") ?? ""
  const shown = await browse(link.pathname + link.search)
  const { cookie, [secretHeader]: secret } = formHeaders
  const entered = await browse("/signIn/link", { cookie, secret, members: { code, next } })
  return { shown: shown.text, location: entered.headers.location, cookies: entered.cookies }
}

const me = "/api/v1/users/me"

test("a page of another port counts once a user has confirmed it", async () => {
  const { shown, location, cookies } = await signIn(`${page}/app#flows`)
  expect(shown).toContain(`You go on to ${page}, which`)
  expect(location).toBe(`${page}/app#flows`)
  const cookie = cookies.join("; ")
  const known = await browse(me, { cookie, origin: page })
  expect(known.status).toBe(200)
  expect(known.headers).toMatchObject({
    "access-control-allow-origin": page,
    "access-control-allow-credentials": "true",
  })
  for (const origin of ["http://localhost:5174", "http://127.0.0.1:5173", `${own}0`, "null"]) {
    expect((await browse(me, { cookie, origin })).status, origin).toBe(403)
  }
  // Neither for another session, nor by what a script could set.
  const { cookies: others } = await signIn("/")
  const [session = ""] = others
  const [, pages = ""] = cookies
  for (const forged of [pages, "parley_pages=x", `parley_pages=${secretOf(session)}`]) {
    const refused = await browse(me, { cookie: `${session}; ${forged}`, origin: page })
    expect(refused.status, forged).toBe(403)
    expect(refused.text).toContain(`${own}/signIn?next=http%3A%2F%2Flocalhost%3A5173`)
  }
})

test("who is signed in goes on by a form, which no other page can send", async () => {
  const { cookies } = await signIn("/")
  const [cookie = ""] = cookies
  const opened = await browse(`/signIn?next=${encodeURIComponent(`${page}/app`)}`, { cookie })
  expect(opened.text).toContain(`You go on to ${page}, which`)
  expect(opened.text).toContain(`name="next" value="${page}/app"`)
  expect(opened.text).not.toContain(`href="${page}`)
  const members = { next: `${page}/app` }
  for (const sent of [
    { cookie, members },
    { cookie, members, origin: page },
    { cookie, members, secret: "x".repeat(43) },
    { members, secret: secretOf(cookie) },
  ]) {
    const { status, cookies: set } = await browse("/signIn/page", sent)
    expect(status).toBe(403)
    expect(set).toEqual([])
  }
  const gone = await browse("/signIn/page", { cookie, members, secret: secretOf(cookie) })
  expect(gone).toMatchObject({ status: 303, headers: { location: `${page}/app` } })
  const kept = [cookie, ...gone.cookies].join("; ")
  expect((await browse(me, { cookie: kept, origin: page })).status).toBe(200)
  // Others that counted go on doing so, five at most.
  let jar = kept
  for (let other = 1; other <= 5; other++) {
    const next = `http://127.0.0.1:${other}/`
    const sent = { cookie: jar, members: { next }, secret: secretOf(cookie) }
    const [pages = ""] = (await browse("/signIn/page", sent)).cookies
    jar = `${cookie}; ${pages}`
    expect((await browse(me, { cookie: jar, origin: page })).status).toBe(other < 5 ? 200 : 403)
  }
})

test("pages with bots never count, under any name", async () => {
  for (const name of ["localhost", "127.0.0.1", "[::1]"]) {
    for (const at of [port, chatPort]) {
      const { location, cookies } = await signIn(`http://${name}:${at}/chat/x`)
      expect(location, `${name}:${at}`).toBe("/")
      expect(cookies).toHaveLength(1)
    }
  }
})

test("a proof counts for local pages alone, such as once the port has become that of chats", async () => {
  const { cookies } = await signIn("/")
  const [cookie = ""] = cookies
  const session = cookie.slice("parley_session=".length)
  const withProof = async (origin: string) => {
    const [pages] = admitPage({ publicUrl: own }, origin, { session }).split(";")
    return (await browse(me, { cookie: `${cookie}; ${pages}`, origin })).status
  }
  expect(await withProof(page)).toBe(200)
  for (const origin of [`http://localhost:${chatPort}`, "https://shop.example", "null"]) {
    expect(await withProof(origin), origin).toBe(403)
  }
})
