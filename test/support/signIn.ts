/** A service that people sign in to with a browser, and a mailbox for what it sends. */
import { request } from "undici"
import { secretHeader } from "../../src/people/sessionCookie.ts"
import { newSignInLink } from "../../src/people/signIn.ts"
import { testDatabase } from "./database.ts"
import { openMailbox } from "./mailbox.ts"
import { secretOf } from "./secretOf.ts"
import { testServer } from "./server.ts"

export const { mails, url: mailUrl } = await openMailbox()

export const database = await testDatabase()
export const builder = "https://builder.example.com"
export const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_SMTP_URL: mailUrl,
  PARLEY_SMTP_FROM: "parley@example.com",
  // What holds without limits is tried here; the limits have a test of their own.
  PARLEY_RATE_LIMITS: "off",
  PARLEY_ALLOWED_ORIGINS: builder,
})
export const own = server.address
const { rows } = await database.pool.query("select id from users where email = 'ann@example.com'")
export const ann = String(rows[0]?.id)

export type Sent = {
  body?: unknown
  origin?: string | null
  cookie?: string
  type?: string
  accept?: string
  /** What the page knows of the session; absent: what pages of the service do; null: nothing. */
  secret?: string | null
  headers?: Record<string, string>
}

/** The cookie of a browser that has opened a page on which people sign in. */
const formCookie = `parley_form=${"f".repeat(43)}`

/** What such a browser sends with the forms of these pages. */
export const formHeaders = { cookie: formCookie, [secretHeader]: secretOf(formCookie) }

/** Sends a request as a browser does, whose pages are ours unless it says otherwise. */
export async function browse(method: string, path: string, sent: Sent = {}) {
  const { body, origin = own, type = "application/json", accept = "*/*", headers } = sent
  const isForm = method === "POST" && path.startsWith("/signIn")
  const { cookie = isForm ? formCookie : undefined } = sent
  const { secret = cookie !== undefined && origin === own ? secretOf(cookie) : null } = sent
  const answer = await request(own + path, {
    method: method as "GET",
    headers: {
      accept,
      ...(accept === "text/html" && { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" }),
      "user-agent": "node",
      ...(origin !== null && { origin }),
      ...(cookie !== undefined && { cookie }),
      ...(secret !== null && { [secretHeader]: secret }),
      ...(body !== undefined && { "content-type": type }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  const all = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const each of [value ?? []].flat()) all.append(name, each)
  }
  const session = all.getSetCookie().find((each) => each.startsWith("parley_session="))
  return { status: answer.statusCode, text, headers: all, session }
}
export const form = (members: Record<string, string>) => ({
  body: new URLSearchParams(members).toString(),
  type: "application/x-www-form-urlencoded",
})
export const linkCode = async () =>
  new URL(await newSignInLink(database, { userId: ann, serviceUrl: own })).searchParams.get(
    "code",
  ) ?? ""

/** Signs Ann in, and returns the cookie as browsers send it back. */
export async function signIn(): Promise<string> {
  const { session } = await browse("POST", "/signIn/link", { body: { code: await linkCode() } })
  return session?.split(";")[0] ?? ""
}
