/** Reads the body of an answer up to a limit. */
import type { Response } from "undici"

/** The bytes; undefined, and the rest is not read: there are more than the limit. */
export async function readBytes(
  response: Pick<Response, "body" | "headers">,
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
