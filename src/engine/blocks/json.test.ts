/** Finding parts of JSON of others. */
import { describe, expect, it } from "vitest"
import { pick, pickList, pickText } from "./json.ts"

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
