/** Reads JSON from providers within limits, whole or as server-sent events (HTML standard, section 9.2). */
import { setImmediate as yieldToOthers } from "node:timers/promises"
import { isTooDeep } from "../../lib/foreignJson.ts"
import { ProviderError } from "./dialogue.ts"

/** The data of an event, parsed and as received. */
type StreamEvent = { data: unknown; json: string }

const maxLineLength = 2_000_000

// More than two minutes at 400 tokens a second. An event costs far more than its bytes.
const maxEvents = 50_000

/** So many in a row block the event loop for a few milliseconds. */
const eventsInARow = 100

/**
 * Yields the events, each with one line of data, until `[DONE]`. Throws a `ProviderError` if there are none
 * or too many, or if one is not JSON, is too long, or has more than `maxValues` members and items.
 */
export async function* readEvents(
  chunks: AsyncIterable<Uint8Array>,
  maxValues?: number,
): AsyncGenerator<StreamEvent> {
  let events = 0
  for await (const lines of readLines(chunks)) {
    for (const line of lines) {
      if (!line.startsWith("data:")) continue
      const json = line.slice("data:".length).trim()
      if (json === "[DONE]") return
      if (++events > maxEvents) throw new ProviderError("The answer is too long")
      if (events % eventsInARow === 0) await yieldToOthers()
      if (json === "") continue
      yield { data: parseBounded(json, maxValues), json }
    }
  }
  // A page, or a whole answer: as a stream it would be an answer without any text.
  if (events === 0) throw new ProviderError("The answer is no stream of events")
}

/** Yields complete lines, perhaps with a trailing carriage return. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  // Joined only once: a long line in many pieces must not be searched again for each of them.
  let pieces: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n")
    const last = lines.length > 1 ? lines.pop() : undefined
    length += lines[0]?.length ?? 0
    if (length > maxLineLength) throw new ProviderError("The answer is too long")
    pieces.push(lines[0] ?? "")
    if (last === undefined) continue
    lines[0] = pieces.join("")
    yield lines
    pieces = [last]
    length = last.length
  }
  yield [pieces.join("")]
}

const defaultMaxValues = 20_000

/** Parses JSON. Throws a `ProviderError` if it is malformed, or has too many members and items. */
export function parseBounded(json: string, maxValues = defaultMaxValues): unknown {
  const data = parse(json)
  if (countValues(data, maxValues) > maxValues) throw new ProviderError("The answer is too long")
  return data
}

function parse(json: string): unknown {
  if (isTooDeep(json)) throw new ProviderError("The answer is nested too deep")
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new ProviderError("The answer is no JSON", { cause })
  }
}

/** Counts members and items, nested ones included, up to a little more than `most`. */
function countValues(data: unknown, most: number): number {
  const held = [data]
  for (let at = 0; at < held.length && held.length <= most; at++) {
    const value = held[at]
    if (typeof value === "object" && value !== null) {
      for (const each of Object.values(value)) held.push(each)
    }
  }
  return held.length
}
