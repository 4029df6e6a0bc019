/** What a request through the network guard looks like to those who make one. */
import type { RequestInit, Response } from "undici"

/** Makes one request through the network guard; throws when the guard or the network stops it. */
export type GuardedFetch = (url: string, init?: RequestInit) => Promise<Response>
