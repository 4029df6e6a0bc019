/** The catalogues that the build writes as JSON, each of which a chat fetches when it is shown. */
import type { Language } from "../../../lib/languages.ts"
import { arabic } from "./arabic.ts"
import { chinese } from "./chinese.ts"
import { dutch } from "./dutch.ts"
import { europeanPortuguese } from "./europeanPortuguese.ts"
import { french } from "./french.ts"
import { german } from "./german.ts"
import { hebrew } from "./hebrew.ts"
import { italian } from "./italian.ts"
import { japanese } from "./japanese.ts"
import { polish } from "./polish.ts"
import { portuguese } from "./portuguese.ts"
import { spanish } from "./spanish.ts"
import type { Texts } from "./texts.ts"

export const catalogues: Readonly<Record<Exclude<Language, "en"> | "pt-PT", Texts>> = {
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  "pt-PT": europeanPortuguese,
  it: italian,
  nl: dutch,
  pl: polish,
  ar: arabic,
  he: hebrew,
  ja: japanese,
  zh: chinese,
}
