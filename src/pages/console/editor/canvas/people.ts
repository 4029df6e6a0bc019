/** How others who have the bot open are shown. */
import type { CSSProperties } from "react"
import type { Person } from "./flowModel.ts"

// Those whose ninth shade carries white words.
const colours = ["pink", "grape", "teal", "cyan", "red", "violet"] as const

/** Always the same for one person. */
export function colourOf({ userId }: Pick<Person, "userId">): (typeof colours)[number] {
  let sum = 0
  for (const letter of userId) sum = (sum * 31 + letter.charCodeAt(0)) % 9_973
  return colours[sum % colours.length] ?? "teal"
}

/** The look of what they are at: the colour of the first, as Canvas.module.css uses it. */
export function lookOf(people: readonly Person[] | undefined): CSSProperties {
  const [first] = people ?? []
  if (!first) return {}
  return { "--person": `var(--mantine-color-${colourOf(first)}-9)` } as CSSProperties
}

export const namesOf = (people: readonly Person[]) =>
  people.map(({ name }) => name || "?").join(", ")
