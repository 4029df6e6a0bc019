/** The cookies of people who sign in: their names and form, and when a request with one counts as theirs. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"

/** Where browsers find the service. */
type Place = { publicUrl: string }

/**
 * `form` is that of the pages on which people sign in, who have no session yet; `pages` has the proofs of local pages
 * to which they have gone on.
 */
type CookieName = "session" | "sign_in" | "form" | "pages"

/** Which origins are those of other programs on this machine; absent: none are. */
type LocalPages = { isLocalPage?: ((origin: string) => boolean) | undefined }

/** The header in which pages of the service send the secret of their session. */
export const secretHeader = "x-parley-session"

/** The member of a query that takes its place in addresses, which have no headers: `linkProof`. */
export const proofParameter = "parleySession"

/** Whether browsers reach the service over TLS. */
function isSecure({ publicUrl }: Place): boolean {
  return publicUrl.startsWith("https:")
}

/** The name of a cookie of ours; over TLS one that no other host and no plain page can set. */
export function cookieName(place: Place, name: CookieName): string {
  return `${isSecure(place) ? "__Host-" : ""}parley_${name}`
}

/** The value of a cookie in the header that browsers send; undefined without it. */
export function cookieIn(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const [key, value] = pair.trim().split("=", 2)
    if (key === name && value) return value
  }
  return undefined
}

/** The header that sets a cookie for so many seconds; 0 removes it. Scripts never see its value. */
export function setCookie(
  place: Place,
  { name, value, seconds }: { name: CookieName; value: string; seconds: number },
): string {
  const secure = isSecure(place) ? "; Secure" : ""
  const rest = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  return `${cookieName(place, name)}=${value}; ${rest}`
}

/**
 * Whether a request comes from a page of the service or of an origin that the operator has allowed, as
 * browsers say with every request that may change something.
 */
export function isOwnOrigin(
  { publicUrl, allowedOrigins }: Place & { allowedOrigins: readonly string[] },
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
): boolean {
  const known = knownOrigin({ publicUrl }, { origin, host })
  if (known === undefined) return false
  return known === new URL(publicUrl).origin || allowedOrigins.includes(known)
}

/**
 * The origin of a page: that of `publicUrl` for a page of the service. Without TLS the service is also
 * reached at addresses of its machine, such as 127.0.0.1 instead of localhost. Names other than localhost do
 * not count: their owner can point them at this machine (DNS rebinding).
 */
export function knownOrigin(
  { publicUrl }: Place,
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
): string | undefined {
  if (origin === undefined || host === undefined || origin !== `http://${host}`) return origin
  const own = new URL(publicUrl)
  return own.protocol === "http:" && isUnforgeable(host) ? own.origin : origin
}

/** Whether only the machine itself answers at a host: an IP address, or localhost; with or without a port. */
function isUnforgeable(host: string): boolean {
  const name = host.replace(/:\d+$/, "")
  if (name.startsWith("[") && name.endsWith("]")) return isIP(name.slice(1, -1)) === 6
  return isIP(name) === 4 || /^(?:[a-z\d-]+\.)*localhost$/i.test(name)
}

/** What a request says about the page that sends it. Scripts of pages cannot set the first two. */
export type PageFacts = {
  /** `Sec-Fetch-Site`. */
  site?: string | undefined
  /** The `Referer` header of a request that changes nothing; such requests may have no `Origin`. */
  referrer?: string | undefined
  /** The secret of the session, as the page sends it. */
  secret?: string | undefined
  /** The path of an address that proves the secret, and the proof. */
  link?: { path: string; proof: string } | undefined
}

/** What decides whether a request's cookie counts. */
export type CookieRequest = {
  /** The `Origin` header, which browsers send. A context has `PARLEY_PUBLIC_URL` for pages of the service. */
  origin?: string | undefined
  /** The `Host` header: the name by which the service was reached. */
  host?: string | undefined
  /** The `Cookie` header. */
  cookie?: string | undefined
  /** The page that sends a request with a cookie, by its headers. */
  pageFacts?: (() => PageFacts) | undefined
}

/**
 * Why a cookie does not count. `page`: the page has an origin that neither the operator has allowed nor, as that of
 * a local page, its owner in this browser. `secret`: the
 * origin is that of chat pages, or unknown, and the secret is missing that only pages of the service itself
 * have. Undefined: it counts.
 *
 * Authors of bots choose address, method, headers and body of requests of chat pages, and read the answers.
 */
export function cookieProblem(
  settings: Place & LocalPages & { allowedOrigins: readonly string[] },
  { origin, host, cookie: header, pageFacts }: CookieRequest,
  cookie: string | undefined,
): "page" | "secret" | undefined {
  const { publicUrl, allowedOrigins } = settings
  const { site, referrer, secret, link } = pageFacts?.() ?? {}
  const from = knownOrigin({ publicUrl }, { origin: origin ?? originOf(referrer), host })
  const isListed =
    from !== undefined &&
    (allowedOrigins.includes(from) || isAdmitted(settings, from, { header, session: cookie }))
  const isOwn = from === undefined || from === new URL(publicUrl).origin
  // Chat pages are under every name of the service, listed or not.
  const isHere = site === "same-origin" || from?.replace(/^https?:\/\//, "") === host
  if (isListed && !isOwn && !isHere) return undefined
  if (!isListed && !isOwn) return "page"
  if (cookie === undefined) return "secret"
  const expected = pageSecret(cookie)
  const isProven =
    isEqual(secret, expected) || (link && isEqual(link.proof, linkProof(expected, link.path)))
  return isProven ? undefined : "secret"
}

/**
 * The secret of a session, which only pages of the service itself have. It follows from the cookie, which no
 * script can read, and does not lead back to it.
 */
export function pageSecret(cookie: string): string {
  return createHmac("sha256", cookie).update("parley page secret").digest("base64url")
}

/** Proves the secret in an address, for reading at one path: what leaks from a log is worth no more. */
export function linkProof(secret: string, path: string): string {
  return createHmac("sha256", secret).update(path).digest("base64url")
}

/** Max local pages at a time: the last ones that the user confirmed. */
const maxPages = 5
const pageSeconds = 30 * 24 * 60 * 60

/** The header that lets a local page count for a session, beside those that did. */
export function admitPage(
  place: Place,
  origin: string,
  { header = "", session }: { header?: string | undefined; session: string },
): string {
  const proof = pageProof(session, origin)
  const others = proofsIn(place, header).filter((each) => each !== proof)
  const value = [proof, ...others].slice(0, maxPages).join(".")
  return setCookie(place, { name: "pages", value, seconds: pageSeconds })
}

/** Whether the owner of a session has gone on from a page of the service to this local page. */
function isAdmitted(
  settings: Place & LocalPages,
  origin: string,
  { header = "", session }: { header?: string | undefined; session: string | undefined },
): boolean {
  if (session === undefined || settings.isLocalPage?.(origin) !== true) return false
  const proof = pageProof(session, origin)
  return proofsIn(settings, header).some((each) => isEqual(each, proof))
}

/** Scripts of other ports may set cookies too, but know no session. */
function pageProof(session: string, origin: string): string {
  return createHmac("sha256", session).update(`parley local page ${origin}`).digest("base64url")
}

function proofsIn(place: Place, header: string): string[] {
  return cookieIn(header, cookieName(place, "pages"))?.split(".").slice(0, maxPages) ?? []
}

function isEqual(sent: string | undefined, expected: string): boolean {
  if (sent === undefined) return false
  const [one, two] = [Buffer.from(sent), Buffer.from(expected)]
  return one.length === two.length && timingSafeEqual(one, two)
}

function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined
}
