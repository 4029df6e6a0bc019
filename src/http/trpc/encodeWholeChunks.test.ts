/** Streams of tRPC on Node 20. */
import { afterAll, expect, test } from "vitest"
import { encodeWholeChunks } from "./encodeWholeChunks.ts"

const native = globalThis.TextEncoderStream
afterAll(() => {
  globalThis.TextEncoderStream = native
})

test("streams of text are encoded chunk by chunk, as the runtime encodes them", async () => {
  const chunks = ['{"text":"é€😀"}\n', "x".repeat(100_000)]
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
