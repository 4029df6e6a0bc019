/** Searches a column for words of people, however they spell the letters. */
import { type RawBuilder, sql } from "kysely"

/** The combining marks of Latin, Greek and Cyrillic letters; those of other scripts make other words. */
const marks = "[\u0300-\u036f]+"

/**
 * Whether a text of a row has the words: in upper or lower case, with accents or without, and with an accent
 * in one character or in two. `zoe` finds `Zoë`, and `Zoë` finds `zoe`. Most texts are ASCII: they have no
 * accents to remove, which takes most of the time.
 */
export function hasInAnySpelling(text: RawBuilder<unknown>, words: string): RawBuilder<boolean> {
  const plain = words.normalize("NFD").replace(new RegExp(marks, "g"), "")
  const pattern = [...plain].map(inAnyCase).join("")
  const inAscii = isAscii.test(plain)
    ? sql`strpos(lower(${text} collate "C"), ${plain.toLowerCase()}) > 0`
    : sql`${text} ~ ${pattern}`
  return sql<boolean>`case when octet_length(${text}) = length(${text}) then ${inAscii}
    else regexp_replace(normalize(${text}, NFD), ${marks}, '', 'g') ~ ${pattern} end`
}

/**
 * A text in capitals and without accents. Where `hasInAnySpelling` finds words in a text, this text holds
 * those of the words, but not the reverse.
 */
export function folded(text: string): string {
  // By way of small letters: a capital ß and a small one have different capitals.
  return text.normalize("NFD").replace(new RegExp(marks, "g"), "").toLowerCase().toUpperCase()
}

const isAscii = /^\p{ASCII}*$/u

/**
 * A character as an escape, alone or beside its other case, so that it has no meaning of its own. `ilike`
 * would not do: in a database with the locale C it knows the cases of ASCII only.
 */
function inAnyCase(character: string): string {
  const others = [character.toLowerCase(), character.toUpperCase()]
  // Some letters have two in the other case: they are found in their own.
  const forms = new Set([character, ...others.filter((form) => [...form].length === 1)])
  const escapes = [...forms].map(escaped).join("")
  return forms.size === 1 ? escapes : `[${escapes}]`
}

/** The escape of eight digits (PostgreSQL 15, 9.7.3.3). */
function escaped(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`
}
