/** Writes rich text as Markdown for clients that request it. */
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { escapeValues } from "./escapeValues.ts"
import { childrenOf, isInline, leavesOf, startOf } from "./leavesOf.ts"
import { isValue } from "./provenance.ts"

/**
 * Blocks on lines of their own, an empty paragraph as an empty line, no line break at the end:
 * `**bold**`, `_italic_`, `<u>underline</u>`, `` `code` ``, `[text](url)`, `* `, `1. `, `#`, `>`, `| cell |`.
 * Text marked as made by a value is escaped; all other text is Markdown already.
 */
export function toMarkdown(richText: RichText): string {
  const text = plainLines(richText) ?? blocks(escapeValues(richText))
  let end = text.length
  while (text[end - 1] === "\n") end--
  return text.slice(0, end)
}

/** Paragraphs of nothing but an author's words, as most texts are; undefined: there is more to write. */
function plainLines(richText: RichText): string | undefined {
  let lines = ""
  for (const [index, { type, children }] of richText.entries()) {
    if (type !== "p" || !Array.isArray(children)) return undefined
    if (index > 0) lines += "\n"
    for (const leaf of children) {
      const isMarked = leaf.bold || leaf.italic || leaf.underline || leaf.code || isValue(leaf)
      if (typeof leaf.text !== "string" || isMarked) return undefined
      lines += leaf.text
    }
  }
  return lines
}

function blocks(nodes: RichText): string {
  const lines: string[] = []
  let line: RichText = []
  for (const node of nodes) {
    if (standsInLine(node)) line.push(node)
    else {
      if (line.length > 0) lines.push(inline(line))
      line = []
      lines.push(block(node))
    }
  }
  if (line.length > 0) lines.push(inline(line))
  return lines.join("\n")
}

function standsInLine(node: RichTextNode): boolean {
  return isInline(node) || node.type === "inline-variable"
}

function block(node: RichTextNode): string {
  const children = childrenOf(node)
  const [, level] = /^h([1-6])$/.exec(node.type ?? "") ?? []
  if (level) return `${"#".repeat(Number(level))} ${inline(children)}`
  switch (node.type) {
    case "blockquote":
      return indented(blocks(children), "> ", "> ")
    case "ul":
      return children.map((item) => indented(itemText(item), "* ", "  ")).join("\n")
    case "ol":
      return children
        .map((item, index) => {
          const marker = `${startOf(node) + index}. `
          return indented(itemText(item), marker, " ".repeat(marker.length))
        })
        .join("\n")
    case "code_block":
      return fenced(codeLines(children), typeof node.lang === "string" ? node.lang : "")
    case "hr":
      return "***"
    case "table":
      return table(children)
    case "p":
    case "lic":
      return inline(children)
    default:
      return blocks(children)
  }
}

/** The first row is the head. An empty line follows the last one; anything else would be a row, too. */
function table(rows: RichText): string {
  const [head = [], ...body] = rows.map(childrenOf)
  const rule = head.map(({ align }) => rules.get(align) ?? "---")
  const lines = [head.map(cellText), rule, ...body.map((cells) => cells.map(cellText))]
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`
}

const rules = new Map<unknown, string>([
  ["left", ":--"],
  ["center", ":-:"],
  ["right", "--:"],
])

function cellText(cell: RichTextNode): string {
  const words = blocks(childrenOf(cell)).replaceAll("\n", " ")
  return words.replace(/(?<!\\)(?:\\\\)*\|/g, (bar) => `${bar.slice(0, -1)}\\|`)
}

/** The code between fences that are longer than any within it. */
function fenced(code: string, lang: string): string {
  const inner = code.match(/`{3,}/g) ?? []
  const length = inner.reduce((longest, run) => Math.max(longest, run.length + 1), 3)
  const fence = "`".repeat(length)
  return `${fence}${lang}\n${code}\n${fence}`
}

function itemText(item: RichTextNode): string {
  return standsInLine(item) ? inline([item]) : blocks(childrenOf(item))
}

function codeLines(lines: RichText): string {
  return lines
    .map((line) =>
      leavesOf([line])
        .map((leaf) => leaf.text ?? "")
        .join(""),
    )
    .join("\n")
}

function indented(text: string, first: string, further: string): string {
  return first + text.replaceAll("\n", `\n${further}`)
}

function inline(nodes: RichText): string {
  const lines: RichText[] = [[]]
  for (const node of leavesOf(nodes)) {
    const [first, ...others] = typeof node.text === "string" ? node.text.split("\n") : [undefined]
    lines.at(-1)?.push(first === undefined ? node : { ...node, text: first })
    for (const text of others) lines.push([{ ...node, text }])
  }
  // Marks do not span line breaks.
  return lines.map((line) => marked(line, allMarks)).join("\n")
}

type Mark = { name: "bold" | "italic" | "underline" | "code"; open: string; close: string }

/** The outermost first. */
const allMarks: readonly Mark[] = [
  { name: "bold", open: "**", close: "**" },
  { name: "italic", open: "_", close: "_" },
  { name: "underline", open: "<u>", close: "</u>" },
  { name: "code", open: "`", close: "`" },
]

/** Neighbours that share a mark share its delimiters: `**a****b**` would not be bold. */
function marked(nodes: RichText, [mark, ...inner]: readonly Mark[]): string {
  if (mark === undefined) return nodes.map(written).join("")
  const hasMark = (node: RichTextNode) => typeof node.text === "string" && Boolean(node[mark.name])
  let text = ""
  for (let from = 0; from < nodes.length; ) {
    const isMarked = hasMark(nodes[from] ?? {})
    let to = from + 1
    while (to < nodes.length && hasMark(nodes[to] ?? {}) === isMarked) to++
    const run = marked(nodes.slice(from, to), inner)
    text += isMarked ? delimited(run, mark) : run
    from = to
  }
  return text
}

// White space within the delimiters would undo them.
function delimited(text: string, { open, close }: Mark): string {
  const words = text.trim()
  if (words === "") return text
  const start = text.length - text.trimStart().length
  return text.slice(0, start) + open + words + close + text.slice(start + words.length)
}

function written(node: RichTextNode): string {
  if (typeof node.text === "string") return node.text
  const url = typeof node.url === "string" ? node.url : ""
  if (node.type === "img") return url === "" ? caption(node) : `![${caption(node)}](${url})`
  const text = inline(childrenOf(node))
  return url !== "" && text !== "" ? `[${text}](${url})` : url || text
}

function caption(picture: RichTextNode): string {
  if (Array.isArray(picture.caption)) return inline(childrenOf({ children: picture.caption }))
  return typeof picture.alt === "string" ? picture.alt : ""
}
