/** Splits a streamed body into lines. */

export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let rest = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split("\n")
      rest = lines.pop() ?? ""
      yield* lines
    }
    if (rest !== "") yield rest
  } finally {
    reader.cancel().catch(() => {})
  }
}
