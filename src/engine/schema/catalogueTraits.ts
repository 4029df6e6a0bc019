/** Traits of a block or event type for the catalogue, from which authors choose. */

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

/** Degree of support: full, a plainer form, or none. */
export const supports = ["full", "reduced", "none"] as const

/** Channels besides web pages. */
export const messengers = ["whatsapp", "telegram"] as const

type Support = (typeof supports)[number]

/** Traits for editors; `Content`: members of its blocks or events besides id and type. */
export type CatalogueTraits<Content = object> = {
  /** Up to three words, unique among types. */
  label: string
  /** A sentence for authors. */
  description: string
  category: (typeof categories)[number]
  /** Name of an icon of Lucide (lucide.dev). */
  icon: string
  /** Support in messengers, in all alike or in each; web pages have full support. Absent: full. */
  messengers?: Support | Readonly<Record<(typeof messengers)[number], Support>>
  /** Members of a new one; editors replace its ids. Absent: none. */
  defaults?: Content
  /** True: only in flows of former versions; cannot be added. */
  isLegacy?: true
}
