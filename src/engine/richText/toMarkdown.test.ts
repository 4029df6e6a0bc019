/** Rich text written as Markdown. */
import { expect, test } from "vitest"
import { unmetered } from "../budget/fuel.ts"
import type { RichText } from "../schema/richText.ts"
import { fromMarkdown } from "./fromMarkdown.ts"
import { toMarkdown } from "./toMarkdown.ts"

const p = (...children: RichText) => ({ type: "p", children })
const td = (text: string) => ({ type: "td", children: [p({ text })] })

test.each<[string, RichText, string]>([
  ["nothing", [], ""],
  [
    "a table, with an empty line after it",
    [
      {
        type: "table",
        children: [
          { type: "tr", children: [td("a"), { ...td("b|c"), align: "right" }] },
          { type: "tr", children: [{ type: "td", children: [{ text: "" }] }, td("x\\|y\\\\|z")] },
        ],
      },
      p({ text: "end" }),
    ],
    "| a | b\\|c |\n| --- | --: |\n|  | x\\|y\\\\\\|z |\n\nend",
  ],
  ["a line per block", [p({ text: "a" }), p({ text: "" }), p({ text: "b" })], "a\n\nb"],
  ["no line break at the end", [p({ text: "a" }), p({ text: "" })], "a"],
  ["a space at the end", [p({ text: "Hi " })], "Hi "],
  [
    "marks",
    [
      p(
        { text: "b", bold: true },
        { text: " " },
        { text: "i", italic: true },
        { text: " " },
        { text: "u", underline: true },
        { text: " " },
        { text: "c", code: true },
      ),
    ],
    "**b** _i_ <u>u</u> `c`",
  ],
  [
    "several marks",
    [p({ text: "x", bold: true, italic: true, underline: true })],
    "**_<u>x</u>_**",
  ],
  [
    "neighbours with the same marks as one",
    [p({ text: "Hi ", bold: true }, { text: "Ann", bold: true }, { text: "!" })],
    "**Hi Ann**!",
  ],
  [
    "marks that neighbours share once",
    [
      p(
        { text: "once a ", bold: true },
        { text: "month", bold: true, underline: true },
        { text: "! ", bold: true },
        { text: "and", italic: true },
        { text: " more", italic: true, code: true },
      ),
    ],
    "**once a <u>month</u>!** _and `more`_",
  ],
  ["white space outside of marks", [p({ text: " Hi ", bold: true }, { text: "x" })], " **Hi** x"],
  ["marks per line", [p({ text: "a\n\nb", bold: true })], "**a**\n\n**b**"],
  [
    "the spaced leaves of a value",
    [
      p(
        { text: "see " },
        { text: "B", bold: true },
        { text: "\n\n" },
        { text: "line" },
        { text: " end" },
      ),
    ],
    "see **B**\n\nline end",
  ],
  ["text unchanged", [p({ text: "*a* <b> [c] # d" })], "*a* <b> [c] # d"],
  [
    "a plain h after bold text",
    [p({ text: "see:", bold: true }, { text: "https://x.y" })],
    "**see:**https://x.y",
  ],
  ["links", [p({ type: "a", url: "https://x.y", children: [{ text: "t" }] })], "[t](https://x.y)"],
  [
    "a link without text",
    [p({ type: "a", url: "https://x.y", children: [{ text: "" }] })],
    "https://x.y",
  ],
  ["a link without address", [p({ type: "a", url: "", children: [{ text: "t" }] })], "t"],
  ["headings", [{ type: "h3", children: [{ text: "t" }] }], "### t"],
  ["quotes", [{ type: "blockquote", children: [{ text: "a\nb" }] }], "> a\n> b"],
  ["an unknown element as its content", [{ type: "callout", children: [p({ text: "a" })] }], "a"],
  [
    "an element without children, and a stray leaf",
    [{ type: "p" }, { text: "a" }, { type: "ul" }],
    "\na",
  ],
  [
    "a nested paragraph within its line",
    [p({ text: "Name: ", bold: true }, p({ text: "Ann" }))],
    "**Name:** Ann",
  ],
  [
    "inline variables within their line",
    [p({ text: "a " }, { type: "inline-variable", children: [{ text: "b" }] }, { text: " c" })],
    "a b c",
  ],
])("10.1 writes %s", (_name, richText, expected) => {
  expect(toMarkdown(richText)).toBe(expected)
})

test.each([
  "* a\n* b\n  1. c\n  2. d\n* e",
  "1. a\n2. b\n   * c",
  "9. a\n10. b\n    * c",
  "```ts\na\n\nb\n```",
  "***",
  "a\n\n\nb",
  "# t\n\n> q\n> r",
  "a `b` **c** _d_ [e](https://f.g)",
])("10.1 writes what it reads: %j", (text) => {
  expect(toMarkdown(fromMarkdown(text, unmetered()))).toBe(text)
})

test("10.1 writes long runs of line breaks and spaces quickly", () => {
  const start = performance.now()
  const text = `a${"\n".repeat(50_000)}${" ".repeat(50_000)}b`
  expect(toMarkdown([p({ text, bold: true })])).toContain("**b**")
  expect(performance.now() - start).toBeLessThan(5_000)
})
