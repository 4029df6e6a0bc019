/** Streams of tRPC on Node 20. */
import { TextEncoderStream as native } from "node:stream/web"
import { afterAll, expect, test } from "vitest"
import { encodeWholeChunks } from "./encodeWholeChunks.ts"

// Other tests of this process may have replaced the global one.
const present = globalThis.TextEncoderStream
afterAll(() => {
  globalThis.TextEncoderStream = present
})

test("streams of text are encoded chunk by chunk, as the runtime encodes them", async () => {
  const chunks = ['{"text":"é€😀"}\n', "x".repeat(100_000)]
  globalThis.TextEncoderStream = native
  const expected = await encode(chunks)
  encodeWholeChunks()
  expect(globalThis.TextEncoderStream).not.toBe(native)
  expect(await encode(chunks)).toEqual(expected)
})

async function encode(chunks: string[]): Promise<Uint8Array[]> {
  const encoded: Uint8Array[] = []
  const stream = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream())
  for await (const chunk of stream) encoded.push(chunk)
  return encoded
}
