/** What schemas tell of their values. */
import { expect, test } from "vitest"
import { z } from "zod"
import { isJsonOnly } from "./jsonOnly.ts"

test("texts, numbers, truth values, and objects and lists of them are JSON", () => {
  const row = z.object({ id: z.string(), size: z.int(), kind: z.enum(["a", "b"]) })
  const page = z.object({
    rows: z.array(row.partial().nullable()),
    next: z.union([z.string(), z.literal("end"), z.null()]).optional(),
    isLast: z.boolean(),
  })
  expect(isJsonOnly(page)).toBe(true)
})

test.each([
  ["a date", z.date()],
  ["a date far within", z.object({ list: z.array(z.object({ at: z.date().optional() })) })],
  ["a big number", z.bigint()],
  ["undefined", z.literal([1, undefined])],
  ["what may be missing", z.string().optional()],
  ["a list of what may be missing", z.array(z.string().optional())],
  ["anything", z.unknown()],
  ["members of any name", z.looseObject({ a: z.string() })],
  ["a map", z.map(z.string(), z.string())],
  ["what is made of another value", z.string().transform((text) => new Date(text))],
  ["what is checked by a function", z.custom<Date>()],
])("%s is not, or may not be", (_, schema) => {
  expect(isJsonOnly(schema)).toBe(false)
})
