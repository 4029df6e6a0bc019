/** What clients make of Markdown: two libraries with HTML and the extensions of GitHub. */
import markdownIt from "markdown-it"
import { Marked } from "marked"

/** An element of a page, with its attributes and the text up to the next tag. */
export type Shown = { tag: string; attributes: Record<string, string>; text: string }

const marked = new Marked({ gfm: true, async: false })
const strict = markdownIt({ html: true })
const linking = markdownIt({ html: true, linkify: true })

/** The page that each library makes. */
export function pagesOf(markdown: string): Record<string, string> {
  return {
    marked: pageOfMarked(markdown),
    "markdown-it": strict.render(markdown),
    "markdown-it, linkify": linking.render(markdown),
  }
}

/**
 * Empty for what marked 18 cannot read: in an item of a list, a quote that ends in an empty item and goes
 * on in a line without a sign. That is an exception in its tokenizer, with the words of an author alone.
 */
function pageOfMarked(markdown: string): string {
  try {
    return String(marked.parse(markdown))
  } catch (error) {
    const isKnown = error instanceof TypeError && /\(reading 'raw'\)/.test(error.message)
    if (isKnown && quoteOfEmptyItem.test(markdown)) return ""
    throw error
  }
}

const quoteOfEmptyItem = /> *(?:[-+*]|\d{1,9}[.)])[ \t]*\n/

const wholeTag = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"]*")?)*)\s*\/?>([\s\S]*)$/

/** The elements of a page; one that is not plainly written counts as `broken`. */
export function elementsOf(page: string): Shown[] {
  const starts = [...page.matchAll(/<(?=[A-Za-z/!?])/g)].map((match) => match.index)
  return starts.flatMap((start, index) => {
    const written = page.slice(start, starts[index + 1])
    const [, closing, tag, list, text] = wholeTag.exec(written) ?? []
    if (tag === undefined) return [{ tag: "broken", attributes: {}, text: written }]
    if (closing) return []
    const pairs = [...(list ?? "").matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)]
    const attributes = Object.fromEntries(
      pairs.map(([, name = "", value = ""]) => [name, decoded(value)]),
    )
    return [{ tag, attributes, text: decoded(text ?? "") }]
  })
}

const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** The text with its character references replaced once, as browsers do. */
export function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#[xX]([0-9a-fA-F]+)|(\w+));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return names[name] ?? all
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD"
  })
}
