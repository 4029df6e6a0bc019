/** Prepares rich text for Markdown: escapes values, and keeps the author's text. */
import type { RichText, RichTextNode } from "../schema/richText.ts"
import {
  endsNumber,
  escapeAddress,
  escapeAddressPart,
  escapeOpenTags,
  escapeText,
  isHarmlessAddress,
  unlink,
} from "./escapeMarkdown.ts"
import { childrenOf, leavesOf } from "./leavesOf.ts"
import { hasForeignScheme, hasForeignUrl, isValue, markValue, valueLeaf } from "./provenance.ts"

/** The state of the output that decides how the next text is read. */
type Writing = {
  /** The author wrote syntax that could end the code of a value early. */
  isCodeUnsafe: boolean
  isInLink: boolean
  /** Open `[` of the author: the next text may be the text of a link. */
  brackets: number
  /** Start of the present line, at most `seenLength` characters. */
  line: string
  /** The last text, which the next one may require to change. */
  last: { leaf: RichTextNode; isValue: boolean } | undefined
  /** A web address at the end of the line, which the next signs may extend. */
  url: { leaf: RichTextNode; isValue: boolean } | undefined
  /** Start of an address that the author began with `](` and did not end. */
  address: string | undefined
}

const seenLength = 200
const numbered = /^(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s|\[[ xX]\]\s)*\d{1,9}$/
const opening = /^[\s\d>#+\-*.):=|~[\]xX]*$/

/**
 * The text with its values escaped, so that Markdown shows exactly what the rich text shows. Text without
 * values is returned unchanged.
 */
export function escapeValues(richText: RichText): RichText {
  if (!someNode(richText, hasForeignUrl)) return richText
  const isCodeUnsafe = someNode(richText, isUnsafeAroundCode)
  return blocksOf(richText, {
    isCodeUnsafe,
    isInLink: false,
    brackets: 0,
    line: "",
    last: undefined,
    url: undefined,
    address: undefined,
  })
}

function someNode(nodes: RichText, test: (node: RichTextNode) => boolean): boolean {
  return nodes.some((node) => test(node) || someNode(childrenOf(node), test))
}

function isUnsafeAroundCode(node: RichTextNode): boolean {
  if (isValue(node) || typeof node.text !== "string") return false
  return (node.code ? /`/ : /[`<|\\]|~~~/).test(node.text)
}

function blocksOf(nodes: RichText, writing: Writing): RichText {
  return nodes.flatMap((node) => escapeNode(node, writing))
}

function escapeNode(node: RichTextNode, writing: Writing): RichText {
  if (typeof node.text === "string") return [escapeLeaf(node, node.text, writing)]
  // In an address that the author began, the link of a value is part of it.
  const isInAddress = writing.address !== undefined && isValue(node)
  if (node.type === "a" && !isInAddress) return escapeLink(node, writing)
  if (node.type === "img") return escapePicture(node, writing)
  if (node.type === "inline-variable" || node.type === "a")
    return blocksOf(leavesOf(childrenOf(node)), writing)
  if (node.type === "code_block") return [escapeCodeBlock(node, writing)]
  startBlock(node, writing)
  // A line has no blocks, and its parts are processed together.
  const parts = linesOfText.has(node.type ?? "") ? leavesOf(childrenOf(node)) : childrenOf(node)
  const children = blocksOf(parts, writing)
  writing.line = ""
  return [{ ...node, children }]
}

const linesOfText = new Set(["p", "lic", "h1", "h2", "h3", "h4", "h5", "h6"])

function startBlock(node: RichTextNode, writing: Writing): void {
  writing.line = ""
  writing.url = undefined
  const isBlank = childrenOf(node).every((child) => child.text === "")
  // Paragraphs continue where a list ended, and so does an address begun in it.
  if (!(node.type === "p" || node.type === "div") || isBlank) {
    writing.address = undefined
    writing.brackets = 0
  }
}

