/** Lists are read page by page, and refusals reported in words. */
import { describe, expect, test } from "vitest"
import { readList, sentences } from "./withService.ts"

const numbers = Array.from({ length: 230 }, (_, number) => number)
const asked: (number | undefined)[] = []

const readPage = async (limit: number, cursor = "0") => {
  asked.push(limit)
  const end = Number(cursor) + limit
  const items = numbers.slice(Number(cursor), end)
  return end < numbers.length ? { items, nextCursor: String(end) } : { items }
}

describe("a list is read up to what was asked for", () => {
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
})

describe("a refusal is reported in words", () => {
  const data = { code: "BAD_REQUEST", reason: "BAD_REQUEST", httpStatus: 400 } as const
  const title = {
    message: "must be a string",
    path: [],
    code: "",
    pointer: "/title",
    place: "Group 1",
  }
  const group = { message: "must be a list", path: [], code: "", pointer: "/groups" }
  const reported = (message: string, issues?: (typeof title | typeof group)[]) =>
    sentences({ message, data: { ...data, ...(issues && { issues }) } }, "http://x")

  test.each([
    ["Bot not found", undefined, "Bot not found."],
    ["`title` must be a string, in Group 1", [title], "`title` must be a string, in Group 1."],
    [
      "`title` must be a string, in Group 1; 1 more in `issues`",
      [title, group],
      "`title` must be a string, in Group 1.\n- (/groups): must be a list",
    ],
    [
      "The bot cannot run as it is",
      [title, group],
      "The bot cannot run as it is.\n- Group 1 (/title): must be a string\n- (/groups): must be a list",
    ],
  ])("%s", (message, issues, words) => {
    expect(reported(message, issues)).toBe(words)
  })
})
