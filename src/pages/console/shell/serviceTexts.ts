/** Which texts the service says, and how they are replaced by those of another language. */

/** The members that are texts for people. */
export const textsOfCatalogue: readonly string[] = ["label", "title", "description"]
export const textsOfStarters: readonly string[] = ["name", "description", "category"]

/** Members with what bots hold: it is the same in every language. */
const contents: ReadonlySet<string> = new Set(["default", "defaults", "examples"])

/** A value whose texts, by the names of their members, are replaced. */
export function withTexts<Value>(
  value: Value,
  names: readonly string[],
  replace: (text: string) => string,
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
