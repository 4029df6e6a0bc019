/** The one form of hosts. */
import { expect, test } from "vitest"
import { plainHost } from "./plainHost.ts"

test("spellings of one host have one plain form", () => {
  const spellings = [
    ["x.example", "X.Example", "x.example.", "ｘ.example", "x。example"],
    ["xn--4ca.example", "ä.example", "Ä.EXAMPLE.", "a\u0308.example", "XN--4CA.example"],
    ["xn--4ca.example:8080", "Ä.example:8080", "ä.example.:8080"],
    ["xn--p1ai", "РФ", "рф."],
    ["[::1]:80", "[::1]:80"],
    ["127.0.0.1", "127.0.0.1."],
  ]
  for (const [plain = "", ...others] of spellings) {
    expect([plain, ...others].map(plainHost)).toEqual([plain, ...others].map(() => plain))
  }
})

test("a text that is no host does not become another one", () => {
  const texts = ["x.example/ä", "ä@x.example", "ä?x.example", "x.example:ä", "ä b", "\u0000ä"]
  expect(texts.map(plainHost)).toEqual(texts)
  expect(plainHost("ä".repeat(1_000_000))).toHaveLength(1_000_000)
})
