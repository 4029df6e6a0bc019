/** Tests of cutting answers. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { cutAnswer } from "./cutAnswer.ts"

const most = 300

test("what fits stays whole", () => {
  const answer = { list: [1, "two", { three: null }], text: "x".repeat(200) }
  expect(cutAnswer(answer, most)).toEqual({ value: answer, cuts: [] })
})

test("lists, members and texts are cut, and each cut says where to go on", () => {
  const list = Array.from({ length: 1_000 }, (_, index) => `item ${index}`)
  const { value, cuts } = cutAnswer({ list, rest: "not shown" }, most)
  const shown = (value as { list: string[] }).list
  expect(shown).toEqual(list.slice(0, shown.length))
  expect(cuts).toEqual([
    { pointer: "/list", from: shown.length, of: 1_000 },
    { pointer: "", from: 1, of: 2 },
  ])
  const next = cutAnswer({ list }, most, { pointer: "/list", from: shown.length })
  expect((next.value as string[])[0]).toBe(list[shown.length])
})

test("a long text is cut, and goes on at a character", () => {
  const text = "\u0001".repeat(1_000)
  const { value, cuts } = cutAnswer({ text }, most)
  expect(value).toEqual({ text: text.slice(0, 100) })
  expect(cuts).toEqual([{ pointer: "/text", from: 100, of: 1_000 }])
  const next = cutAnswer({ text }, 10_000, { pointer: "/text", from: 100 })
  expect(next).toEqual({ value: text.slice(100), cuts: [] })
})

test.each(["x", "/none", "/list/3", "/__proto__", "/text/0"])("%s leads to nothing", (pointer) => {
  const answer = { list: [1, 2, 3], text: "abc" }
  expect(() => cutAnswer(answer, most, { pointer, from: 0 })).toThrow("`part.pointer`")
})

test("no answer is much longer than its bound, and reading on returns all of it", () => {
  const answers = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" })
  fc.assert(
    fc.property(answers, (answer) => {
      const read = (part: Parameters<typeof cutAnswer>[2]): number => {
        const { value, cuts } = cutAnswer(answer, most, part)
        expect(JSON.stringify(value).length).toBeLessThan(most + 700)
        const rest = cuts.map(({ of: _, ...next }) => read(next))
        return leaves(value) + rest.reduce((sum, each) => sum + each, 0)
      }
      expect(read({ pointer: "", from: 0 })).toBe(leaves(answer))
    }),
    { numRuns: 100 },
  )
})

/** How many characters and other values there are. */
function leaves(value: unknown): number {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return 1
  return Object.values(value).reduce((sum: number, each) => sum + leaves(each), 0)
}
