/** Tests that event streams are read as they arrive, however they are split, and within limits. */
import { expect, test } from "vitest"
import { readEvents } from "./eventStream.ts"

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(text: string, size: number, maxValues?: number): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const { data } of readEvents(cut(text, size), maxValues)) events.push(data)
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

test("gives the JSON as it came", async () => {
  for await (const { json } of readEvents(cut('data:  {"a": 1.0}\n', 5))) {
    expect(json).toBe('{"a": 1.0}')
  }
})

test("refuses events that are no JSON, and lines and events without end", async () => {
  await expect(read("data: {no\n\n", 100)).rejects.toThrow("no JSON")
  await expect(read(`data: ${"a".repeat(2_100_000)}`, 16_384)).rejects.toThrow("too long")
  await expect(read("data: 1\n\n".repeat(50_001), 16_384)).rejects.toThrow("too long")
  expect(await read("data: 1\n\n".repeat(50_000), 16_384)).toHaveLength(50_000)
})

test("refuses events that hold too much, however deep it lies", async () => {
  const text = 'data: {"a":[1,{"b":2}],"c":"1,2,3,4,5,6,7,8"}\n'
  expect(await read(text, 100, 6)).toHaveLength(1)
  await expect(read(text, 100, 5)).rejects.toThrow("too long")
  const deep = `data: ${"[".repeat(900_000)}${"]".repeat(900_000)}\n`
  await expect(read(deep, 16_384)).rejects.toThrow("too deep")
})

test("reads a long line in time that grows with its length alone", async () => {
  const text = `data: "${"a".repeat(1_900_000)}"\n`
  const startedAt = performance.now()
  expect(await read(text, 100)).toHaveLength(1)
  // Searching everything again for each of the 19,000 pieces would take more than ten seconds.
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})
