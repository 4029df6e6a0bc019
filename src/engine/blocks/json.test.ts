/** Reading JSON of others. */
import { describe, expect, it } from "vitest"
import { pick, pickList, pickText, readBody } from "./json.ts"

describe("readBody", () => {
  it("parses JSON and leaves other text alone", () => {
    expect(readBody('{"a":[1,"b"]}')).toEqual({ a: [1, "b"] })
    expect(readBody("plain")).toBe("plain")
    expect(readBody("")).toBe("")
  })

  it("keeps whole numbers that JavaScript cannot hold as digits", () => {
    expect(readBody('{"id":12345678901234567890,"s":"n 12345678901234567890","f":1.5}')).toEqual({
      id: "12345678901234567890",
      s: "n 12345678901234567890",
      f: 1.5,
    })
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
