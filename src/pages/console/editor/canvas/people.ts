/** How others who have the bot open are shown. */
import type { Person } from "./flowModel.ts"

const colours = ["pink", "grape", "teal", "orange", "cyan", "lime", "red", "violet"] as const

/** Always the same for one person. */
export function colourOf({ userId }: Pick<Person, "userId">): (typeof colours)[number] {
  let sum = 0
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) % 9_973
  return colours[sum % colours.length] ?? "teal"
}

/** The outline of what they are at. */
export function outlineOf(people: readonly Person[] | undefined): string | undefined {
  const [first] = people ?? []
  return first && `var(--mantine-color-${colourOf(first)}-filled)`
}

export const namesOf = (people: readonly Person[]) =>
  people.map(({ name }) => name || "?").join(", ")
