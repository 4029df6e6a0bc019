/** Turns the tokens of Markdown into rich text nodes. */
import type { Token } from "markdown-it"
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { leavesOf, withoutLinks } from "./leavesOf.ts"
import { languageOf } from "./parseMarkdown.ts"
import { safeUrl } from "./safeUrl.ts"

/** The blocks as elements, with an empty paragraph for each blank line between them. */
export function convertTokens(tokens: readonly Token[]): RichText {
  return new BlockReader(tokens).spacedBlocks()
}

/** Reads tokens in order; those of a container lie between its opening and its closing token. */
class BlockReader {
  readonly #tokens: readonly Token[]
  #at = 0
  /** The line after all tokens read: the maps of containers include blank lines after them. */
  #nextLine = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  /** The blocks of the text or of a quote. */
  spacedBlocks(): RichText {
    const blocks: RichText = []
    this.#eachBlock((token, isFirst) => {
      const blankLines = isFirst ? 0 : (token.map?.[0] ?? 0) - this.#nextLine
      for (let count = 0; count < blankLines; count++) blocks.push(element("p", []))
      for (const block of this.#blocksOf(token)) blocks.push(block)
    })
    return blocks
  }

  /** Reads each block of the container, and its end. */
  #eachBlock(read: (token: Token, isFirst: boolean) => void): void {
    for (let isFirst = true; ; isFirst = false) {
      const token = this.#tokens[this.#at++]
      if (token === undefined || token.nesting < 0) return
      read(token, isFirst)
    }
  }

  #blocksOf(token: Token): RichText {
    switch (token.type) {
      case "table_open":
        this.#pass(token)
        return [element("table", this.#rows())]
      case "blockquote_open":
        this.#passOpening(token)
        return [element("blockquote", leavesOf(this.spacedBlocks()))]
      case "bullet_list_open":
        return [element("ul", this.#items())]
      case "ordered_list_open": {
        // A list interrupted by words or code continues its numbers.
        const start = attribute(token, "start")
        const list = element("ol", this.#items())
        return [start === "" ? list : { ...list, start: Number(start) }]
      }
      case "paragraph_open":
        return [element("p", this.#inline(token))]
      case "heading_open":
        return [element(token.tag, this.#inline(token))]
    }
    this.#pass(token)
    return blockOf(token)
  }

  /** The rows of head and body. */
  #rows(): RichText {
    const rows: RichText = []
    this.#eachBlock(() => this.#eachBlock(() => rows.push(element("tr", this.#cells()))))
    return rows
  }

  /** Each cell holds a paragraph, for clients without tables. */
  #cells(): RichText {
    const cells: RichText = []
    this.#eachBlock((token) => {
      const line = this.#inline(token)
      const cell = element(token.tag, line.length > 0 ? [element("p", line)] : [])
      const [, align] = /:(\w+)$/.exec(attribute(token, "style")) ?? []
      cells.push(align ? { ...cell, align } : cell)
    })
    return cells
  }

  #items(): RichText {
    const items: RichText = []
    this.#eachBlock((token) => {
      this.#passOpening(token)
      items.push(element("li", this.#itemContent()))
    })
    return items
  }

  #itemContent(): RichText {
    const content: RichText = []
    this.#eachBlock((token) => {
      const blocks =
        token.type === "paragraph_open"
          ? [element("lic", this.#inline(token))]
          : this.#blocksOf(token)
      content.push(...blocks)
    })
    const hasText = content.some((node) => node.type === "lic")
    return hasText ? content : [element("lic", []), ...content]
  }

  /** The tokens between the opening just read and its closing. */
  #inline(opening: Token): RichText {
    const inline = this.#tokens[this.#at]
    this.#at += 2
    this.#pass(opening)
    return inlineOf(inline?.children ?? [])
  }

  /** A container has at least the line that opens it. */
  #passOpening({ map }: Token): void {
    this.#nextLine = Math.max(this.#nextLine, (map?.[0] ?? 0) + 1)
  }

  #pass({ map }: Token): void {
    this.#nextLine = Math.max(this.#nextLine, map?.[1] ?? 0)
  }
}

function blockOf(token: Token): RichText {
  switch (token.type) {
    case "fence":
      return [codeBlock(token.content, languageOf(token))]
    case "code_block":
      return [codeBlock(token.content)]
    case "hr":
      return [element("hr", [])]
    case "html_block":
      return [element("p", [{ text: token.content.replace(/\n+$/, "") }])]
    default:
      return []
  }
}

/** A block of code in the editor's form: an element for each line. */
function codeBlock(code: string, lang?: string): RichTextNode {
  const lines = code.replace(/\n$/, "").split("\n")
  const block = element(
    "code_block",
    lines.map((line) => element("code_line", [{ text: line }])),
  )
  return lang ? { ...block, lang } : block
}

/** The leaves and links of a line. */
function inlineOf(tokens: readonly Token[]): RichText {
  let line: RichText = []
  /** The open links, with what precedes them. A bare address may lie within another link. */
  const open: { url: string; before: RichText }[] = []
  let bold = 0
  let italic = 0
  for (const token of tokens) {
    switch (token.type) {
      case "strong_open":
      case "strong_close":
        bold += token.nesting
        break
      case "em_open":
      case "em_close":
        italic += token.nesting
        break
      case "link_open":
        open.push({ url: attribute(token, "href"), before: line })
        line = []
        break
      case "link_close": {
        const { url, before } = open.pop() ?? { url: "", before: [] }
        for (const node of linkTo(url, line)) pushMerged(before, node)
        line = before
        break
      }
      default: {
        const marks = { ...(bold > 0 && { bold: true }), ...(italic > 0 && { italic: true }) }
        for (const node of leafOf(token, marks)) pushMerged(line, node)
      }
    }
  }
  return line
}

function leafOf(token: Token, marks: { bold?: boolean; italic?: boolean }): RichText {
  const text = textOf(token)
  // Pages load only what authors choose, so a picture becomes a link.
  if (token.type === "image") return pictureLink(attribute(token, "src"), { text, ...marks })
  if (text === "") return []
  return [token.type === "code_inline" ? { text, ...marks, code: true } : { text, ...marks }]
}

function textOf({ type, content, children }: Token): string {
  if (type === "softbreak" || type === "hardbreak") return "\n"
  return type === "image" ? (children ?? []).map(textOf).join("") : content
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "")
}

/** Keeps the outermost of nested links; inner ones become text. */
function linkTo(url: string, text: RichText): RichText {
  const safe = safeUrl(url)
  return safe ? [{ ...element("a", withoutLinks(text)), url: safe }] : text
}

function pictureLink(url: string, caption: RichTextNode): RichText {
  const text = caption.text || safeUrl(url)
  return text ? linkTo(url, [{ ...caption, text }]) : []
}

// The parser cuts text around HTML and line breaks; readers expect one leaf per set of marks.
function pushMerged(inline: RichText, node: RichTextNode): void {
  const last = inline.at(-1)
  const isSame =
    typeof last?.text === "string" &&
    typeof node.text === "string" &&
    last.bold === node.bold &&
    last.italic === node.italic &&
    last.code === node.code
  if (isSame) inline[inline.length - 1] = { ...last, text: `${last.text}${node.text}` }
  else inline.push(node)
}

/** An element; without children it gets an empty leaf, which readers expect. */
function element(type: string, children: RichText): RichTextNode {
  return { type, children: children.length > 0 ? children : [{ text: "" }] }
}
