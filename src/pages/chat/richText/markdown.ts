/** Converts the Markdown that models write to rich text nodes, even while it is incomplete. */
import type { RichTextNode } from "../payload.ts"
import { childrenOf } from "./plainText.ts"

/** Reads headings, lists, quotes, code, rules, tables and paragraphs. Everything else is text. */
export function readMarkdown(text: string): RichTextNode[] {
  return readBlocks(text.replaceAll("\r\n", "\n").split("\n"), 0)
}

/** Backticks that close on their own line are no block. */
const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/
const quote = /^ {0,3}> ?(.*)$/
const bullet = /^( *)(?:[*+-]|(\d{1,9})[.)])\s+(.*)$/

/** As in the values that the service reads: what is nested deeper in quotes and lists stays text. */
const maxDepth = 12

function readBlocks(lines: readonly string[], depth: number): RichTextNode[] {
  if (depth > maxDepth && lines.length > 0)
    return [{ type: "p", children: [{ text: lines.join("\n") }] }]
  const blocks: RichTextNode[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ""
    if (line.trim() === "") at += 1
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
  const [, hashes, title] = heading.exec(line) ?? []
  if (hashes)
    return { node: { type: `h${hashes.length}`, children: inline(title ?? "") }, end: at + 1 }
  if (fence.test(line)) return readCode(lines, at)
  if (rule.test(line)) return { node: { type: "hr", children: [] }, end: at + 1 }
  if (quote.test(line)) {
    const end = endOf(lines, at, (each) => quote.test(each))
    const inner = lines.slice(at, end).map((each) => quote.exec(each)?.[1] ?? "")
    return { node: { type: "blockquote", children: readBlocks(inner, depth + 1) }, end }
  }
  if (bullet.test(line)) return readList(lines, at, depth)
  if (isTable(lines, at)) return readTable(lines, at)
  const isWithin = (each: string, index: number) => goesOn(each) && !isTable(lines, index)
  const end = endOf(lines, at + 1, isWithin)
  return { node: { type: "p", children: inline(lines.slice(at, end).join("\n")) }, end }
}

/** Whether the line belongs to the paragraph or table before it. */
function goesOn(line: string): boolean {
  return (
    line.trim() !== "" && ![fence, heading, rule, quote, bullet].some((form) => form.test(line))
  )
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

function readCode(lines: readonly string[], at: number): Read {
  const [, opened = ""] = fence.exec(lines[at] ?? "") ?? []
  // Other fences are part of the code, such as those of an example of Markdown.
  const isClosing = (each: string) => {
    const closed = each.trim()
    return closed.startsWith(opened) && closed.replaceAll(opened.charAt(0), "") === ""
  }
  const close = endOf(lines, at + 1, (each) => !isClosing(each))
  const children = lines
    .slice(at + 1, close)
    .map((text) => ({ type: "code_line", children: [{ text }] }))
  return { node: { type: "code_block", children }, end: close + 1 }
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
  const end = endOf(lines.slice(0, at + 2 + maxRows), at + 2, goesOn)
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
  const children = text === "" ? [{ text }] : [{ type: "p", children: inline(text) }]
  return { type, children, ...(align && { align }) }
}

/** Reads items with the indentation of the first one; deeper lines belong to the item before them. */
function readList(lines: readonly string[], at: number, depth: number): Read {
  const [, indent = "", number] = bullet.exec(lines[at] ?? "") ?? []
  const children: RichTextNode[] = []
  let end = at
  while (end < lines.length) {
    const [, spaces = "", , text = ""] = bullet.exec(lines[end] ?? "") ?? []
    if (!bullet.test(lines[end] ?? "") || spaces.length > indent.length + 1) break
    if (spaces.length < indent.length) break
    const start = end + 1
    end = endOf(lines, start, (each) => /^ {2,}\S/.test(each.slice(indent.length)))
    const inner = lines
      .slice(start, end)
      .map((each) => each.slice(indent.length).replace(/^ {2,4}/, ""))
    children.push({
      type: "li",
      children: [{ type: "lic", children: inline(text) }, ...readBlocks(inner, depth + 1)],
    })
    if ((lines[end] ?? "").trim() === "" && bullet.test(lines[end + 1] ?? "")) end += 1
  }
  if (number === undefined) return { node: { type: "ul", children }, end }
  // A list that a paragraph or code interrupts counts on.
  return { node: { type: "ol", children, start: Number(number) }, end }
}

/**
 * What stands in a line. Marks around more than these characters are text, so that those that nothing closes
 * are not looked for to the end of a long line, again and again.
 */
const marks: readonly { form: RegExp; read(one: string, two?: string): RichTextNode[] }[] = [
  { form: /\\([!-/:-@[-`{-~])/g, read: (text) => [{ text }] },
  {
    form: /(?<!`)(`+)(?!`)([^\n]{0,999}?[^`\n])\1(?!`)/g,
    read: (_, text = "") => [{ text, code: true }],
  },
  { form: /\*\*(\S(?:[^\n]{0,999}?\S)??)\*\*(?!\*)/g, read: marked({ bold: true }) },
  { form: /__(\S(?:[^\n]{0,999}?\S)??)__/g, read: marked({ bold: true }) },
  { form: /~~(\S(?:[^\n]{0,999}?\S)??)~~/g, read: marked({ strikethrough: true }) },
  { form: /\*(\S(?:[^*\n]*?\S)?)\*/g, read: marked({ italic: true }) },
  { form: /\b_(\S(?:[^_\n]*?\S)?)_\b/g, read: marked({ italic: true }) },
  {
    // Addresses may have brackets of their own, as those of Wikipedia do.
    form: /!?\[([^\]\n]{0,999})\]\(((?:[^()\s]|\([^()\s]*\))+)\)/g,
    read: (text, url = "") => [
      { type: "a", url, children: inline(text || url).flatMap(textOfLink) },
    ],
  },
  {
    form: /(https?:\/\/[^\s<>()]+[^\s<>().,;:!?'"])/g,
    read: (url) => [{ type: "a", url, children: [{ text: url }] }],
  },
]

/** Reads a text whose parts get a mark. */
function marked(mark: Partial<RichTextNode>): (text: string) => RichTextNode[] {
  return (text) =>
    inline(text).map((node) => {
      if (node.type !== "a") return { ...node, ...mark }
      return { ...node, children: childrenOf(node).map((leaf) => ({ ...leaf, ...mark })) }
    })
}

/** A link within another one is only text. */
function textOfLink(node: RichTextNode): readonly RichTextNode[] {
  return node.type === "a" ? childrenOf(node) : [node]
}

/** Reads the marks and links of a line, the first one first. */
function inline(text: string): RichTextNode[] {
  const nodes: RichTextNode[] = []
  // Each form is looked for again only once what it has found is read.
  const found = marks.map((): RegExpExecArray | null | undefined => undefined)
  for (let at = 0; at < text.length; ) {
    for (const [index, { form }] of marks.entries()) {
      const known = found[index]
      if (known === null || (known && known.index >= at)) continue
      form.lastIndex = at
      found[index] = form.exec(text)
    }
    const places = found.map((each) => each?.index ?? text.length)
    const next = Math.min(...places)
    if (next > at) nodes.push({ text: text.slice(at, next) })
    const mark = places.indexOf(next)
    const [whole = "", one = "", two] = found[mark] ?? []
    nodes.push(...(found[mark] ? (marks[mark]?.read(one, two) ?? []) : []))
    at = next + whole.length
  }
  return nodes
}
