/** Texts of the service in other languages, by the English ones. */
import type { Language } from "./texts.ts"

/** The members that are texts for people. */
export const textsOfCatalogue: readonly string[] = ["label", "title", "description"]
export const textsOfStarters: readonly string[] = ["name", "description", "category"]

/** Members with what bots hold: it is the same in every language. */
const contents: ReadonlySet<string> = new Set(["default", "defaults", "examples"])

type Translate = (text: string) => string

/** How English texts are said in a language. Those that a newer service has besides stay as they are. */
export async function wordsOf(language: Language): Promise<Translate> {
  if (language === "en") return (text) => text
  const german: Readonly<Record<string, string>> = (await import("./serviceTexts.de.json")).default
  return (text) => (Object.hasOwn(german, text) ? (german[text] ?? text) : text)
}

/** A value whose texts, by the names of their members, are replaced. */
export function withTexts<Value>(
  value: Value,
  names: readonly string[],
  replace: Translate,
): Value {
  if (Array.isArray(value)) return value.map((each) => withTexts(each, names, replace)) as Value
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value).map(([name, member]) => {
    if (contents.has(name)) return [name, member]
    const isText = typeof member === "string" && names.includes(name)
    return [name, isText ? replace(member) : withTexts(member, names, replace)]
  })
  return Object.fromEntries(members) as Value
}
