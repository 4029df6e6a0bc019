/** Reads the Markdown of a variable's value into rich text. */
import { LRUCache } from "lru-cache"
import { fromMarkdown as parse } from "mdast-util-from-markdown"
import { type Fuel, readingUnits, spend } from "../budget/fuel.ts"
import type { RichText } from "../schema/richText.ts"
import { convertTree } from "./convertTree.ts"
import { isPlain, parsingUnits } from "./markdownCost.ts"

// Parsing is dear, and what a chat says once it often says again.
const parsed = new LRUCache<string, RichText>({
  max: 1_000,
  maxSize: 1_000_000,
  maxEntrySize: 20_000,
  sizeCalculation: (_nodes, text) => text.length,
})

/**
 * The blocks of a text, by CommonMark alone: no tables, strikethrough or bare links, and HTML stays
 * text. Each blank line between blocks becomes an empty paragraph; white space around the text is
 * lost; nothing comes of an empty one. A text that would take long to parse is one plain paragraph.
 * The nodes may be those of an earlier call: copy them before changing them.
 */
export function fromMarkdown(text: string, fuel: Fuel): RichText {
  spend(fuel, readingUnits(text.length))
  const trimmed = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").trim()
  if (trimmed === "") return []
  if (isPlain(trimmed)) return plainParagraphs(trimmed)
  const units = parsingUnits(trimmed)
  if (units === undefined) return [{ type: "p", children: [{ text: trimmed }] }]
  // Charged for what was parsed before too: the price must not depend on other chats.
  spend(fuel, units)
  const known = parsed.get(trimmed)
  if (known) return known
  const nodes = convertTree(parse(trimmed))
  parsed.set(trimmed, nodes)
  return nodes
}

/** What the parser makes of a text without any syntax. */
function plainParagraphs(text: string): RichText {
  if (!text.includes("\n")) return [{ type: "p", children: [{ text }] }]
  const paragraphs: string[] = []
  let isWithin = false
  for (const line of text.split("\n")) {
    const words = line.trim()
    if (words !== "" && isWithin) paragraphs.push(`${paragraphs.pop()}\n${words}`)
    else paragraphs.push(words)
    isWithin = words !== ""
  }
  return paragraphs.map((paragraph) => ({ type: "p", children: [{ text: paragraph }] }))
}
