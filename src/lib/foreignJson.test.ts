/** JSON of others: reading it, and finding parts of it. */
import { describe, expect, it } from "vitest"
import { pick, pickList, pickText, readJson } from "./foreignJson.ts"

describe("readJson", () => {
  it("parses JSON and leaves other text alone", () => {
    expect(readJson('{"a":[1,"b"]}')).toEqual({ a: [1, "b"] })
    expect(readJson("plain")).toBe("plain")
    expect(readJson("")).toBe("")
  })

  it("leaves alone what is nested too deep to be meant, with any strings", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    expect(readJson(nested(200))).toBeTypeOf("object")
    expect(readJson(nested(201))).toBeTypeOf("string")
    expect(readJson(`{"a":1,"b":${'{"c":'.repeat(300)}1${"}".repeat(301)}`)).toBeTypeOf("string")
    const brackets = `a\\"${"[".repeat(500)}`
    expect(readJson(JSON.stringify([brackets, "[".repeat(500)]))).toEqual([
      brackets,
      "[".repeat(500),
    ])
    const wide = JSON.stringify(Array.from({ length: 1_000 }, () => [[]]))
    expect(readJson(wide)).toHaveLength(1_000)
  })

  it("keeps whole numbers that JavaScript cannot hold as digits", () => {
    expect(readJson('{"id":12345678901234567890,"s":"n 12345678901234567890","f":1.5}')).toEqual({
      id: "12345678901234567890",
      s: "n 12345678901234567890",
      f: 1.5,
    })
  })

  it("keeps numbers beyond the largest as they are written", () => {
    expect(readJson("1e999")).toBe("1e999")
    expect(readJson('[-1e400,1e20,"1e999"]')).toEqual(["-1e400", 1e20, "1e999"])
  })
})

describe("pick", () => {
  it("follows a path through objects and lists", () => {
    expect(pick({ a: [{ b: 1 }] }, "a", 0, "b")).toBe(1)
    expect(pick({ a: 1 }, "a", "b")).toBeUndefined()
    expect(pick(null, "a")).toBeUndefined()
  })

  it("does not reach what objects inherit", () => {
    expect(pick({}, "constructor")).toBeUndefined()
  })

  it("answers only the kind that is asked for", () => {
    expect(pickText({ a: 1 }, "a")).toBeUndefined()
    expect(pickList({ a: "x" }, "a")).toEqual([])
  })
})
