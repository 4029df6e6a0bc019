/** Addresses keep visitor input one part of them. */
import { describe, expect, it } from "vitest"
import { testScope } from "../../../test/support/context.ts"
import { interpolateUrl } from "./interpolateUrl.ts"

const said = (text: string, value: string) =>
  interpolateUrl(text, testScope({ variables: { A: value }, plain: ["A"] }))

/** Visitor input with a meaning in addresses. */
const hostile = [
  "x&admin=1",
  "x#",
  "x?y=1",
  "../../admin",
  "..\\admin",
  "%2e%2e/admin",
  "a/../..",
  "ü %",
]

describe("20.1 visitor input", () => {
  it.each(hostile)("stays the value of one parameter: %s", (value) => {
    const url = new URL(said("https://x.example/find?q={{A}}&limit=5", value))
    expect([...url.searchParams]).toEqual([
      ["q", value],
      ["limit", "5"],
    ])
    expect(url.pathname).toBe("/find")
  })

  it.each(hostile)("adds no query and no way up to a path: %s", (value) => {
    const url = new URL(said("https://x.example/users/{{A}}/profile?key=1", value))
    expect(url.pathname).toMatch(/^\/users\/.*\/profile$|^\/users\/\/profile$/)
    expect([...url.searchParams]).toEqual([["key", "1"]])
  })

  it("keeps a host, or makes it invalid", () => {
    expect(said("https://{{A}}/x", "y.example:8080")).toBe("https://y.example:8080/x")
    expect(said("https://{{A}}.x.example/", "shop")).toBe("https://shop.x.example/")
    for (const value of ["y.example/", "y.example#", "y.example?", "a@y.example/"]) {
      expect(URL.canParse(said("https://{{A}}.x.example/", value))).toBe(false)
    }
  })

  it("may be the beginning of an address, and several parameters where the template allows them", () => {
    expect(said("{{A}}", "https://y.example/a?b=c#d")).toBe("https://y.example/a?b=c#d")
    expect(said("{{A}}&lang=de", "https://y.example/a?b=c")).toBe("https://y.example/a?b=c&lang=de")
    expect(said("https://x.example/?{{A}}", "a=1&b=2")).toBe("https://x.example/?a=1&b=2")
    expect(said("x.example?q={{A}}", "a&b")).toBe("x.example?q=a%26b")
    expect(said("{{A}}/?q={{A}}", "u&v")).toBe("u&v/?q=u%26v")
  })

  it("does not change values of the author", () => {
    const scope = testScope({ variables: { A: "a=1&b=2" }, inline: { "f()": "c&d" } })
    expect(interpolateUrl("https://x.example/?q={{A}}&{{=f()=}}", scope)).toBe(
      "https://x.example/?q=a=1&b=2&c&d",
    )
  })
})
