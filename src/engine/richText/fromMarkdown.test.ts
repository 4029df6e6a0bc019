/** What Markdown comes to, that plain text takes the short way to the same, and what it costs. */
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { fromMarkdown as parse } from "mdast-util-from-markdown"
import { describe, expect, test } from "vitest"
import { unmetered } from "../budget/fuel.ts"
import type { RichText } from "../schema/richText.ts"
import { convertTree } from "./convertTree.ts"
import { fromMarkdown as fromText } from "./fromMarkdown.ts"

const fromMarkdown = (text: string) => fromText(text, unmetered())

import { isPlain, parsingUnits } from "./fromMarkdown.ts"

const p = (...texts: string[]) => ({ type: "p", children: texts.map((text) => ({ text })) })
/** With neighbouring leaves of the same marks as one: where a text was cut does not matter. */
function joined(nodes: RichText): RichText {
  return nodes.map((node) => {
    const leaves: RichText = []
    for (const leaf of node.children ?? []) {
      const { text: last, ...lastMarks } = leaves.at(-1) ?? {}
      const { text, ...marks } = leaf
      const isSame = text !== undefined && last !== undefined && isDeepStrictEqual(marks, lastMarks)
      if (isSame) leaves[leaves.length - 1] = { text: last + text, ...marks }
      else leaves.push(leaf)
    }
    return { ...node, children: leaves }
  })
}
const lic = (text: string) => ({ type: "lic", children: [{ text }] })

