/** Connects to providers of models: refusals become errors, and answers are limited. */
import { type BodyInit, Headers, Response } from "undici"
import { pickText } from "../../lib/foreignJson.ts"
import { type GuardedFetch, readBytes } from "../network/guardedFetch.ts"
import { type DialogueOptions, ProviderError } from "./dialogue.ts"
import { parseBounded, readEvents } from "./eventStream.ts"

const maxAnswerBytes = 10_000_000
const maxRefusalBytes = 64_000

/** Processing of answers before a library gets them. */
export type ConnectionRules = {
  /** Repairs a whole answer. */
  repair?(data: unknown): void
  /** Limit for the members and items of one event. */
  maxValues?: number
  /** The types of events that the library knows: others, which the provider may add, are left out. */
  knownEvents?: ReadonlySet<string | undefined>
  /** Returns a check for the events of one answer, which throws a `ProviderError` if there are too many. */
  watch?(): (data: unknown) => void
}

export function createProviderConnection(
  { fetch, isStreamed }: DialogueOptions,
  rules: ConnectionRules = {},
) {
  let failure: unknown
  const fail = (error: unknown): never => {
    failure = error
    throw error
  }
  const answer = async (...[url, init]: Parameters<GuardedFetch>): Promise<Response> => {
    const headers = new Headers(init?.headers)
    // Libraries would disclose the versions that run here.
    headers.delete("user-agent")
    const response = await fetch(url, { ...init, headers })
    await refuse(response)
    return new Response(isStreamed ? events(response) : await whole(response, rules))
  }
  async function* events({ body }: Response): AsyncGenerator<Uint8Array> {
    if (body === null) return fail(new ProviderError("The answer is empty"))
    try {
      const watch = rules.watch?.()
      for await (const { data, json } of readEvents(body, rules.maxValues)) {
        throwErrorIn(data)
        if (rules.knownEvents?.has(pickText(data, "type")) === false) continue
        watch?.(data)
        yield Buffer.from(`data: ${json}\n\n`)
      }
    } catch (error) {
      fail(error)
    }
  }
  return {
    /** Its answers are whole, or streams of events with nothing but data, and within limits. */
    fetch: (...request: Parameters<GuardedFetch>) => answer(...request).catch(fail),
    /** The original error, which libraries may wrap; undefined if there was none. */
    failure: () => failure,
  }
}

async function whole(response: Response, { repair }: ConnectionRules): Promise<BodyInit> {
  const bytes = await readBytes(response, maxAnswerBytes)
  if (bytes === undefined) throw new ProviderError("The answer is too long")
  const data = parseBounded(bytes.toString())
  throwErrorIn(data)
  repair?.(data)
  return repair ? JSON.stringify(data) : bytes
}

/** Throws a `ProviderError` with the provider's message if it refused. */
export async function refuse(response: Response): Promise<void> {
  const { ok, status } = response
  if (!ok) throw new ProviderError(await refusalOf(response), { status })
}

/** The message of a refusal, at any place that providers use. */
async function refusalOf(response: Response): Promise<string> {
  const text = (await readBytes(response, maxRefusalBytes))?.toString() ?? ""
  try {
    const data: unknown = JSON.parse(text)
    return errorIn(data) ?? pickText(data, "message") ?? text
  } catch {
    return text
  }
}

/** Throws a `ProviderError` if an answer with status 200 contains an error, as from gateways. */
function throwErrorIn(data: unknown): void {
  const words = errorIn(data)
  if (words) throw new ProviderError(words)
}

/** The provider's error message, at any place that providers use. */
function errorIn(data: unknown): string | undefined {
  const said = pickText(data, "object") === "error" ? pickText(data, "message") : undefined
  const ofChoice = pickText(data, "choices", 0, "error", "message")
  return pickText(data, "error", "message") ?? pickText(data, "error") ?? ofChoice ?? said
}
