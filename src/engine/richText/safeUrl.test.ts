/** Refused addresses. */
import { expect, test } from "vitest"
import { safeUrl } from "./safeUrl.ts"

test.each([
  "https://a.b/c",
  "/path",
  "mailto:a@b.co",
  "tel:+33",
  "",
  "a javascript: b",
  "database:x",
])("10.1 keeps %j", (url) => {
  expect(safeUrl(url)).toBe(url)
})

test.each([
  "javascript:alert(1)",
  " JavaScript:alert(1)",
  "java\tscript:alert(1)",
  "\u0000javascript:alert(1)",
  "\n\n\n\n\n\n\n\n\n\n\n\njavascript:x",
  "vbscript:x",
  "data:text/html,<script>",
])("10.1 refuses %j", (url) => {
  expect(safeUrl(url)).toBeUndefined()
})
