/**
 * Replaces the TextEncoderStream through which @trpc/server sends streams: that of Node 20 goes through a chunk
 * character by character, 0.4 s of processor time for an answer of 3.6 MB. Chunks are JSON or lines of an event
 * stream, so none ends within a character.
 */
export function encodeWholeChunks(): void {
  globalThis.TextEncoderStream = WholeChunks
}

class WholeChunks extends TransformStream<string, Uint8Array> {
  readonly encoding = "utf-8"
  readonly [Symbol.toStringTag] = "TextEncoderStream"

  constructor() {
    const encoder = new TextEncoder()
    super({ transform: (chunk, controller) => controller.enqueue(encoder.encode(chunk)) })
  }
}
