/** Reads the Markdown of a variable's value into rich text. */
import { LRUCache } from "lru-cache"
import { fromMarkdown as parse } from "mdast-util-from-markdown"
import { type Fuel, readingUnits, spend } from "../budget/fuel.ts"
import type { RichText } from "../schema/richText.ts"
import { codeBlock, convertTree } from "./convertTree.ts"
import { joinPiece, type Piece, piecesOf } from "./longMarkdown.ts"

// Parsing is expensive, and chats often say the same thing again.
const parsed = new LRUCache<string, RichText>({
  max: 1_000,
  maxSize: 1_000_000,
  maxEntrySize: 20_000,
  sizeCalculation: (_nodes, text) => text.length,
})

/**
 * The blocks of a text, by CommonMark alone: no tables, strikethrough or bare links, and HTML stays
 * text. Each blank line between blocks becomes an empty paragraph; white space around the text is
 * lost; nothing comes of an empty one. A text that would take long to parse is parsed in pieces, as
 * far as a fixed budget goes: the rest is one plain paragraph, and so is what is nested too deeply.
 * The nodes may be those of an earlier call: copy them before changing them.
 */
export function fromMarkdown(text: string, fuel: Fuel): RichText {
  spend(fuel, readingUnits(text.length))
  const trimmed = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").trim()
  if (trimmed === "") return []
  if (isPlain(trimmed)) return plainParagraphs(trimmed)
  const units = parsingUnits(trimmed)
  if (units === undefined) return inPieces(trimmed, fuel)
  // Charged for what was parsed before too: the price must not depend on other chats.
  spend(fuel, units)
  const known = parsed.get(trimmed)
  if (known) return known
  const nodes = convertTree(parse(trimmed))
  parsed.set(trimmed, nodes)
  return nodes
}

/** What the pieces of one text may cost together: at least 30,000 characters, mostly 100,000. */
const maxUnitsInPieces = 800_000
const unitsPerLine = 200

function inPieces(text: string, fuel: Fuel): RichText {
  const nodes: RichText = []
  let left = maxUnitsInPieces
  for (const piece of piecesOf(text)) {
    // Lines count besides: each may become a node or several.
    left -= piece.text.length + unitsPerLine * piece.lines
    const units = piece.isCode || isPlain(piece.text) ? 0 : (parsingUnits(piece.text) ?? 0)
    if (units > left) {
      joinPiece(nodes, rawParagraph(text.slice(piece.start)), piece.before)
      break
    }
    left -= units
    spend(fuel, units + piece.text.length)
    joinPiece(nodes, nodesOf(piece), piece.before)
  }
  return nodes
}

function nodesOf({ text, isCode }: Piece): RichText {
  if (isCode) {
    const [first = "", ...lines] = text.split("\n")
    if (/^(?:`+|~+)\s*$/.test(lines.at(-1) ?? "")) lines.pop()
    return [codeBlock(lines.join("\n"), /^(?:`+|~+)\s*(\S+)/.exec(first)?.[1])]
  }
  if (isPlain(text)) return plainParagraphs(text)
  return parsingUnits(text) === undefined ? rawParagraph(text) : convertTree(parse(text))
}

function rawParagraph(text: string): RichText {
  return [{ type: "p", children: [{ text }] }]
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

// What one parse may cost: about 60 ms for the worst text within it, micromark 4.0.
const maxLength = 20_000
const maxLines = 200
const maxMarks = 600
const maxDepth = 12

/** Lines that a plain text may have and still be cut into paragraphs. */
const maxPlainLines = 2_000

const inlineSyntax =
  /[\\`*]|\]\(|\]:|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|<(?:[A-Za-z/!?]|[^\s<>]*@)|&[A-Za-z#]| {2}\n/
const blockSyntax =
  /^[ \t]*(?:#{1,6}(?:[ \t]|$)|>|=+[ \t]*$|[-+](?:[ \t-]|$)|~~~|\d{1,9}[.)](?:[ \t]|$))|^ *\t|^ {4}/m

/** Whether CommonMark sees nothing but paragraphs in the text; may say no for some that are. */
export function isPlain(text: string): boolean {
  return !inlineSyntax.test(text) && !blockSyntax.test(text) && hasAtMost(text, "\n", maxPlainLines)
}

/**
 * What the parser may take for a text, in units: its time grows with the square of some marks.
 * Undefined: too much, it must not be handed to the parser.
 */
export function parsingUnits(text: string): number | undefined {
  if (text.length > maxLength || !hasAtMost(text, "\n", maxLines)) return undefined
  const marks = text.match(/[\\`*_[\]<>&!]/g)?.length ?? 0
  if (marks > maxMarks) return undefined
  const isFlat = text.split("\n").every((line) => depthOf(line) <= maxDepth)
  return isFlat ? 100 + 6 * text.length + 2 * marks * marks : undefined
}

/** How many quotes and lists a line opens or lies in. */
function depthOf(line: string): number {
  const opening = /^[ \t]*(?:(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))[ \t]*)+/.exec(line)?.[0]
  if (opening === undefined) return 0
  const indent = opening.slice(0, opening.length - opening.trimStart().length)
  const columns = indent.replaceAll("\t", "    ").length
  return Math.floor(columns / 2) + (opening.match(/[-*+>]|\d+[.)]/g)?.length ?? 0)
}

function hasAtMost(text: string, sign: string, limit: number): boolean {
  let count = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    if (++count > limit) return false
  }
  return true
}
