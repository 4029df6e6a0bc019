/** Which of the languages of built-in texts fits. */
import { expect, test } from "vitest"
import { languageFor } from "./languages.ts"

test.each([
  [["de-AT"], "de"],
  [["PT-br"], "pt"],
  [["zh-Hant-TW"], "zh"],
  [["sv", "nl-BE", "de"], "nl"],
  [[undefined, "ja"], "ja"],
  [["en-GB", "de"], "en"],
  [["sv", "*", "", "-", "deutsch"], undefined],
  [[], undefined],
])("of %j it is %s", (tags, language) => {
  expect(languageFor(tags)).toBe(language)
})
