/** Reads a stream of server-sent events whose data is JSON (HTML standard 9.2, as providers use it). */
import { setImmediate as othersTurn } from "node:timers/promises"
import { parseBounded } from "./boundedJson.ts"
import { ProviderError } from "./protocol.ts"

/** The data of an event, parsed and as it came. */
export type StreamEvent = { data: unknown; json: string }

const longestLine = 2_000_000

// More than two minutes at 400 tokens a second; each costs its reader far more than its bytes.
const maxEvents = 50_000

/** So many at once keep everybody else waiting for a few milliseconds. */
const eventsInARow = 100

/**
 * The events, each with one line of data; ends at `[DONE]`. Throws a `ProviderError` when one is no
 * JSON, when there are too many, or when one is too long or holds more than `maxValues`.
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
      if (events % eventsInARow === 0) await othersTurn()
      if (json === "") continue
      yield { data: parseBounded(json, maxValues), json }
    }
  }
}

/** Lines as they become whole, perhaps with a carriage return at their end. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  // Joined once: a long line that comes in many pieces must not be searched again for each.
  let pieces: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n")
    const last = lines.length > 1 ? lines.pop() : undefined
    length += lines[0]?.length ?? 0
    if (length > longestLine) throw new ProviderError("The answer is too long")
    pieces.push(lines[0] ?? "")
    if (last === undefined) continue
    lines[0] = pieces.join("")
    yield lines
    pieces = [last]
    length = last.length
  }
  yield [pieces.join("")]
}
