/** The languages of the built-in texts, and which of them fits a person. */

export const languages = [
  "en",
  "de",
  "fr",
  "es",
  "pt",
  "it",
  "nl",
  "pl",
  "ar",
  "he",
  "ja",
  "zh",
] as const

export type Language = (typeof languages)[number]

/** The first language that there are texts in, among BCP 47 tags, most wanted first. Regions do not count. */
export function languageFor(tags: readonly (string | undefined)[]): Language | undefined {
  const wanted = tags.map((tag) => tag?.split("-")[0]?.toLowerCase())
  return wanted.flatMap((base) => languages.find((each) => each === base) ?? [])[0]
}

export function isRightToLeft(language: Language): boolean {
  return language === "ar" || language === "he"
}

/** The mark before the fraction of a number in that language; absent: that of programs. */
export function decimalMark(language: Language | undefined): "." | "," {
  return language && decimalCommas.has(language) ? "," : "."
}

const decimalCommas: ReadonlySet<Language> = new Set(["de", "fr", "es", "pt", "it", "nl", "pl"])
