/** Where the secrets of a credential may go: to its provider, and to hosts that its owner allows. */
import { hasHostOf, plainHost } from "../../engine/allowedHosts.ts"
import { type CredentialData, providerPlaces } from "./credentialTypes.ts"

/** Most hosts that a credential may allow besides those of its provider. */
export const maxAllowedHosts = 20

/** A credential as far as it matters where it may be sent. */
export type CredentialPlaces = {
  type: string
  data: CredentialData
  /** As `readAllowedHost` writes them. */
  allowedHosts: readonly string[]
}

/**
 * A host with or without a port as it is compared: lower case, international names in ASCII, no dot
 * at the end. Undefined: it is none, such as an address with a path, or one with a wildcard.
 */
export function readAllowedHost(entry: string): string | undefined {
  const [, name, port] = /^(\[[\da-f:.]+\]|[^\s:/\\?#@%*[\]]+)(?::(\d{1,5}))?$/i.exec(entry) ?? []
  // The parser drops port 80, so it is only asked whether there is such a port.
  if (name === undefined || !URL.canParse(`http://${name}:${port ?? "80"}`)) return undefined
  const host = plainHost(new URL(`http://${name}`).hostname)
  if (host.length > 253 || !/^([\w-]+(\.[\w-]+)*|\[.+\])$/.test(host)) return undefined
  return port === undefined ? host : `${host}:${Number(port)}`
}

/**
 * Whether the secrets may go to an address. A provider's own hosts are meant with HTTPS at its usual
 * port, an address in the data with scheme, host and port; a host that the owner allows at the usual
 * port of either scheme, or at the one port that it names.
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
