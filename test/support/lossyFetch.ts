/** A network that loses requests, answers and streams. */
import type { Dice } from "./dice.ts"

/** One in so many requests is lost, and one in so many answers. */
const loss = 12
/** Streams break after at most so many parts. */
const maxParts = 30

/**
 * Sends requests to where `addressOf` says, whatever host they name. Some fail before they are sent, some
 * after the service has done what they ask for; streams break after a while.
 */
export function lossyFetch(dice: Dice, addressOf: () => string): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : String(input))
    if (dice.below(loss) === 0) throw new TypeError("The request was lost")
    const response = await fetch(addressOf() + pathname + search, init)
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      return broken(response, 1 + dice.below(maxParts))
    }
    if (dice.below(loss) > 0) return response
    await response.arrayBuffer()
    throw new TypeError("The answer was lost")
  }
}

/** A stream that breaks after so many parts. */
function broken(response: Response, parts: number): Response {
  let left = parts
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      if (left === 0) return controller.error(new TypeError("The stream was lost"))
      left -= 1
      controller.enqueue(part)
    },
  })
  return new Response(response.body?.pipeThrough(limit), response)
}
