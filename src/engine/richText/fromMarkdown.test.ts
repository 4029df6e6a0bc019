/** What Markdown comes to, that plain text takes the short way to the same, and what it costs. */
import fc from "fast-check"
import { fromMarkdown as parse } from "mdast-util-from-markdown"
import { describe, expect, test } from "vitest"
import { unmetered } from "../budget/fuel.ts"
import type { RichText } from "../schema/richText.ts"
import { convertTree } from "./convertTree.ts"
import { fromMarkdown as fromText } from "./fromMarkdown.ts"

const fromMarkdown = (text: string) => fromText(text, unmetered())

import { isPlain } from "./fromMarkdown.ts"

const p = (...texts: string[]) => ({ type: "p", children: texts.map((text) => ({ text })) })
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
