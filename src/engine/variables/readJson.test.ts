/** Reading JSON of others. */
import { describe, expect, it } from "vitest"
import { readJson } from "./readJson.ts"

describe("readJson", () => {
  it("parses JSON and leaves other text alone", () => {
    expect(readJson('{"a":[1,"b"]}')).toEqual({ a: [1, "b"] })
    expect(readJson("plain")).toBe("plain")
    expect(readJson("")).toBe("")
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
