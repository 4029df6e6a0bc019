/** Makes a text into a regular expression of PostgreSQL that finds it in upper and lower case. */

/**
 * Every character becomes an escape, alone or beside its other case, so that none has a meaning of its
 * own. `ilike` would not do: in a database with the locale C it knows the cases of ASCII only.
 */
export function anyCase(text: string): string {
  return [...text].map(inAnyCase).join("")
}

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
