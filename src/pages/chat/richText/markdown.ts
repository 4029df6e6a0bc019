/** Converts the Markdown that models write to rich text nodes, even while it is incomplete. */
import type { RichTextNode } from "../payload.ts"
import { readInline } from "./markdownLine.ts"

/**
 * Reads headings, lists, quotes, code, rules, tables and paragraphs as CommonMark and the service do. HTML and
 * definitions of links are text.
 */
export function readMarkdown(text: string): RichTextNode[] {
  return readBlocks(text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n"), 0)
}

/** Backticks that close on their own line are no block. */
const fence = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/
const heading = /^ {0,3}(#{1,6})(?: +(.*?))?(?: +#+)? *$/
const rule = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/
const quote = /^ {0,3}> ?(.*)$/
/** A single sign begins the next element. */
const underline = /^ {0,3}(?:={2,}|-{2,}) *$/
const item = /^( {0,3})([*+-]|(\d{1,9})([.)]))( +(?=\S)|(?= *$))(.*)$/

/** As in values read by the service: deeper quotes and lists stay text. */
const maxDepth = 12

function readBlocks(lines: readonly string[], depth: number): RichTextNode[] {
  if (depth > maxDepth && lines.length > 0)
    return [{ type: "p", children: [{ text: lines.join("\n") }] }]
  const blocks: RichTextNode[] = []
  let at = 0
  while (at < lines.length) {
    if (isBlank(lines[at])) at += 1
    else {
      const { node, end } = readBlock(lines, at, depth)
      blocks.push(node)
      at = end
    }
  }
  return blocks
}

type Read = { node: RichTextNode; end: number }

function readBlock(lines: readonly string[], at: number, depth: number): Read {
  const line = lines[at] ?? ""
  if (isIndented(line)) return readIndented(lines, at)
  const [, hashes, title = ""] = heading.exec(line) ?? []
  if (hashes) {
    return { node: { type: `h${hashes.length}`, children: readInline(title) }, end: at + 1 }
  }
  if (fence.test(line)) return readCode(lines, at)
  if (rule.test(line)) return { node: { type: "hr", children: [] }, end: at + 1 }
  if (quote.test(line)) {
    const { inner, end } = readContainer(lines, at, (each) => quote.exec(each)?.[1])
    return { node: { type: "blockquote", children: readBlocks(inner, depth + 1) }, end }
  }
  if (item.test(line)) return readList(lines, at, depth)
  return isTable(lines, at) ? readTable(lines, at) : readParagraph(lines, at)
}

/** A paragraph, or a heading where a line is drawn below it. */
function readParagraph(lines: readonly string[], at: number): Read {
  const end = endOf(
    lines,
    at + 1,
    (each, index) => goesOn(each) && !underline.test(each) && !isTable(lines, index),
  )
  const under = lines[end] ?? ""
  const words = lines.slice(at, end).map((each, index, all) => {
    const isLast = index + 1 === all.length
    // A backslash at the end of a line only ends it.
    return isLast ? each.trim() : each.trim().replace(/(?<!\\)((?:\\\\)*)\\$/, "$1")
  })
  const children = readInline(words.join("\n"))
  if (!underline.test(under)) return { node: { type: "p", children }, end }
  return { node: { type: under.includes("=") ? "h1" : "h2", children }, end: end + 1 }
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ""
}

function isIndented(line: string): boolean {
  return /^ {4} *\S/.test(line)
}

/** Whether the line belongs to the paragraph or table before it. */
function goesOn(line: string): boolean {
  if (isBlank(line)) return false
  const [, , , number, , , text] = item.exec(line) ?? []
  const isList = text !== undefined && text !== "" && (number === undefined || Number(number) === 1)
  return !isList && ![fence, heading, rule, quote].some((form) => form.test(line))
}

function endOf(
  lines: readonly string[],
  from: number,
  isWithin: (line: string, index: number) => boolean,
): number {
  let end = from
  while (end < lines.length && isWithin(lines[end] ?? "", end)) end += 1
  return end
}

/**
 * The lines of a quote or item, without its mark; `within` returns undefined for a line that has none. Lines
 * that continue a paragraph in it need none.
 */
function readContainer(
  lines: readonly string[],
  at: number,
  within: (line: string, index: number) => string | undefined,
): { inner: string[]; end: number } {
  const inner: string[] = []
  /** The same without the marks of its contents. */
  const bare: string[] = []
  let opened = ""
  let end = at
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? ""
    const own = within(line, end)
    // Outside, each mark begins an item, with any number.
    const mayGoOn = goesOn(line) && !item.test(line) && !isTable(lines, end)
    const isLazy = own === undefined && opened === "" && mayGoOn && endsInParagraph(bare)
    if (own === undefined && !isLazy) break
    // A lazy continuation line is no heading underline.
    inner.push(own ?? (underline.test(line) ? `\\${line.trim()}` : line.trim()))
    const { text, isItem } = bareOf(inner.at(-1) ?? "")
    // An item starts a new context: no earlier table continues.
    if (isItem) bare.length = 0
    bare.push(text)
    const [, , marks = ""] = fence.exec(text) ?? []
    if (opened === "") opened = marks
    else if (isClosing(text, opened)) opened = ""
  }
  return { inner, end }
}

