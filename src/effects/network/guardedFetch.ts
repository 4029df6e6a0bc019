/** A request through the network guard, as those who make one see it, and as libraries ask for it. */
import type { RequestInit, Response } from "undici"

/** Makes one request through the network guard; throws when the guard or the network stops it. */
export type GuardedFetch = (url: string, init?: RequestInit) => Promise<Response>

/** A fetch for one library and one call: it ends with the call, and carries no key elsewhere. */
export function libraryFetch(guarded: GuardedFetch, call: AbortSignal): typeof fetch {
  return async (address, init = {}) => {
    const url = address instanceof Request ? address.url : String(address)
    const signal = AbortSignal.any([call, ...(init.signal ? [init.signal] : [])])
    // Node's own types of the same standard are those of an older undici.
    const request = { ...init, signal, redirect: "manual" } as Parameters<GuardedFetch>[1]
    return (await guarded(url, request)) as unknown as Response
  }
}
