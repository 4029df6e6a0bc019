/** Tables of texts that strangers may have written. */
import { expect, test } from "vitest"
import { columns } from "./printTable.ts"

test("columns are as wide as their widest cell, and rows may be short", () => {
  expect(columns([["ID", "NAME"], ["1"], ["20", "Ann"]])).toEqual(["ID  NAME", "1", "20  Ann"])
})

test("columns are as wide as they look: wide signs count twice, marks over letters not at all", () => {
  const rows = [
    ["東京", "a"],
    ["ｶﾅカ", "b"],
    ["e\u0301a", "c"],
    ["👩‍👩‍👧☎️", "d"],
    ["한국", "e"],
    ["i£ж½", "f"],
  ]
  expect(columns(rows)).toEqual([
    "東京  a",
    "ｶﾅカ  b",
    "e\u0301a    c",
    "👩‍👩‍👧☎️  d",
    "한국  e",
    "i£ж½  f",
  ])
})

test("a cell stays in its line, and commands nothing to a terminal", () => {
  expect(columns([["a\nb\u001b[2Jc", "d"]])).toEqual(["a b\\u001b[2Jc  d"])
})