/** A line without the marks of quotes and items. */
function bareOf(line: string): { text: string; isItem: boolean } {
  let text = line
  let isItem = false
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    const inner = rule.test(text) ? undefined : (quote.exec(text)?.[1] ?? item.exec(text)?.[6])
    if (inner === undefined) break
    isItem ||= !quote.test(text)
    text = inner
  }
  return { text, isItem }
}

/** Whether the next line could continue a paragraph at the end of these lines. */
function endsInParagraph(lines: readonly string[]): boolean {
  const last = lines.at(-1) ?? ""
  if (!goesOn(last.trimStart()) || underline.test(last)) return false
  if (isIndented(last) && isBlank(lines.at(-2))) return false
  for (let at = lines.length - 2; at >= lines.length - maxRows && !isBlank(lines[at]); at -= 1) {
    if (isTable(lines, at)) return false
  }
  return true
}

function readIndented(lines: readonly string[], at: number): Read {
  let end = endOf(lines, at, (each) => isIndented(each) || isBlank(each))
  while (isBlank(lines[end - 1])) end -= 1
  return { node: codeBlock(lines.slice(at, end).map((each) => each.slice(4))), end }
}

/** Other fences are part of the code, such as those of an example of Markdown. */
function isClosing(line: string, opened: string): boolean {
  const closed = /^ {0,3}(\S+) *$/.exec(line)?.[1] ?? ""
  return closed.startsWith(opened) && closed.replaceAll(opened.charAt(0), "") === ""
}

function readCode(lines: readonly string[], at: number): Read {
  const [, indent = "", opened = ""] = fence.exec(lines[at] ?? "") ?? []
  const close = endOf(lines, at + 1, (each) => !isClosing(each, opened))
  const code = lines.slice(at + 1, close).map((each) => {
    return each.slice(Math.min(indent.length, each.search(/\S|$/)))
  })
  return { node: codeBlock(code), end: close + 1 }
}

function codeBlock(lines: readonly string[]): RichTextNode {
  const children = lines.map((text) => ({ type: "code_line", children: [{ text }] }))
  return { type: "code_block", children }
}

/** As in the values that the service reads: more columns are no table, more rows are text. */
const maxColumns = 20
const maxRows = 200

function isTable(lines: readonly string[], at: number): boolean {
  const head = lines[at] ?? ""
  const aligned = lines[at + 1] ?? ""
  if (!head.includes("|") || !/^ {0,3}[|:-][-|: \t]+$/.test(aligned)) return false
  const columns = cellsOf(aligned)
  const isRule = columns.every((column) => /^:?-+:?$/.test(column))
  return isRule && columns.length <= maxColumns && columns.length === cellsOf(head).length
}

