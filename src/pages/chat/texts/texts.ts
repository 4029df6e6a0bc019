/** The members of every catalogue of built-in texts. */
import type { Language } from "../../../lib/languages.ts"
import type { english } from "./english.ts"

/** The built-in texts in one language: all of those in English, and no others. */
export type Texts = {
  readonly [name in keyof typeof english]: name extends "language" ? Language : string
}

export type TextName = Exclude<keyof Texts, "language">
