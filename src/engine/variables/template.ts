/** A text cut into literal stretches, variable tokens and inline code, once per text. */
import { LRUCache } from "lru-cache"

/** A literal stretch, a token `{{name}}`, or inline code `{{=source=}}`. */
type Part = string | { readonly name: string } | { readonly source: string }

// Bounded by count and by characters: an end user's words may pass through here too.
const templates = new LRUCache<string, readonly Part[]>({
  max: 5000,
  maxSize: 4_000_000,
  maxEntrySize: 100_000,
  sizeCalculation: (_parts, text) => text.length,
})

/** What follows the `{{` of a token: its name and its end. */
const nameAndEnd = /[^{}]+\}\}/y

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
  const tokens = new Map<string, Part>()
  let from = 0
  for (const span of inlineSpans(text)) {
    cutTokens(text.slice(from, span.start), parts, tokens)
    parts.push({ source: text.slice(span.start + 3, span.end) })
    from = span.end + 3
  }
  cutTokens(text.slice(from), parts, tokens)
  return parts
}

// One object per name, and no match per token: a flow of 4 MB can hold 800,000 of them.
function cutTokens(text: string, parts: Part[], tokens: Map<string, Part>): void {
  let from = 0
  let start = text.indexOf("{{")
  while (start !== -1) {
    nameAndEnd.lastIndex = start + 2
    const isToken = nameAndEnd.test(text)
    if (isToken) {
      if (start > from) parts.push(text.slice(from, start))
      from = nameAndEnd.lastIndex
      const name = text.slice(start + 2, from - 2)
      const token = tokens.get(name) ?? { name }
      tokens.set(name, token)
      parts.push(token)
    }
    start = text.indexOf("{{", isToken ? from : start + 1)
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
