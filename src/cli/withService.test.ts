/** Lists are read page by page, up to what was asked for. */
import { expect, test } from "vitest"
import { readList } from "./withService.ts"

const numbers = Array.from({ length: 230 }, (_, number) => number)
const asked: (number | undefined)[] = []

const readPage = async (limit: number, cursor = "0") => {
  asked.push(limit)
  const end = Number(cursor) + limit
  const items = numbers.slice(Number(cursor), end)
  return end < numbers.length ? { items, nextCursor: String(end) } : { items }
}

test.each([
  [50, [50], true],
  [200, [100, 100], true],
  [210, [100, 100, 10], true],
  [230, [100, 100, 30], false],
  [1_000, [100, 100, 100], false],
  [Infinity, [100, 100, 100], false],
])("%d", async (most, pages, hasMore) => {
  asked.length = 0
  expect(await readList(most, readPage)).toEqual({ items: numbers.slice(0, most), hasMore })
  expect(asked).toEqual(pages)
})
