/** Tables of texts that strangers may have written. */
import { expect, test } from "vitest"
import { columns } from "./columns.ts"

test("columns are as wide as their widest cell, and rows may be short", () => {
  expect(columns([["ID", "NAME"], ["1"], ["20", "Ann"]])).toEqual(["ID  NAME", "1", "20  Ann"])
})

test("a cell stays in its line, and commands nothing to a terminal", () => {
  expect(columns([["a\nb\u001b[2Jc", "d"]])).toEqual(["a b\\u001b[2Jc  d"])
})
