/** What a type of block or event declares for the catalogue, from which authors choose. */

/** Groups of the catalogue, in the order in which editors show them. */
export const categories = [
  "messages",
  "questions",
  "choices",
  "logic",
  "ai",
  "data",
  "communication",
  "analytics",
  "automation",
  "events",
] as const

/** What works there: everything, a plainer form of it, or nothing. */
export const supports = ["full", "reduced", "none"] as const

/** Where people chat besides web pages. */
export const messengers = ["whatsapp", "telegram"] as const

type Support = (typeof supports)[number]

/** How editors show a type; `Content` is what its blocks or events may have besides id and type. */
export type CatalogueTraits<Content = object> = {
  /** At most three words, which no other type has. */
  label: string
  /** What it does, in a sentence that an author understands. */
  description: string
  category: (typeof categories)[number]
  /** Name of an icon of Lucide (lucide.dev). */
  icon: string
  /** What works in messengers, in all alike or in each; on web pages everything does. Absent: everything. */
  messengers?: Support | Readonly<Record<(typeof messengers)[number], Support>>
  /** What a new one has; editors replace the ids in it. Absent: nothing. */
  defaults?: Content
  /** True: flows of former versions have it, and nobody adds one. */
  isLegacy?: true
}