function readTable(lines: readonly string[], at: number): Read {
  const columns = cellsOf(lines[at + 1] ?? "")
  const end = endOf(
    lines.slice(0, at + 2 + maxRows),
    at + 2,
    (each) => goesOn(each) && !item.test(each) && !isIndented(each),
  )
  const row = (type: string, line: string) => {
    const cells = cellsOf(line)
    return {
      type: "tr",
      children: columns.map((column, index) => cell(type, column, cells[index])),
    }
  }
  const body = lines.slice(at + 2, end).map((line) => row("td", line))
  return { node: { type: "table", children: [row("th", lines[at] ?? ""), ...body] }, end }
}

function cellsOf(line: string): string[] {
  const cells = line.trim().split(/(?<!\\)\|/)
  if (cells[0] === "") cells.shift()
  if (cells.at(-1) === "") cells.pop()
  return cells.map((text) => text.trim().replaceAll("\\|", "|"))
}

function cell(type: string, column: string, text = ""): RichTextNode {
  const [, left, right] = /^(:?)-+(:?)$/.exec(column) ?? []
  const align = left && right ? "center" : (right && "right") || (left && "left")
  const children = text === "" ? [{ text }] : [{ type: "p", children: readInline(text) }]
  return { type, children, ...(align && { align }) }
}

/** Reads items of one kind: another sign, or another mark behind the number, begins another list. */
function readList(lines: readonly string[], at: number, depth: number): Read {
  const [, , , number] = item.exec(lines[at] ?? "") ?? []
  const kind = kindOf(lines[at])
  const children: RichTextNode[] = []
  let end = at
  for (let next = at; kindOf(lines[next]) === kind; next = endOf(lines, end, isBlank)) {
    const read = readItem(lines, next, depth)
    children.push(read.node)
    end = read.end
  }
  if (number === undefined) return { node: { type: "ul", children }, end }
  // A list interrupted by a paragraph or code continues its numbers.
  return { node: { type: "ol", children, start: Number(number) }, end }
}

function kindOf(line = ""): string | undefined {
  const [, , sign, , mark] = item.exec(line) ?? []
  return rule.test(line) ? undefined : (mark ?? sign)
}

function readItem(lines: readonly string[], at: number, depth: number): Read {
  const [, indent = "", sign = "", , , space = "", text = ""] = item.exec(lines[at] ?? "") ?? []
  // More spaces are part of the code with which the item begins.
  const width = indent.length + sign.length + (space.length > 4 ? 1 : Math.max(1, space.length))
  const isWithin = (each = "") => !isBlank(each) && each.slice(0, width).trim() === ""
  const isEmpty = isBlank(text) && isBlank(lines[at + 1])
  /** Whether the lines after a blank one are still of the item, found once for all blank lines in a row. */
  let blank = { end: at, isWithin: false }
  const within = (each: string, index: number) => {
    if (index === at) return each.slice(width)
    if (isEmpty) return undefined
    if (!isBlank(each)) return isWithin(each) ? each.slice(width) : undefined
    if (index >= blank.end) {
      const follows = endOf(lines, index, isBlank)
      blank = { end: follows, isWithin: isWithin(lines[follows]) }
    }
    return blank.isWithin ? "" : undefined
  }
  const { inner, end } = readContainer(lines, at, within)
  const blocks = readBlocks(inner, depth + 1).map((node) =>
    node.type === "p" ? { ...node, type: "lic" } : node,
  )
  const hasText = blocks.some(({ type }) => type === "lic")
  const children = hasText ? blocks : [{ type: "lic", children: [{ text: "" }] }, ...blocks]
  return { node: { type: "li", children }, end }
}
