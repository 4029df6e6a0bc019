/** Turns a CommonMark syntax tree (mdast 4) into rich text nodes. */
import type { fromMarkdown as parse } from "mdast-util-from-markdown"
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { leavesOf } from "./leavesOf.ts"
import { safeUrl } from "./safeUrl.ts"

type Tree = ReturnType<typeof parse>
type Part = Tree["children"][number]
type List = Extract<Part, { type: "list" }>
type Definitions = ReadonlyMap<string, string>
type Marks = { bold?: true; italic?: true }

/** The tree as elements, with an empty paragraph for each blank line between blocks. */
export function convertTree(tree: Tree): RichText {
  const definitions = new Map<string, string>()
  collectDefinitions(tree.children, definitions)
  return spacedBlocks(tree.children, definitions)
}

function collectDefinitions(parts: readonly Part[], found: Map<string, string>): void {
  for (const part of parts) {
    if (part.type === "definition") {
      if (!found.has(part.identifier)) found.set(part.identifier, part.url)
    } else if ("children" in part) collectDefinitions(part.children, found)
  }
}

function spacedBlocks(parts: readonly Part[], definitions: Definitions): RichText {
  const blocks: RichText = []
  let lastLine: number | undefined
  for (const part of parts) {
    const line = part.position?.start.line ?? 0
    const blankLines = lastLine === undefined ? 0 : line - lastLine - 1
    for (let count = 0; count < blankLines; count++) blocks.push(element("p", []))
    blocks.push(...blocksOf(part, definitions))
    lastLine = part.position?.end.line ?? line
  }
  return blocks
}

function blocksOf(part: Part, definitions: Definitions): RichText {
  switch (part.type) {
    case "paragraph":
      return paragraphs(inlineOf(part.children, definitions))
    case "heading":
      return [element(`h${part.depth}`, inlineOf(part.children, definitions))]
    case "blockquote":
      return [element("blockquote", leavesOf(spacedBlocks(part.children, definitions)))]
    case "list":
      return [listOf(part, definitions)]
    case "code":
      return [codeBlock(part.value, part.lang)]
    case "thematicBreak":
      return [element("hr", [])]
    case "html":
      return [element("p", [{ text: part.value }])]
    default:
      return []
  }
}

// A picture is a block of its own, as in the editor.
function paragraphs(inline: RichText): RichText {
  const blocks: RichText = []
  let line: RichText = []
  for (const node of inline) {
    if (node.type === "img") {
      if (line.length > 0) blocks.push(element("p", line))
      blocks.push(node)
      line = []
    } else line.push(node)
  }
  if (line.length > 0) blocks.push(element("p", line))
  return blocks
}

function listOf(list: List, definitions: Definitions): RichTextNode {
  const items = list.children.map((item) => {
    const content = item.children.flatMap((part) =>
      part.type === "paragraph"
        ? [element("lic", inlineOf(part.children, definitions))]
        : blocksOf(part, definitions),
    )
    const hasText = content.some((node) => node.type === "lic")
    return element("li", hasText ? content : [element("lic", []), ...content])
  })
  return element(list.ordered ? "ol" : "ul", items)
}

/** A block of code as the editor has it: an element for each line. */
export function codeBlock(code: string, lang: string | null | undefined): RichTextNode {
  const lines = code.split("\n").map((line) => element("code_line", [{ text: line }]))
  return lang ? { ...element("code_block", lines), lang } : element("code_block", lines)
}

function inlineOf(parts: readonly Part[], definitions: Definitions, marks: Marks = {}): RichText {
  const inline: RichText = []
  for (const part of parts) {
    for (const node of inlineNodes(part, definitions, marks)) pushMerged(inline, node)
  }
  return inline
}

function inlineNodes(part: Part, definitions: Definitions, marks: Marks): RichText {
  switch (part.type) {
    case "text":
    case "html":
      return [{ text: part.value, ...marks }]
    case "break":
      return [{ text: "\n", ...marks }]
    case "inlineCode":
      return [{ text: part.value, ...marks, code: true }]
    case "strong":
      return inlineOf(part.children, definitions, { ...marks, bold: true })
    case "emphasis":
      return inlineOf(part.children, definitions, { ...marks, italic: true })
    case "link":
      return linkTo(part.url, inlineOf(part.children, definitions, marks))
    case "linkReference":
      return linkTo(definitions.get(part.identifier), inlineOf(part.children, definitions, marks))
    case "image":
      return pictureOf(part.url, part.alt)
    case "imageReference":
      return pictureOf(definitions.get(part.identifier), part.alt)
    default:
      return []
  }
}

function linkTo(url: string | undefined, text: RichText): RichText {
  const safe = safeUrl(url ?? "")
  return safe ? [{ ...element("a", text), url: safe }] : text
}

function pictureOf(url: string | undefined, alt: string | null | undefined): RichText {
  const safe = safeUrl(url ?? "")
  if (!safe) return alt ? [{ text: alt }] : []
  const picture = { ...element("img", []), url: safe }
  return [alt ? { ...picture, caption: [{ text: alt }] } : picture]
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

/** An element; one without children gets an empty leaf, which every reader expects. */
function element(type: string, children: RichText): RichTextNode {
  return { type, children: children.length > 0 ? children : [{ text: "" }] }
}
