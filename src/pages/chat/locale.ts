/** The language and the region of the person, as `Intl` takes them. */
import { languageFor } from "../../lib/languages.ts"

/** In which dates, numbers and lists are written: in a language, as in the region of the person if it speaks that. */
export function localeOf(language: string): string {
  const locales = navigator.languages.map(localeNamed)
  return locales.find((each) => languageFor([each?.language]) === language)?.toString() ?? language
}

/** The region in the language setting of the browser, if there is one. */
export function ownRegion(): string | undefined {
  return localeNamed(navigator.language)?.region
}

/** Some browsers name the locale of the system, such as `en-US@posix` or `c`, which is no language tag. */
function localeNamed(name: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(name.replace(/[^a-z\d-].*/i, ""))
  } catch {
    return undefined
  }
}
