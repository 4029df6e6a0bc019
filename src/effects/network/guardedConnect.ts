/** Connects only to allowed addresses: a name is resolved once, and the checked address is used. */
import type { LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"
import { buildConnector } from "undici"
import type { AddressRules } from "./addressRules.ts"
import type { Resolve } from "./resolve.ts"

/** Decides where a connection may go. */
export type Guard = { rules: AddressRules; resolve: Resolve }

/** Milliseconds that connecting may take, name resolution included. */
export const connectMs = 10_000

/** All addresses of a host. Rejects with a BlockedError if one of them must not be called. */
export async function resolveAllowed(
  { rules, resolve }: Guard,
  host: string,
  isListed: boolean,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = await resolve(host, isListed)
  if (!first) throw new Error("The host has no address")
  // All of them: a name that has some private addresses has them on purpose.
  for (const { address } of [first, ...others]) rules.checkIp(address, isListed)
  return [first, ...others]
}

/** A lookup for Node that returns allowed addresses only. */
export function guardedLookup(guard: Guard, isListed: boolean): LookupFunction {
  return (host, options, callback) => {
    resolveAllowed(guard, host, isListed).then(
      (found) => {
        const [{ address, family }] = found
        if (options.all) callback(null, found)
        else callback(null, address, family)
      },
      (error: Error) => callback(error, ""),
    )
  }
}

/** Makes connections for undici. Hosts that are IP addresses have already been checked. */
export function guardedConnector(guard: Guard): buildConnector.connector {
  const connectorOf = (isListed: boolean) =>
    buildConnector({ timeout: connectMs, lookup: guardedLookup(guard, isListed) })
  const strict = connectorOf(false)
  const listed = connectorOf(true)
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80)
    const isListed = guard.rules.isListed(options.hostname, port)
    return (isListed ? listed : strict)(options, callback)
  }
}
