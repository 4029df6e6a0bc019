/** Where the secrets of a credential may be sent: to its provider, and to hosts that its owner allows. */
import { hasHostOf, plainHost } from "../../engine/allowedHosts.ts"
import { type CredentialData, providerPlaces } from "./credentialTypes.ts"

/** Most hosts that a credential may allow in addition to its provider's. */
export const maxAllowedHosts = 20

/** What decides where a credential may be sent. */
type CredentialPlaces = {
  type: string
  data: CredentialData
  /** As `readAllowedHost` writes them. */
  allowedHosts: readonly string[]
}

/**
 * Normalises a host with or without a port: lower case, international names in ASCII, no trailing dot.
 * Returns undefined for anything else, such as an address with a path or a wildcard.
 */
export function readAllowedHost(entry: string): string | undefined {
  const [, name, port] = /^(\[[\da-f:.]+\]|[^\s:/\\?#@%*[\]]+)(?::(\d{1,5}))?$/i.exec(entry) ?? []
  // The parser drops port 80, so it only tells whether the port is valid.
  if (name === undefined || !URL.canParse(`http://${name}:${port ?? "80"}`)) return undefined
  const host = plainHost(new URL(`http://${name}`).hostname)
  if (host.length > 253 || !/^([\w-]+(\.[\w-]+)*|\[.+\])$/.test(host)) return undefined
  return port === undefined ? host : `${host}:${Number(port)}`
}

/**
 * Whether the secrets may be sent to an address. Hosts of the provider count with HTTPS at the default
 * port, an address in the data with its scheme, host and port, and hosts that the owner allows at the
 * default port of either scheme, or at the one port that they name.
 */
export function isAllowedPlace(credential: CredentialPlaces, address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  if (url.protocol !== "https:" && url.protocol !== "http:") return false
  const { hosts, address: own } = providerPlaces(credential.type, credential.data)
  if (own !== undefined && URL.canParse(own) && new URL(own).origin === url.origin) return true
  const isPlain = url.protocol === "https:" && url.port === ""
  if (isPlain && hosts.includes(plainHost(url.hostname))) return true
  return hasHostOf(credential.allowedHosts, url)
}
