/** The texts of the console, in the reader's language. Each view has its texts beside it. */
import { createContext, use } from "react"

/** Languages of the console. */
export const languages = { en: "English", de: "Deutsch" } as const

export type Language = keyof typeof languages

/** The texts of a view in every language: a language that lacks one does not compile. */
export type Catalogue<Texts> = Readonly<Record<Language, Texts>>

/** Declares the texts of a view: `defineTexts({ en: { save: "Save" }, de: { save: "Speichern" } })`. */
export function defineTexts<Texts>(
  catalogue: { en: Texts } & Record<Exclude<Language, "en">, NoInfer<Texts>>,
): Catalogue<Texts> {
  return catalogue as Catalogue<Texts>
}

export const LanguageContext = createContext<Language>("en")

export function useLanguage(): Language {
  return use(LanguageContext)
}

export function useTexts<Texts>(catalogue: Catalogue<Texts>): Texts {
  return catalogue[useLanguage()]
}

/** The same outside of components, in the language that the page has now. */
export function textsNow<Texts>(catalogue: Catalogue<Texts>): Texts {
  const { lang } = document.documentElement
  return catalogue[lang in languages ? (lang as Language) : "en"]
}

/** The first language of the browser that the console has. */
export function languageOfBrowser(): Language {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase())
  return wanted.find((tag): tag is Language => Object.hasOwn(languages, tag)) ?? "en"
}
