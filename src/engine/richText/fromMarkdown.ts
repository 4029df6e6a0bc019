/** Reads the Markdown of a variable's value into rich text. */
import { type Fuel, readingUnits, spend } from "../budget/fuel.ts"
import type { RichText } from "../schema/richText.ts"
import { convertTokens } from "./convertTokens.ts"
import { parsingUnits, tokenUnits } from "./markdownPrice.ts"
import { parseMarkdown } from "./parseMarkdown.ts"

/**
 * The blocks of a text, by CommonMark with tables: no strikethrough or bare links, and HTML stays text. Each
 * blank line between blocks becomes an empty paragraph; white space around the text is lost; an empty text
 * yields no blocks. Blocks nested too deeply stay literal text.
 */
export function fromMarkdown(text: string, fuel: Fuel): RichText {
  const trimmed = withPlainBreaks(text, fuel)
  if (isPlain(trimmed)) return plainParagraphs(trimmed, fuel)
  spend(fuel, parsingUnits(trimmed))
  const tokens = parseMarkdown(trimmed)
  spend(fuel, tokenUnits(tokens))
  return convertTokens(tokens)
}

/** The paragraphs of a text without syntax; blank lines and white space as above. */
export function fromPlainText(text: string, fuel: Fuel): RichText {
  return plainParagraphs(withPlainBreaks(text, fuel), fuel)
}

function withPlainBreaks(text: string, fuel: Fuel): string {
  spend(fuel, readingUnits(text.length))
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").trim()
}

const unitsPerPlainLine = 4

/** The parser's result for a text without syntax. */
function plainParagraphs(text: string, fuel: Fuel): RichText {
  if (text === "") return []
  if (!text.includes("\n")) return [{ type: "p", children: [{ text }] }]
  const paragraphs: string[] = []
  let isWithin = false
  const lines = text.split("\n")
  spend(fuel, unitsPerPlainLine * lines.length)
  for (const line of lines) {
    const words = line.trim()
    if (words !== "" && isWithin) paragraphs.push(`${paragraphs.pop()}\n${words}`)
    else paragraphs.push(words)
    isWithin = words !== ""
  }
  return paragraphs.map((paragraph) => ({ type: "p", children: [{ text: paragraph }] }))
}

const inlineSyntax =
  /[\\`*]|\]\(|\]:|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|<(?:[A-Za-z/!?]|[^\s<>]*@)|&[A-Za-z#]| {2}\n|\t *\n/
const blockSyntax =
  /^[ \t]*(?:#{1,6}(?:[ \t]|$)|>|=+[ \t]*$|[-+](?:[ \t-]|$)|~~~|\d{1,9}[.)](?:[ \t]|$)|[-|:][-|: \t]*$)|^ *\t|^ {4}/m

/** Whether the text is only paragraphs to the parser; may be false for some that are. */
export function isPlain(text: string): boolean {
  return !inlineSyntax.test(text) && !blockSyntax.test(text)
}
