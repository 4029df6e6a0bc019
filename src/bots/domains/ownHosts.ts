/** The hosts of the service itself, which no bot can have as its domain. */
import { badRequest } from "../../lib/errors.ts"
import { plainHost } from "../../lib/plainHost.ts"
import { plainDomain } from "../publicIds.ts"

/** Where people reach the service. */
type Places = {
  publicUrl: string
  chatUrl?: string | undefined
  allowedOrigins: readonly string[]
}

/** Names that lead to machines of a network, not to a domain that has an owner. */
const reserved = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|onion|invalid)$/

/** The host names of the service, without ports. */
export function ownHostsOf({ publicUrl, chatUrl, allowedOrigins }: Places): ReadonlySet<string> {
  const places = [publicUrl, ...(chatUrl ? [chatUrl] : []), ...allowedOrigins]
  return new Set(places.map((place) => plainHost(new URL(place).hostname)))
}

/** Whether a host cannot be that of a bot. */
export function isReserved(own: ReadonlySet<string>, host: string): boolean {
  return own.has(host) || reserved.test(host)
}

/** Throws a 400 for a domain of the service itself. */
export function refuseOwnDomain(places: Places, customDomain: string | null | undefined): void {
  if (!customDomain) return
  const [host = ""] = plainDomain(customDomain).split("/")
  if (isReserved(ownHostsOf(places), host)) {
    throw badRequest("This is a name of the service itself: choose a domain that you own")
  }
}
