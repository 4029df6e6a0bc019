/** Markdown becomes rich text, plain text skips the parser with the same result, and parsing has a price. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { hostileMarkdown } from "../../../test/support/hostileMarkdown.ts"
import { createFuel, liveLimits, unmetered } from "../budget/fuel.ts"
import type { RichText } from "../schema/richText.ts"
import { convertTokens } from "./convertTokens.ts"
import { fromMarkdown as fromText, isPlain } from "./fromMarkdown.ts"
import { parseMarkdown } from "./parseMarkdown.ts"

const fromMarkdown = (text: string) => fromText(text, unmetered())

function unitsOf(text: string): number {
  const fuel = createFuel(1e9)
  fromText(text, fuel)
  return 1e9 - fuel.left
}

const p = (...texts: string[]) => ({ type: "p", children: texts.map((text) => ({ text })) })
const right = { align: "right" }
const cell = (type: string, text: string, more = {}) => ({ type, children: [p(text)], ...more })
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
      [{ type: "ol", start: 2024, children: [{ type: "li", children: [lic("Year")] }] }],
    ],
    [
      "a list that continues after words",
      "1. a\n\nwords\n\n2. b",
      [
        { type: "ol", children: [{ type: "li", children: [lic("a")] }] },
        p(""),
        p("words"),
        p(""),
        { type: "ol", start: 2, children: [{ type: "li", children: [lic("b")] }] },
      ],
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
    [
      "a table",
      "Prices:\n| Plan | Price |\n|---|--:|\n| **Pro** | 9 |\n| a\\|b\n\nend",
      [
        p("Prices:"),
        {
          type: "table",
          children: [
            { type: "tr", children: [cell("th", "Plan"), cell("th", "Price", right)] },
            {
              type: "tr",
              children: [
                { type: "td", children: [{ type: "p", children: [{ text: "Pro", bold: true }] }] },
                cell("td", "9", right),
              ],
            },
            {
              type: "tr",
              children: [cell("td", "a|b"), { ...right, type: "td", children: [{ text: "" }] }],
            },
          ],
        },
        p(""),
        p("end"),
      ],
    ],
    [
      "a table in a quote as lines",
      "> |a|b|\n> |-|-|\n> |c|d|",
      [
        {
          type: "blockquote",
          children: ["a", " | ", "b", "\n", "c", " | ", "d"].map((text) => ({ text })),
        },
      ],
    ],
    ["no table without a rule below its head", "|a|\n|b|", [p("|a|\n|b|")]],
    ["a list value as JSON", '["a","b"]', [p('["a","b"]')]],
    ["escapes", "\\*a\\* &amp;", [p("*a* &")]],
    [
      "a picture as a link with its caption",
      "a **![alt](https://x.y/z.png)** b",
      [
        {
          type: "p",
          children: [
            { text: "a " },
            { type: "a", url: "https://x.y/z.png", children: [{ text: "alt", bold: true }] },
            { text: " b" },
          ],
        },
      ],
    ],
    [
      "a picture without a caption as its address",
      "![](https://x.y/z.png)![](data:image/png;base64,AA)",
      [
        {
          type: "p",
          children: [
            { type: "a", url: "https://x.y/z.png", children: [{ text: "https://x.y/z.png" }] },
          ],
        },
      ],
    ],
    [
      "a picture within a link as the text of that link",
      "[a ![b](https://x.y/z.png)](https://x.y)",
      [
        {
          type: "p",
          children: [{ type: "a", url: "https://x.y", children: [{ text: "a " }, { text: "b" }] }],
        },
      ],
    ],
  ])("reads %s", (_name, text, expected) => {
    expect(fromMarkdown(text)).toEqual(expected)
  })

  test("reads plain text without the parser to the same result", () => {
    const word = fc.constantFrom(
      ..."a|1|snake_case|-5|+33|#1|#fff|x@y.co|=|a=b|-|--|(|)|]|[|![|[x]|&|& co|<3|<|>|1.5|5.|5)|~|1|:|$"
        .split("|")
        .concat([
          "|",
          " ",
          "  ",
          "\n",
          "\n\n",
          "\n ",
          "\t",
          "http://x.y/z_q?a=1&b=2",
          "\n    ",
          "|-",
          ":-|",
        ]),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join("").trim()
        fc.pre(isPlain(text))
        expect(fromMarkdown(text)).toEqual(convertTokens(parseMarkdown(text)))
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
  ])("skips the parser for %j", (text) => {
    expect(isPlain(text)).toBe(true)
  })

  test("has tables of 20 columns and 200 rows, and the rest as text", () => {
    const row = (count: number, text: string) => `${`|${text}`.repeat(count)}|\n`
    const head = (count: number) => row(count, "a") + row(count, "-")
    const [wide] = fromMarkdown(head(21) + row(21, "b"))
    expect(wide).toMatchObject({ type: "p" })
    const [long, rest] = fromMarkdown(head(20) + "|b|\n".repeat(203))
    expect(long?.children).toHaveLength(201)
    expect(long?.children?.at(-1)?.children).toHaveLength(20)
    expect(rest).toEqual(p("|b|\n|b|\n|b|"))
  })

  test("keeps the marks of a long answer", () => {
    const section = "## Title\n\nSome **bold** words.\n\n1. **One**\n2. `two`\n   - nested\n\n"
    const nodes = fromMarkdown(section.repeat(20))
    expect(nodes.filter((node) => node.type === "h2")).toHaveLength(20)
  })

  test("reads a long answer to its end", () => {
    const section =
      "## Title\n\nSome **bold** words that say at length what they mean.\n\n" +
      "1. **One**\n2. `two` and a [link](https://x.y)\n   - nested\n\n"
    const fuel = createFuel(liveLimits.fuel)
    const nodes = fromText(section.repeat(320), fuel)
    expect(section.repeat(320).length).toBeGreaterThanOrEqual(40_000)
    expect(nodes.filter((node) => node.type === "h2")).toHaveLength(320)
    expect(nodes.at(-1)).toMatchObject({ type: "ol" })
  })

  test.each<[string, string, RichText]>([
    ["code over two lines", "`a\nb`", [{ type: "p", children: [{ text: "a b", code: true }] }]],
    [
      "a blank line after a list",
      "- a\n\nb",
      [{ type: "ul", children: [{ type: "li", children: [lic("a")] }] }, p(""), p("b")],
    ],
    [
      "blank lines after a quote",
      "> a\n\n\nb",
      [{ type: "blockquote", children: [{ text: "a" }] }, p(""), p(""), p("b")],
    ],
    [
      "marks in the text of a picture",
      "![*a* ![b](c)](https://x.y)",
      [{ type: "p", children: [{ type: "a", url: "https://x.y", children: [{ text: "a b" }] }] }],
    ],
    [
      "an address within a link",
      "[a <https://x.y>](https://z.y)",
      [
        {
          type: "p",
          children: [
            {
              type: "a",
              url: "https://z.y",
              children: [{ text: "a " }, { text: "https://x.y" }],
            },
          ],
        },
      ],
    ],
    [
      "an address unchanged",
      "[a](https://ex.org/ü?q=%20&amp;b)",
      [
        {
          type: "p",
          children: [{ type: "a", url: "https://ex.org/ü?q=%20&b", children: [{ text: "a" }] }],
        },
      ],
    ],
  ])("reads %s", (_name, text, expected) => {
    expect(fromMarkdown(text)).toEqual(expected)
  })

  test.each([
    `${"> ".repeat(40)}a *b*\n\nc`,
    `${"- ".repeat(40)}a *b*\n\nc`,
    `${"![".repeat(40)}a *b*${"](x)".repeat(40)}\n\nc`,
    `${"[".repeat(40)}a *b*${"](x)".repeat(40)}\n\nc`,
  ])("loses no text that is nested too deeply: %j", (text) => {
    expect(JSON.stringify(fromMarkdown(text))).toMatch(/a .*b.*c/)
  })
})

describe("13.1 the price of Markdown", () => {
  test.each(Object.entries(hostileMarkdown))("%s", (_name, { text, microseconds }) => {
    // A unit is a tenth of a microsecond.
    expect(unitsOf(text)).toBeGreaterThanOrEqual(microseconds * 10)
  })

  test("is the same every time", () => {
    const text = "**a** [b](c)\n".repeat(100)
    expect(unitsOf(text)).toBe(unitsOf(text))
  })

  test("of quotes that would be rescanned many times exceeds any budget", () => {
    const fuel = createFuel(liveLimits.fuel)
    expect(() => fromText("> # h\na\n".repeat(5_000), fuel)).toThrow("more work")
  })
})
