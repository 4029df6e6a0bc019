/** Compares the Markdown of models, as the page reads it, with CommonMark over generated documents. */
import fc from "fast-check"
import markdownIt, { type Token } from "markdown-it"
import { expect, test } from "vitest"
import type { RichTextNode } from "../payload.ts"
import { readMarkdown } from "./markdown.ts"
import { childrenOf } from "./plainText.ts"

/** The lines of a block. */
type Lines = readonly string[]

const word = fc.constantFrom(
  "one",
  "two",
  "3",
  "Größe",
  "x_y",
  "a.b",
  "1.5",
  "(so)",
  "&",
  "it's",
  "2)",
)

const phrase: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.constantFrom(
    "**bold**",
    "*it*",
    "_it_",
    "__bold__",
    "***both***",
    "`a*b`",
    "``a`b``",
    "\\*no\\*",
  ),
  fc.constantFrom(
    "[link](https://c.example/A_(b))",
    '[link](https://c.example "Title")',
    "![cat](https://c.example/cat.png)",
    "<https://c.example/x>",
  ),
)

const line = fc.array(phrase, { minLength: 1, maxLength: 4 }).map((parts) => `w ${parts.join(" ")}`)

const paragraph = fc
  .array(fc.tuple(line, fc.constantFrom("", "  ", "\\")), { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map(([text, end], at) => (at + 1 < lines.length ? text + end : text)))

const leaf: fc.Arbitrary<Lines> = fc.oneof(
  { weight: 3, arbitrary: paragraph },
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), line, fc.constantFrom("", " ##"))
    .map(([level, text, end]) => [`${"#".repeat(level)} ${text}${end}`]),
  fc.constantFrom(["---"], ["***"], ["* * *"], ["___"]),
  fc.tuple(line, fc.constantFrom("===", "---")).map(([text, under]) => [text, under]),
  fc
    .tuple(
      fc.constantFrom("```", "~~~", "````"),
      fc.array(fc.constantFrom("a = 1", "", "  b", "- c", "# d")),
    )
    .map(([mark, code]) => [mark, ...code, mark]),
  fc.constant(["| a | b |", "|---|--:|", "| 1 | **2** |"]),
)

const { block } = fc.letrec<{ block: Lines; document: Lines; list: Lines; item: Lines }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, depthIdentifier: "nesting" },
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: tie("list") },
    {
      weight: 1,
      arbitrary: tie("document").map((lines) => lines.map((each) => (each ? `> ${each}` : ">"))),
    },
  ),
  document: fc
    .array(tie("block"), { minLength: 1, maxLength: 3, depthIdentifier: "nesting" })
    .map((blocks) => blocks.flatMap((lines, at) => (at > 0 ? ["", ...lines] : [...lines]))),
  item: fc
    .tuple(paragraph, fc.option(tie("block"), { depthIdentifier: "nesting" }), fc.boolean())
    .map(([first, more, isApart]) =>
      more ? [...first, ...(isApart ? [""] : []), ...more] : first,
    ),
  list: fc
    .record({
      marks: fc.constantFrom("-", "*", "+", ".", ")"),
      start: fc.constantFrom(1, 2, 7),
      items: fc.array(tie("item"), { minLength: 1, maxLength: 3, depthIdentifier: "nesting" }),
      isLoose: fc.boolean(),
    })
    .map(({ marks, start, items, isLoose }) =>
      items.flatMap((lines, at) => {
        const mark = "-*+".includes(marks) ? marks : `${start + at}${marks}`
        const indented = lines.map((each, row) =>
          row === 0 ? `${mark} ${each}` : each && `${" ".repeat(mark.length + 1)}${each}`,
        )
        return isLoose && at > 0 ? ["", ...indented] : indented
      }),
    ),
}))

/**
 * Blocks one below the other, with a line between them or without one. Below a list without one a table would be
 * words of its last item, where the page shows a table.
 */
const anyDocument = fc
  .array(fc.tuple(block, fc.boolean()), { minLength: 1, maxLength: 4 })
  .map((blocks) =>
    blocks.flatMap(([lines, isApart], at) =>
      at > 0 && (isApart || lines[0]?.includes("|")) ? ["", ...lines] : [...lines],
    ),
  )
  .map((lines) => lines.join("\n"))

