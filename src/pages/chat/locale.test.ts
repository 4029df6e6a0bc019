/** Dates and numbers are written in a valid locale, for all preferences of browsers. */
import { expect, it, vi } from "vitest"
import { localeOf, ownRegion } from "./locale.ts"

it.each([
  [["de-AT", "en-GB"], "de", "de-AT", "AT"],
  [["de-AT", "en-GB"], "en", "en-GB", "AT"],
  [["fr"], "de", "de", undefined],
  [["en-US@posix"], "en", "en-US", "US"],
  [["c"], "en", "en", undefined],
  [[""], "en", "en", undefined],
])("a browser that prefers %j writes %s as %s, for people in %s", (names, language, locale, region) => {
  vi.stubGlobal("navigator", { languages: names, language: names[0] })
  expect(localeOf(language)).toBe(locale)
  expect(ownRegion()).toBe(region)
})
