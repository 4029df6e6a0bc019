/** Decides where a credential's secrets may be sent: to its provider, and to hosts that its owner allows. */
import { hasHostOf } from "../../engine/allowedHosts.ts"
import { plainHost } from "../../lib/plainHost.ts"
import { type CredentialData, providerPlaces } from "./credentialTypes.ts"

/** How many hosts a credential may allow in addition to its provider's. */
export const maxAllowedHosts = 20

/** The parts of a credential that decide where its secrets may be sent. */
type CredentialTargets = {
  type: string
  data: CredentialData
  /** In the form that `readAllowedHost` returns. */
  allowedHosts: readonly string[]
}

/**
 * Normalises a host with or without a port: lower case, international names in ASCII, no trailing dot.
 * Returns undefined for anything else, such as an address with a path or a wildcard.
 */
export function readAllowedHost(entry: string): string | undefined {
  const [, name, port] = /^(\[[\da-f:.]+\]|[^\s:/\\?#@%*[\]]+)(?::(\d{1,5}))?$/i.exec(entry) ?? []
  // The parser drops port 80, so it is only used to check the port.
  if (name === undefined || !URL.canParse(`http://${name}:${port ?? "80"}`)) return undefined
  const host = plainHost(new URL(`http://${name}`).hostname)
  if (host.length > 253 || !/^([\w-]+(\.[\w-]+)*|\[.+\])$/.test(host)) return undefined
  return port === undefined ? host : `${host}:${Number(port)}`
}

/**
 * Whether the secrets may be sent to an address: a host of the provider with HTTPS on the default port;
 * the scheme, host and port of an address in the data; or a host that the owner allows, on the default
 * port of either scheme unless the entry names a port.
 */
export function isAllowedPlace(credential: CredentialTargets, address: string): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  if (url.protocol !== "https:" && url.protocol !== "http:") return false
  const { hosts, address: own } = providerPlaces(credential.type, credential.data)
  if (own !== undefined && URL.canParse(own) && placeOf(new URL(own)) === placeOf(url)) return true
  const isPlain = url.protocol === "https:" && url.port === ""
  if (isPlain && hosts.includes(plainHost(url.hostname))) return true
  return hasHostOf(credential.allowedHosts, url)
}

/** The origin of an address, its host in plain form. */
function placeOf({ protocol, host }: URL): string {
  return `${protocol}//${plainHost(host)}`
}