const reference = markdownIt("commonmark").enable("table")
reference.normalizeLink = (url) => url

test("the page reads documents like CommonMark", () => {
  fc.assert(
    fc.property(anyDocument, (text) => {
      const expected = merged(treeOf(reference.parse(text, {}).values()))
      expect(merged(readMarkdown(text)), text).toEqual(expected)
    }),
    { numRuns: 3_000 },
  )
})

const names: Readonly<Record<string, string>> = { list_item: "li", hr: "hr" }

/** The nodes up to the end of the tokens, or of the element in which they are. */
function treeOf(tokens: Iterator<Token>): RichTextNode[] {
  const nodes: RichTextNode[] = []
  for (let next = tokens.next(); !next.done; next = tokens.next()) {
    const token = next.value
    if (token.nesting < 0) break
    if (token.type === "inline") nodes.push(...lineOf((token.children ?? []).values(), {}))
    else if (token.type === "thead_open" || token.type === "tbody_open") {
      nodes.push(...treeOf(tokens))
    } else if (token.nesting > 0) {
      const children = treeOf(tokens)
      const start = token.attrGet("start")
      const align = /:(\w+)$/.exec(String(token.attrGet("style") ?? ""))?.[1]
      nodes.push({
        type: names[token.type.replace("_open", "")] ?? token.tag,
        children,
        ...(start !== null && { start: Number(start) }),
        ...(align && { align }),
      })
    } else if (token.type === "fence" || token.type === "code_block") {
      const lines = token.content === "" ? [] : token.content.replace(/\n$/, "").split("\n")
      const children = lines.map((text) => ({ type: "code_line", children: [{ text }] }))
      nodes.push({ type: "code_block", children })
    } else nodes.push({ type: token.tag, children: [] })
  }
  return nodes
}

function lineOf(tokens: Iterator<Token>, marks: Partial<RichTextNode>): RichTextNode[] {
  const nodes: RichTextNode[] = []
  for (let next = tokens.next(); !next.done; next = tokens.next()) {
    const { type, content, nesting, attrGet: _, ...token } = next.value
    if (nesting < 0) break
    if (type === "strong_open") nodes.push(...lineOf(tokens, { ...marks, bold: true }))
    else if (type === "em_open") nodes.push(...lineOf(tokens, { ...marks, italic: true }))
    else if (type === "link_open" || type === "image") {
      const url = String(next.value.attrGet(type === "image" ? "src" : "href"))
      const children = type === "image" ? [{ text: content, ...marks }] : lineOf(tokens, marks)
      nodes.push({ type: "a", url, children })
    } else if (/break$/.test(type)) nodes.push({ text: "\n", ...marks })
    else nodes.push({ text: content, ...marks, ...(token.tag === "code" && { code: true }) })
  }
  return nodes
}

/** With one leaf for each set of marks, paragraphs of items and cells without an element of their own, and no numbers of 1. */
function merged(nodes: readonly RichTextNode[]): RichTextNode[] {
  const read: RichTextNode[] = []
  for (const { type, children, start, ...node } of nodes) {
    if (type === undefined) {
      const last = read.at(-1)
      const isSame = JSON.stringify({ ...last, text: "" }) === JSON.stringify({ ...node, text: "" })
      if (last && isSame) read[read.length - 1] = { ...last, text: `${last.text}${node.text}` }
      else if (node.text !== "") read.push(sorted(node))
      continue
    }
    const own = (children ?? []) as RichTextNode[]
    const isCell = type === "th" || type === "td"
    const inner = merged(
      isCell ? own.flatMap((each) => (each.type === "p" ? childrenOf(each) : each)) : own,
    )
    const isBare = type === "lic" && inner.length === 0
    const counts = start !== undefined && start !== 1 && { start }
    if (!isBare)
      read.push({ type: type === "lic" ? "p" : type, ...node, ...counts, children: inner })
  }
  return read
}

/** Marks in one order, whichever came first. */
function sorted({ text, bold, italic, code }: RichTextNode): RichTextNode {
  return { text, ...(bold && { bold }), ...(italic && { italic }), ...(code && { code }) }
}
