/** Reads a stream of server-sent events whose data is JSON (HTML standard 9.2, as providers use it). */
import { ProviderError } from "./protocol.ts"

const longestLine = 2_000_000
const maxBytes = 20_000_000

/** The data of each event, parsed; ends at `[DONE]`. Throws a `ProviderError` when it is too much. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of readLines(chunks)) {
    if (!line.startsWith("data:")) continue
    const data = line.slice("data:".length).trim()
    if (data === "[DONE]") return
    if (data !== "") yield parse(data)
  }
}

/** Lines, perhaps with a carriage return at their end. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  // Joined once: a long line that comes in many pieces must not be searched again for each.
  let pieces: string[] = []
  let length = 0
  let bytes = 0
  for await (const chunk of chunks) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n")
    bytes += chunk.length
    length += first.length
    if (bytes > maxBytes || length > longestLine) throw new ProviderError("The answer is too long")
    pieces.push(first)
    const last = others.pop()
    if (last === undefined) continue
    yield pieces.join("")
    yield* others
    pieces = [last]
    length = last.length
  }
  yield pieces.join("")
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new ProviderError("The answer holds an event that is no JSON", { cause })
  }
}
