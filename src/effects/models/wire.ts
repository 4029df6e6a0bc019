/** What passes between a provider of models and those who understand it: refusals, and limits. */
import { type BodyInit, Headers, Response } from "undici"
import { pick, pickText } from "../../engine/foreignJson.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"
import { readBytes } from "../network/readBytes.ts"
import { parseBounded } from "./boundedJson.ts"
import { readEvents } from "./eventStream.ts"
import { type Opening, ProviderError } from "./protocol.ts"

/** A way to a provider, for one answer. */
export type Wire = {
  /** Its answers are whole, or streams of events with nothing but data, and within limits. */
  fetch: GuardedFetch
  /** What went wrong here, whatever a library that got the answers made of it; perhaps nothing. */
  failure(): unknown
}

const maxAnswerBytes = 10_000_000
const maxRefusalBytes = 64_000

/** What is done with answers before a library sees them, which costs much for some. */
export type WireRules = {
  /** Makes a whole answer what it should be. */
  mend?(data: unknown): void
  /** Members and items of one event at most. */
  maxValues?: number
  /** For one answer: throws a `ProviderError` at an event that is too much. */
  watch?(): (data: unknown) => void
}

/** Opens a way. */
export function openWire({ fetch, isStreamed }: Opening, rules: WireRules = {}): Wire {
  let failure: unknown
  const noting = (error: unknown): never => {
    failure = error
    throw error
  }
  const answer = async (...[url, init]: Parameters<GuardedFetch>): Promise<Response> => {
    const headers = new Headers(init?.headers)
    // Libraries tell which versions of what are running here.
    headers.delete("user-agent")
    const response = await fetch(url, { ...init, headers })
    await refuse(response)
    return new Response(isStreamed ? events(response) : await whole(response, rules))
  }
  async function* events({ body }: Response): AsyncGenerator<Uint8Array> {
    if (body === null) return noting(new ProviderError("The answer is empty"))
    try {
      const watch = rules.watch?.()
      for await (const { data, json } of readEvents(body, rules.maxValues)) {
        watch?.(data)
        yield Buffer.from(`data: ${json}\n\n`)
      }
    } catch (error) {
      noting(error)
    }
  }
  return {
    fetch: (...request) => answer(...request).catch(noting),
    failure: () => failure,
  }
}

async function whole(response: Response, { mend }: WireRules): Promise<BodyInit> {
  const bytes = await readBytes(response, maxAnswerBytes)
  if (bytes === undefined) throw new ProviderError("The answer is too long")
  const data = parseBounded(bytes.toString())
  mend?.(data)
  return mend ? JSON.stringify(data) : bytes
}

/** Throws a `ProviderError` with what the provider says of why it refuses, if it does. */
export async function refuse(response: Response): Promise<void> {
  const { ok, status } = response
  if (!ok) throw new ProviderError(await refusalOf(response), { status })
}

/** Wherever it says it. */
async function refusalOf(response: Response): Promise<string> {
  const text = (await readBytes(response, maxRefusalBytes))?.toString() ?? ""
  try {
    const data: unknown = JSON.parse(text)
    const error = pick(data, "error")
    const words = pickText(data, "error", "message") ?? pickText(data, "message")
    return words ?? (typeof error === "string" ? error : text)
  } catch {
    return text
  }
}