describe("10.2 fromMarkdown", () => {
  test.each<[string, string, RichText]>([
    ["nothing", "", []],
    ["white space alone", " \n\t ", []],
    ["plain text", "  Ann Lee ", [p("Ann Lee")]],
    ["soft line breaks", "a\n b", [p("a\nb")]],
    ["Windows line breaks", "a\r\nb\r\n\r\nc", [p("a\nb"), p(""), p("c")]],
    ["hard line breaks", "a  \nb", [p("a\nb")]],
    ["each blank line", "a\n\n\nb", [p("a"), p(""), p(""), p("b")]],
    [
      "bold",
      "**B**\n\nline",
      [{ type: "p", children: [{ text: "B", bold: true }] }, p(""), p("line")],
    ],
    [
      "nested marks",
      "_a **b**_ `c`",
      [
        {
          type: "p",
          children: [
            { text: "a ", italic: true },
            { text: "b", italic: true, bold: true },
            { text: " " },
            { text: "c", code: true },
          ],
        },
      ],
    ],
    ["HTML as text", "a <b>c</b> d", [p("a <b>c</b> d")]],
    ["a block of HTML as text", "<div>\nx\n</div>", [p("<div>\nx\n</div>")]],
    ["a heading", "## T", [{ type: "h2", children: [{ text: "T" }] }]],
    ["an empty heading", "#", [{ type: "h1", children: [{ text: "" }] }]],
    ["a rule", "---", [{ type: "hr", children: [{ text: "" }] }]],
    [
      "a quote",
      "> a\n>\n> b",
      [{ type: "blockquote", children: [{ text: "a" }, { text: "\n\n" }, { text: "b" }] }],
    ],
    [
      "code",
      "```ts\na\n\nb\n```",
      [
        {
          type: "code_block",
          lang: "ts",
          children: ["a", "", "b"].map((text) => ({ type: "code_line", children: [{ text }] })),
        },
      ],
    ],
    [
      "nested lists",
      "- a\n- b\n  1. c",
      [
        {
          type: "ul",
          children: [
            { type: "li", children: [lic("a")] },
            {
              type: "li",
              children: [
                lic("b"),
                { type: "ol", children: [{ type: "li", children: [lic("c")] }] },
              ],
            },
          ],
        },
      ],
    ],
    [
      "an empty item",
      "-\n- b",
      [
        {
          type: "ul",
          children: [
            { type: "li", children: [lic("")] },
            { type: "li", children: [lic("b")] },
          ],
        },
      ],
    ],
    [
      "a number with a dot as a list",
      "2024. Year",
      [{ type: "ol", children: [{ type: "li", children: [lic("Year")] }] }],
    ],
    [
      "a link",
      "[t](https://x.y)",
      [{ type: "p", children: [{ type: "a", url: "https://x.y", children: [{ text: "t" }] }] }],
    ],
    [
      "a link by reference",
      "[t][r]\n\n[r]: https://x.y",
      [
        { type: "p", children: [{ type: "a", url: "https://x.y", children: [{ text: "t" }] }] },
        p(""),
      ],
    ],
    ["no bare link", "https://x.y", [p("https://x.y")]],
    ["a dangerous link as its text", "[t](javascript:alert) u", [p("t u")]],
    ["no strikethrough", "~~a~~", [p("~~a~~")]],
    ["no table", "|a|\n|-|", [p("|a|\n|-|")]],
    ["a list value as JSON", '["a","b"]', [p('["a","b"]')]],
    ["escapes", "\\*a\\* &amp;", [p("*a* &")]],
    [
      "a picture as a block of its own",
      "a ![alt](https://x.y/z.png) b",
      [
        p("a "),
        {
          type: "img",
          url: "https://x.y/z.png",
          caption: [{ text: "alt" }],
          children: [{ text: "" }],
        },
        p(" b"),
      ],
    ],
  ])("reads %s", (_name, text, expected) => {
    expect(fromMarkdown(text)).toEqual(expected)
  })

  test("takes plain text the short way to what the parser makes of it", () => {
    const word = fc.constantFrom(
      ..."a|1|snake_case|-5|+33|#1|#fff|x@y.co|=|a=b|-|--|(|)|]|[|![|[x]|&|& co|<3|<|>|1.5|5.|5)|~|1|:|$"
        .split("|")
        .concat(["|", " ", "  ", "\n", "\n\n", "\n ", "\t", "http://x.y/z_q?a=1&b=2", "\n    "]),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join("").trim()
        fc.pre(isPlain(text))
        expect(fromMarkdown(text)).toEqual(convertTree(parse(text)))
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    "Ann",
    "a@b.co",
    "john_doe@x.co",
    "-5",
    "#1",
    "1.5",
    '["a","b"]',
    "5 < 6 & 7",
    "a\n\nb",
  ])("spares the parser %j", (text) => {
    expect(isPlain(text)).toBe(true)
  })

  test("keeps the marks of a long answer", () => {
    const section = "## Title\n\nSome **bold** words.\n\n1. **One**\n2. `two`\n   - nested\n\n"
    const nodes = fromMarkdown(section.repeat(20))
    expect(nodes.filter((node) => node.type === "h2")).toHaveLength(20)
  })

  test.each([
    "*",
    "[",
    "_",
    "`",
    "<",
    "&",
    "\\",
    "!",
    "![",
    "](",
    ">",
    "> ",
    "- ",
    "1. ",
    "*a_ ",
    "**a",
    "[a](",
    "\n",
    "a\n",
    "- a\n",
    "\t",
    "    ",
    " ",
    "#",
    "=",
    "{{=",
    "<!--",
    "[a]: b\n",
    "~",
    "1",
  ])("reads 100 kB of %j quickly", (unit) => {
    const text = `x\n${unit.repeat(100_000 / unit.length)}\nx`
    const nodes = fromMarkdown(text)
    expect(nodes.length).toBeLessThan(3_000)
    expect(JSON.stringify(nodes).length).toBeLessThan(500_000)
    const start = performance.now()
    fromMarkdown(`${text}x`)
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  const blocks = fc.constantFrom(
    "## A *title*",
    "Some **bold** words,\nand `code` [t](https://x.y).",
    "- one\n- **two**\n  - three",
    "1. one\n2. two",
    "> quoted _words_",
    "```ts\nconst a = *b*\n\n- c\n```",
    "---",
    "plain words",
  )

  test("reads a long text as it reads a short one", () => {
    fc.assert(
      fc.property(fc.array(blocks, { minLength: 60, maxLength: 90 }), (parts) => {
        const text = parts.flatMap((part) => [part, "between"]).join("\n\n")
        fc.pre(parsingUnits(text) === undefined)
        expect(fromMarkdown(text)).toEqual(convertTree(parse(text)))
      }),
      { numRuns: 30 },
    )
  })

  test("reads every line of a transcript", () => {
    const text = "**Bot:** Hi\n**You:** _Hello_\n".repeat(200).trim()
    expect(joined(fromMarkdown(text))).toEqual(convertTree(parse(text)))
  })

  test("keeps a list of many items one list", () => {
    const text = "- **a** b\n".repeat(400).trim()
    expect(fromMarkdown(text)).toEqual(convertTree(parse(text)))
  })

  test("keeps long code one block", () => {
    const text = `Look:\n\n~~~ts\n${"const a = **b**\n\n".repeat(300)}~~~\n\nDone`
    expect(fromMarkdown(text)).toEqual(convertTree(parse(text)))
  })

  test("cuts a long line between words", () => {
    const text = "Some **bold** and _tilted_ words. ".repeat(900).trim()
    expect(joined(fromMarkdown(text))).toEqual(convertTree(parse(text)))
  })

  test("leaves raw only what goes beyond the budget", () => {
    const text = "# Title\n\nSome **bold** words\n\n".repeat(10_000).trim()
    const nodes = fromMarkdown(text)
    expect(nodes.length).toBeGreaterThan(1_000)
    const rest = String(nodes.at(-1)?.children?.[0]?.text)
    expect(text.endsWith(rest)).toBe(true)
    expect(rest.startsWith("# Title") || rest.startsWith("Some **bold**")).toBe(true)
  })

  test("reads deep nesting quickly", () => {
    const start = performance.now()
    for (const deep of [
      "- ".repeat(5_000),
      ">".repeat(5_000),
      Array.from({ length: 150 }, (_, depth) => `${" ".repeat(depth)}* a`).join("\n"),
      Array.from({ length: 150 }, (_, depth) => `${"\t".repeat(depth)}* a`).join("\n"),
    ]) {
      expect(fromMarkdown(`x ${deep}`).length).toBeGreaterThan(0)
      expect(fromMarkdown(deep).length).toBeGreaterThan(0)
    }
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})