function escapeLeaf(node: RichTextNode, text: string, writing: Writing): RichTextNode {
  if (text === "") return node
  if (!isValue(node)) return writeLeaf(node, authorText(node, text, writing), writing)
  closeSeam(writing, "")
  if (
    node.code &&
    !writing.isCodeUnsafe &&
    !writing.url &&
    !text.includes("`") &&
    // White space at its start would precede the code, where it may be syntax.
    /^\S/.test(text)
  ) {
    return writeLeaf(node, text, writing)
  }
  const { code: _, ...plain } = node
  return writeLeaf(plain, valueText(text, writing), writing)
}

function valueText(text: string, writing: Writing): string {
  if (writing.address !== undefined) {
    const part = escapeAddressPart(text, writing.address)
    writing.address = (writing.address + part).slice(0, seenLength)
    return part
  }
  const { line } = writing
  const escaped = escapeText(text, {
    isOpening: opening.test(line),
    isNumbered: numbered.test(line),
    before: lastSign(writing),
  })
  return writing.isInLink || writing.brackets > 0 ? unlink(escaped) : escaped
}

/** The author's text, changed only where it would form syntax with a value. */
function authorText(node: RichTextNode, text: string, writing: Writing): string {
  if (node.code) {
    // The author's syntax may undo the code.
    return writing.isCodeUnsafe || writing.url ? escapeOpenTags(text) : text
  }
  const { last, line } = writing
  let written = escapeOpenTags(text)
  if (last?.isValue) {
    closeSeam(writing, text)
    if (numbered.test(line) && endsNumber(text)) written = `\\${written}`
  }
  writing.address = addressAfter(text, writing.address)
  writing.brackets = bracketsAfter(text, writing.brackets)
  return written
}

function bracketsAfter(text: string, open: number): number {
  for (const [sign] of text.matchAll(/\\.|[[\]]/gs)) {
    if (sign === "[") open++
    else if (sign === "]" && open > 0) open--
  }
  return open
}

function addressAfter(text: string, address: string | undefined): string | undefined {
  const at = text.lastIndexOf("](")
  const rest = at === -1 ? text : text.slice(at + 2)
  if (rest.includes(")") || rest.includes("\n\n")) return undefined
  if (at === -1 && address === undefined) return undefined
  return ((at === -1 ? address : "") + rest).slice(0, seenLength)
}

/** Corrects the end of the last text where it would affect the next one. */
function closeSeam(writing: Writing, next: string): void {
  const { last } = writing
  if (!last || last.leaf.code) return
  let text = last.leaf.text ?? ""
  if (!last.isValue) {
    let end = text.length
    while (text[end - 1] === "\\") end--
    if ((text.length - end) % 2 === 1) text += "\\"
    text = withoutDefinition(text)
  } else if (text.endsWith("\n") && next !== "") text = `${text.slice(0, -1)}&#10;`
  // In another line it forms no picture, and the sign would extend a web address before it.
  const isInLine = writing.line !== ""
  if (isInLine && next.startsWith("[") && text.endsWith("!")) text = `${text.slice(0, -1)}\\!`
  last.leaf.text = text
}

/** `[name]:` at the end would read a value as its address, and Markdown would show neither. */
function withoutDefinition(text: string): string {
  const at = text.lastIndexOf("]:")
  if (at === -1 || /\s/.test(text.slice(at + 2).trim())) return text
  return `${text.slice(0, at + 1)}\\${text.slice(at + 1)}`
}

function writeLeaf(node: RichTextNode, text: string, writing: Writing): RichTextNode {
  const leaf = { ...node, text }
  const isMarked = Boolean(node.bold || node.italic || node.code)
  settleUrl(writing, isMarked ? "*" : text)
  writing.last = { leaf, isValue: isValue(node) }
  // A web address of a value after one of the author is part of it.
  const isPart = writing.url !== undefined && endsWithUrl(writing.url.leaf.text ?? "")
  if (!isPart && endsWithUrl(text)) writing.url = writing.last
  if (isMarked) settleUrl(writing, "*")
  const lineStart = text.lastIndexOf("\n") + 1
  const line = lineStart > 0 ? "" : writing.line
  writing.line = (line + text.slice(lineStart, lineStart + seenLength)).slice(0, seenLength)
  return leaf
}

