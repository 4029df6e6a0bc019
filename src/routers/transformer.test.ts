/** What travels over tRPC: it comes back as it was. */
import fc from "fast-check"
import superjson from "superjson"
import { expect, test } from "vitest"
import { revive, transformer, whyUnusable } from "./transformer.ts"

// superjson refuses the name of the prototype.
const names = fc.string().map((name) => `a${name}`)

test("what superjson says of a value holds where the value lies", () => {
  const value = {
    bot: { at: new Date(5), gone: undefined, "a.b\\": [{ x: -0 }] },
    list: [undefined, 1],
  }
  const sent = superjson.serialize(value)
  const read = revive(JSON.parse(JSON.stringify(sent))) as typeof value
  expect(read).toEqual(value)
  expect(Object.keys(read.bot)).toContain("gone")
  expect(revive({ json: null, meta: { values: ["undefined"], v: 1 } })).toBe(undefined)
  // Before it wrote a version, superjson escaped dots only.
  const early = { json: { "a.b\\": null }, meta: { values: { "a\\.b\\": ["undefined"] } } }
  expect(revive(early)).toEqual({ "a.b\\": undefined })
})

test("all that superjson writes of JSON, dates and undefined values is read back", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.constantFrom(undefined, null, 0, -0, 1.5, true),
    fc.date({ noInvalidDate: true }),
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(names, tie("tree"), { maxKeys: 4 }),
    ),
  }))
  fc.assert(
    fc.property(tree, (value) => {
      const sent = JSON.parse(JSON.stringify(superjson.serialize(value)))
      // Values that happen to be the same object are told of, which is refused.
      delete sent.meta?.referentialEqualities
      expect(revive(sent)).toEqual(value)
    }),
    { numRuns: 1000 },
  )
})

const lies: [title: string, meta: unknown][] = [
  ["an index past the end of a list", { values: { "list.4294967290": ["Date"] } }],
  ["the length of a list", { values: { "list.length": ["undefined"] } }],
  ["an index that is none", { values: { "list.00": ["Date"] } }],
  ["a member that was not sent", { values: { "at.x": ["Date"], none: ["Date"] } }],
  ["a prototype", { values: { "__proto__.polluted": ["Date"] } }],
  ["a constructor", { values: { "constructor.prototype.x": ["Date"] } }],
  ["a member of a text", { values: { "at.0": ["undefined"] } }],
  ["a way deeper than JSON may be", { values: { [Array(70).fill("a").join(".")]: ["Date"] } }],
  ["a way of a million letters", { values: { ["a".repeat(1_000_000)]: ["Date"] } }],
  ["a number for a date", { values: { "list.0": ["Date"] } }],
  ["no date", { values: { text: ["Date"] } }],
  ["what is there as undefined", { values: { at: ["undefined"] } }],
  ["no number", { values: { text: ["number"] } }],
  ["a bigint", { values: { digits: ["bigint"] } }],
  ["a pattern", { values: { text: ["regexp"] } }],
  ["a set", { values: { list: ["set"] } }],
  ["a map", { values: { list: ["map"] } }],
  ["bytes", { values: { list: [["typed-array", "Uint8Array"]] } }],
  ["an error", { values: { text: ["Error"] } }],
  ["types inside of types", { values: { at: ["Date", { x: ["Date"] }] } }],
  ["trees of types", { values: { at: { x: ["Date"] } } }],
  ["a type that is no list", { values: { at: "Date" } }],
  ["equal values", { referentialEqualities: { list: ["text"] } }],
  ["a cycle", { referentialEqualities: [["list.0"]] }],
  ["values that are no object", { values: "at" }],
  ["another version", { v: 2 }],
  ["no object", "meta"],
  ["nothing", null],
]

test.each(lies)("metadata with %s is refused", (_, meta) => {
  const json = { list: [1, 2], at: "2025-01-02T00:00:00.000Z", text: "x", digits: "12" }
  const read = transformer.deserialize({ json, meta } as never)
  expect(whyUnusable(read)?.message).toMatch(/^The metadata of the input/)
  expect(json.list).toEqual([1, 2])
})

test("metadata may name ten thousand values and no more", () => {
  const sent = (count: number) => {
    const json = Array(count).fill(null)
    const values = Object.fromEntries(json.map((_, index) => [index, ["undefined"]]))
    return { json, meta: { values, v: 1 } } as never
  }
  expect(transformer.deserialize(sent(10_000))).toHaveLength(10_000)
  const read = transformer.deserialize(sent(10_001))
  expect(whyUnusable(read)?.message).toContain("at most 10000 values")
})

test("names are cleaned before metadata can reach them", () => {
  const sent = JSON.parse(
    '{"json":{"__proto__":{"at":"2025-01-02"}},"meta":{"values":{"__proto__.at":["Date"]}}}',
  )
  const read = transformer.deserialize(sent)
  expect(whyUnusable(read)?.message).toContain("is not in the JSON")
  expect({}).not.toHaveProperty("at")
})
