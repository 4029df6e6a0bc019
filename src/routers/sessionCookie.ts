/** The cookie of people who signed in: its name and form, and whose pages may change things with it. */
import { isIP } from "node:net"

/** Where browsers find the service. */
type Place = { publicUrl: string }

/** Whether browsers reach the service over TLS. */
function isSecure({ publicUrl }: Place): boolean {
  return publicUrl.startsWith("https:")
}

/** The name of a cookie of ours; over TLS one that no other host and no plain page can set. */
export function cookieName(place: Place, name: "session" | "sign_in"): string {
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
  { name, value, seconds }: { name: "session" | "sign_in"; value: string; seconds: number },
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
