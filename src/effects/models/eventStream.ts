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

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ""
    if (bytes > maxBytes || rest.length > longestLine) {
      throw new ProviderError("The answer is too long")
    }
    yield* lines
  }
  if (rest !== "") yield rest
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new ProviderError("The answer holds an event that is no JSON", { cause })
  }
}
