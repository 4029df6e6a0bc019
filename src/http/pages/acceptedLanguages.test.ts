/** Reading of `Accept-Language`. */
import { expect, test } from "vitest"
import { acceptedLanguages } from "./acceptedLanguages.ts"

test.each([
  ["de", ["de"]],
  ["de-AT,de;q=0.9, en ; q=0.8", ["de-AT", "de", "en"]],
  ["en;q=0.2,fr;Q=0.7,he", ["he", "fr", "en"]],
  ["sv;q=0,*;q=0.5", ["*"]],
  ["de;level=1,de;q=a.b", []],
  ["", [""]],
])("%j accepts %j", (header, tags) => {
  expect(acceptedLanguages(header)).toEqual(tags)
})

test("a long header is read to its twentieth entry", () => {
  expect(acceptedLanguages("sv,".repeat(5_000))).toHaveLength(20)
})
