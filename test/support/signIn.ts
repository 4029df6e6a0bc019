/** A service that people sign in to with a browser, and a mailbox for what it sends. */
import { newSignInLink } from "../../src/routers/user/signIn.ts"
import { testDatabase } from "./database.ts"
import { openMailbox } from "./mailbox.ts"
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
}

/** Sends a request as a browser does, whose pages are ours unless it says otherwise. */
export async function browse(method: string, path: string, sent: Sent = {}) {
  const { body, origin = own, cookie, type = "application/json", accept = "*/*" } = sent
  const response = await fetch(own + path, {
    method,
    redirect: "manual",
    headers: {
      accept,
      ...(origin !== null && { origin }),
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && { "content-type": type }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const set = response.headers.getSetCookie()
  const session = set.find((each) => each.startsWith("parley_session="))
  return { status: response.status, text, headers: response.headers, session }
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