function endsWithUrl(text: string): boolean {
  return /https?:\/\/|www\./i.test(text.slice(lastWordAt(text)))
}

function lastWordAt(text: string): number {
  let at = text.length
  while (at > 0 && /\S/.test(text[at - 1] ?? "")) at--
  return at
}

/** Unlinks the web address at the end of a value when more than white space or punctuation follows. */
function settleUrl(writing: Writing, next: string): void {
  const { url } = writing
  if (!url || /^[.,;:!?)"']*$/.test(next)) return
  if (/^[.,;:!?)"']*\s/.test(next)) writing.url = undefined
  else if (url.isValue) {
    const text = url.leaf.text ?? ""
    const at = lastWordAt(text)
    url.leaf.text = text.slice(0, at) + unlink(text.slice(at))
    writing.url = undefined
  } else if (/\s/.test(next)) writing.url = undefined
}

function lastSign({ last, line }: Writing): string {
  const text = line === "" ? "" : (last?.leaf.text ?? "")
  return text.endsWith("\\]") ? "" : text.slice(-1)
}

function escapeLink(node: RichTextNode, writing: Writing): RichText {
  // Of two nested links Markdown keeps the inner one.
  if (isValue(node) && writing.brackets > 0) return blocksOf(inOneLine(node), writing)
  const url = typeof node.url === "string" ? node.url : ""
  const isForeign = hasForeignUrl(node)
  const target = isForeign ? targetOf(node, url) : url
  const parts = someNode([node], hasForeignUrl) ? inOneLine(node) : leavesOf(childrenOf(node))
  const isBare = !someNode(parts, ({ type, text }) => type === "img" || Boolean(text))
  // A link without an address is written as its text, which affects the next one.
  if (target === "" && !isBare) return blocksOf(parts, writing)
  settleUrl(writing, "[")
  if (isForeign || writing.last?.isValue) closeSeam(writing, "[")
  if (isForeign && isBare) return [writeLeaf(valueLeaf(""), valueText(url, writing), writing)]
  const children = blocksOf(parts, { ...writing, isInLink: true, last: undefined })
  endAddress(writing)
  return [{ ...node, children, url: target }]
}

/** The leaves of a link without line breaks, which would undo it. */
function inOneLine(link: RichTextNode): RichText {
  return leavesOf(childrenOf(link)).map((node) =>
    typeof node.text === "string" ? { ...node, text: node.text.replace(/\n+/g, " ") } : node,
  )
}

function escapePicture(node: RichTextNode, writing: Writing): RichText {
  const isForeign = hasForeignUrl(node)
  const written = typeof node.url === "string" ? node.url : ""
  const url = isForeign ? targetOf(node, written) : written
  const words = Array.isArray(node.caption) ? childrenOf({ children: node.caption }) : []
  if (url === "" && words.length > 0) return blocksOf(leavesOf(words), writing)
  settleUrl(writing, "[")
  if (isForeign) closeSeam(writing, "")
  endAddress(writing)
  return [{ ...node, url }]
}

function targetOf(node: RichTextNode, url: string): string {
  return hasForeignScheme(node) && !isHarmlessAddress(url) ? "" : escapeAddress(url)
}

/** Continues after text that ends in an address. */
function endAddress(writing: Writing): void {
  const leaf = writeLeaf(valueLeaf(")"), ")", writing)
  writing.url = { leaf, isValue: false }
}

function escapeCodeBlock(node: RichTextNode, writing: Writing): RichTextNode {
  Object.assign(writing, { line: "", url: undefined, last: undefined })
  const isFilled = someNode([node], hasForeignUrl)
  if (isFilled && writing.isCodeUnsafe) {
    const lines = markValue(childrenOf(node)).map((line) => {
      return escapeNode({ ...line, type: "p", children: leavesOf([line]) }, writing)
    })
    return { type: "div", children: lines.flat() }
  }
  writing.address = undefined
  if (!isFilled) return node
  const { lang, ...block } = node
  return typeof lang === "string" && /^[\w+#.-]+$/.test(lang) ? node : block
}
