/** The language and the region of the person, as `Intl` takes them. */
import { languageFor } from "../../languages.ts"

/** In which dates, numbers and lists are written: in a language, as in the region of the person if it speaks that. */
export function localeOf(language: string): string {
  return navigator.languages.map(tagOf).find((tag) => languageFor([tag]) === language) ?? language
}

/** The region in the language setting of the browser, if there is one. */
export function ownRegion(): string | undefined {
  return new Intl.Locale(tagOf(navigator.language)).region
}

/** Some browsers name the locale of the system, such as `en-US@posix`, which is no language tag. */
function tagOf(name: string): string {
  return name.replace(/[^a-z\d-].*/i, "") || "en"
}
