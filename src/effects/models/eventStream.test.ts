/** Event streams are read as they come, however they are cut, and not without end. */
import { expect, test } from "vitest"
import { readEvents } from "./eventStream.ts"

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string, size: number): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of readEvents(cut(text, size))) events.push(event)
  return events
}

test.each([1, 3, 7, 1_000])("reads the data of events in pieces of %i bytes", async (size) => {
  const text =
    ': hi\r\nevent: a\r\ndata: {"a":"é"}\r\n\r\nevent: ping\n\ndata:2\n\ndata: [DONE]\n\ndata: 3\n'
  expect(await read(text, size)).toEqual([{ a: "é" }, 2])
})

test("reads a last line that has no end", async () => {
  expect(await read('data: 1\n\ndata: {"a":2}', 4)).toEqual([1, { a: 2 }])
})

test("refuses events that are no JSON, and lines without end", async () => {
  await expect(read("data: {no\n\n", 100)).rejects.toThrow("no JSON")
  await expect(read(`data: ${"a".repeat(2_100_000)}`, 16_384)).rejects.toThrow("too long")
})

test("reads a long line in time that grows with its length alone", async () => {
  const text = `data: "${"a".repeat(1_900_000)}"\n`
  const startedAt = performance.now()
  expect(await read(text, 100)).toHaveLength(1)
  // Searching everything again for each of the 19,000 pieces takes more than ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})
