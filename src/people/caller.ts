/** The caller of a request: the owner of the token or of the session that came with it. */
import { cookieIn, cookieName, cookieProblem } from "./sessionCookie.ts"

/** The limits of a token; null: no limit of that kind. */
export type Grant = {
  scopes: readonly string[] | null
  workspaceId: string | null
  botIds: readonly string[] | null
  expiresAt: Date | null
}

/** Who a request is from: the owner of the token or of the session that came with it. */
export type Caller = {
  id: string
  email: string
  /** Has the rights of the operator of the service. */
  isPlatformAdmin: boolean
  /** Id of the token or, for a caller who is signed in with a browser, of the session. */
  tokenId: string
  /** True: a cookie says who they are. Absent: a token does. */
  isSignedIn?: true
  /** What the token is limited to; absent: nothing, it may do all that its owner may. */
  grant?: Grant
}

/** How callers are looked up; `authentication.ts` does it. */
type Lookups = {
  findCaller(token: string): Promise<Caller | undefined>
  findSignedIn(secret: string): Promise<Caller | undefined>
}

const bearer = /^Bearer\s+(\S+)$/i

/** The owner of the token in a request. Resolves to undefined without a valid one. */
export async function callerOfToken(
  { findCaller }: Pick<Lookups, "findCaller">,
  { authorization }: { authorization?: string | undefined },
): Promise<Caller | undefined> {
  const token = authorization && bearer.exec(authorization)?.[1]
  return token ? await findCaller(token) : undefined
}

/** The person whose session came with a request. Resolves to undefined without one, and for foreign pages. */
export async function callerOfCookie(
  { findSignedIn, settings }: Pick<Lookups, "findSignedIn"> & { settings: CookieSettings },
  request: Parameters<typeof cookieProblem>[1],
): Promise<Caller | undefined> {
  const secret = sessionIn({ settings }, request)
  if (secret === undefined || cookieProblem(settings, request, secret)) return undefined
  return await findSignedIn(secret)
}

type CookieSettings = Parameters<typeof cookieProblem>[0]

/** The secret in the cookie of a session; undefined without one. */
export function sessionIn(
  { settings }: { settings: { publicUrl: string } },
  { cookie = "" }: { cookie?: string | undefined },
): string | undefined {
  return cookieIn(cookie, cookieName(settings, "session"))
}
