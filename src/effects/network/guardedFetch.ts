/** Lets effects and libraries make requests through the network guard. */
import type { Response } from "undici"
import { anySignal } from "../../lib/anySignal.ts"
import type { Outbound } from "./outbound.ts"

/** Makes one request; throws if the guard or the network stops it. */
export type GuardedFetch = Outbound["fetch"]

/** A `fetch` for a library during one call: it ends with the call and follows no redirects. */
export function libraryFetch(guarded: GuardedFetch, call: AbortSignal): typeof fetch {
  return async (address, init = {}) => {
    const url = address instanceof Request ? address.url : String(address)
    const signal = anySignal([call, ...(init.signal ? [init.signal] : [])])
    // Node's own types for the Fetch standard come from an older undici.
    const request = { ...init, signal, redirect: "manual" } as Parameters<GuardedFetch>[1]
    return (await guarded(url, request)) as unknown as globalThis.Response
  }
}

/** Reads the body of a response. Returns undefined, without reading the rest, if it exceeds the limit. */
export async function readBytes(
  response: Pick<Response, "body"> & { headers: Pick<Headers, "get"> },
  maxBytes: number,
): Promise<Buffer | undefined> {
  const { body } = response
  if (body === null) return Buffer.alloc(0)
  if (Number(response.headers.get("content-length") ?? 0) > maxBytes) {
    await body.cancel()
    return undefined
  }
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the rest.
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
