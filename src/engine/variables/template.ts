/** A text cut into literal stretches, variable tokens and inline code, once per text. */
import { LRUCache } from "lru-cache"

/** A literal stretch, a token `{{name}}`, or inline code `{{=source=}}`. */
export type Part = string | { readonly name: string } | { readonly source: string }

// Bounded by count and by characters: an end user's words may pass through here too.
const templates = new LRUCache<string, readonly Part[]>({
  max: 5000,
  maxSize: 4_000_000,
  maxEntrySize: 100_000,
  sizeCalculation: (_parts, text) => text.length,
})

const token = /\{\{([^{}]+)\}\}/g

/** The parts of a text, in order; adjacent literals are possible, empty ones are not. */
export function templateOf(text: string): readonly Part[] {
  if (!text.includes("{{")) return text === "" ? [] : [text]
  const known = templates.get(text)
  if (known) return known
  const parts = cut(text)
  templates.set(text, parts)
  return parts
}

function cut(text: string): Part[] {
  const parts: Part[] = []
  let from = 0
  for (const span of inlineSpans(text)) {
    cutTokens(text.slice(from, span.start), parts)
    parts.push({ source: text.slice(span.start + 3, span.end) })
    from = span.end + 3
  }
  cutTokens(text.slice(from), parts)
  return parts
}

function cutTokens(text: string, parts: Part[]): void {
  let from = 0
  for (const match of text.matchAll(token)) {
    if (match.index > from) parts.push(text.slice(from, match.index))
    parts.push({ name: match[1] ?? "" })
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push(text.slice(from))
}

// Pointers that only move forward: a regular expression would be quadratic on `{{={{={{=`.
function inlineSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  let start = text.indexOf("{{=")
  let end = -1
  let lineEnd = -1
  while (start !== -1) {
    if (end < start + 3) end = text.indexOf("=}}", start + 3)
    if (end === -1) break
    if (lineEnd < start) lineEnd = lineEndAfter(text, start)
    const isClosed = end < lineEnd
    if (isClosed) spans.push({ start, end })
    start = text.indexOf("{{=", isClosed ? end + 3 : lineEnd)
  }
  return spans
}

function lineEndAfter(text: string, from: number): number {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}
