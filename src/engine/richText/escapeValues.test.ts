/** Values are escaped in Markdown answers, and other text stays unchanged. */
import { expect, test } from "vitest"
import { testScope } from "../../../test/support/context.ts"
import type { RichText } from "../schema/richText.ts"
import { interpolateRichText } from "./interpolateRichText.ts"
import { toMarkdown } from "./toMarkdown.ts"

const p = (...children: RichText) => ({ type: "p", children })

function written(richText: RichText, values: Record<string, string>): string {
  const how = { printsLastOfList: false, marksValues: true }
  return toMarkdown(interpolateRichText(richText, testScope({ variables: values }), how))
}

test.each([
  "Ann",
  "ann@example.com",
  "3.5",
  "-5 and +49 170",
  "a - b",
  "5 * 3",
  "snake_case",
  "AT&T, Q&A",
  "1 < 2, a > b, <3",
  "Hi! (really?)",
  "C:\\dir",
  "#1",
  "2026-01-02",
  "https://x.y/a_b?c=d&e=f#g",
])("7.7 leaves an ordinary value unchanged: %j", (value) => {
  expect(written([p({ text: "{{A}}." })], { A: value })).toBe(`${value}.`)
  expect(written([p({ text: "{{A}}" })], { A: value })).toBe(value)
})

test.each<[string, string]>([
  ["](javascript:alert(1))[x", "\\]\\(javascript:alert(1))\\[x"],
  ["[x](javascript:alert(1))", "x"],
  ["&amp;#106;avascript:", "&amp;#106;avascript:"],
  ["<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"],
  ["\\*a\\* \\_b\\_ c~d~ e|f", "\\*a\\* \\_b\\_ c\\~d\\~ e\\|f"],
  ["a\n\\- b\n\\+ c\n1\\. d\n\\# e\n\\> f", "a\n\\- b\n\\+ c\n1\\. d\n\\# e\n\\> f"],
  ["a\n\\===", "a\n\\==="],
  ["a\n:-", "a\n\\:-"],
  ["a\\\\", "a\\\\"],
  ["ftp://x.y", "ftp\\://x.y"],
  ["https://x.y/`z`", "https\\://x.y/z"],
])("7.7 escapes possible markup: %j", (value, expected) => {
  expect(written([p({ text: "{{A}}" })], { A: value })).toBe(expected)
})

test("10.2 a number that begins a line among words makes no list", () => {
  expect(written([p({ text: "{{A}} at 5" })], { A: "3. May" })).toBe("3\\. May at 5")
  expect(written([p({ text: "On {{A}}" })], { A: "3. May" })).toBe("On 3. May")
})

test.each<[string, string]>([
  ["**bold** _it_", "**bold** _it_"],
  ["- a\n- b", "* a\n* b"],
  ["`a*b`", "`a*b`"],
  ["[t](https://x.y/a)", "[t](https://x.y/a)"],
  ["[t](<https://x.y/a (b)>)", "[t](https://x.y/a%20%28b%29)"],
  ["[t](file:///x)", "t"],
  ["![c](https://x.y/a.png)", "[c](https://x.y/a.png)"],
  ["[![c](https://x.y/a.png) d](https://x.y)", "[c d](https://x.y)"],
  ["~~~ a`b\n```\n~~~", "````\n```\n````"],
])("7.7 keeps the Markdown that the value is shown with: %j", (value, expected) => {
  expect(written([p({ text: "{{A}}" })], { A: value })).toBe(expected)
})

test.each<[string, RichText, string]>([
  ["bold words", [p({ text: "**Hi** {{A}}" })], "**Hi** \\*"],
  [
    "a link",
    [p({ text: "[t](https://x.y/{{A}}) [u](https://x.y)" })],
    "[t](https://x.y/%2A) [u](https://x.y)",
  ],
  ["a list", [p({ text: "- {{A}}" }), p({ text: "- b" })], "- \\*\n- b"],
  ["a tag", [p({ text: "<b>{{A}}</b>" })], "<b>\\*</b>"],
  [
    "an element of a link",
    [p({ type: "a", url: "https://x.y/?q={{A}}", children: [{ text: "{{A}}" }] })],
    "[\\*](https://x.y/?q=%2A)",
  ],
])("7.7 keeps the Markdown of the author: %s", (_name, richText, expected) => {
  expect(written(richText, { A: "\\*" }).replaceAll("%5C", "")).toBe(expected)
})

test.each<[string, string, string]>([
  ["[t]({{A}})", "javascript:alert(1)", "[t](javascript%3Aalert%281%29)"],
  ["[t]{{A}}", "(/evil)", "[t]\\(/evil)"],
  ["[t]: {{A}}", "/evil", "[t]\\: /evil"],
  ["C:\\{{A}}", "\\[x", "C:\\\\\\[x"],
  ["<{{A}}>", "script", "&lt;script>"],
  ["-{{A}}", "&#32;x", "-&#32;x"],
  ["   {{A}}", "&#32;x", "   &#32;x"],
  ["<a href='{{A}}'>", "/evil", "&lt;a href='/evil'>"],
  ["{{A}}. x", "1", "1\\. x"],
  ["{{A}}[x](/y)", "!", "\\![x](/y)"],
  ["`{{A}} b`", "a `<img src=x>` c", "`a &lt;img src=x> c b`"],
])("7.7 keeps %j and %j from forming markup together", (text, value, expected) => {
  expect(written([p({ text })], { A: value })).toBe(expected)
})

test("7.7 keeps a link of the author whole, with any content", () => {
  const link = { type: "a", url: "https://x.y", children: [{ text: "to {{A}}" }] }
  expect(written([p(link)], { A: "[t](https://evil.example)" })).toBe("[to t](https://x.y)")
  expect(written([p(link)], { A: "a\n\nb" })).toBe("[to a b](https://x.y)")
})

test("7.7 makes no link of a value between brackets that the author has opened", () => {
  const value = "[t](https://evil.example) https://evil.example"
  const text = (words: string) => written([p({ text: words })], { A: value })
  expect(text("[a [b] {{A}}](https://x.y)")).toBe("[a [b] t https\\://evil.example](https://x.y)")
  expect(text("[a] \\[ {{A}}")).toBe("[a] \\[ [t](https://evil.example) https://evil.example")
})

test("7.7 changes no text without values", () => {
  const richText = [
    p({ text: "*a* <b> [c] # d \\" }),
    { type: "code_block", lang: "a b", children: [] },
  ]
  expect(written(richText, {})).toBe("*a* <b> [c] # d \\\n```a b\n\n```")
})

test("7.7 treats the link of a value as part of the address that the author began", () => {
  const address = written([p({ text: "[z]({{A}})" })], { A: "[t](ftp://x.y)https://evil.example" })
  expect(address).toBe("[z](thttps%3A//evil.example)")
})

test("7.7 recognises an address that continues below the list in which the author began it", () => {
  const item = { type: "li", children: [{ type: "lic", children: [{ text: "![y](" }] }] }
  const code = { type: "code_line", children: [{ text: "{{A}}[z]()" }] }
  const richText = [
    { type: "ul", children: [item] },
    { type: "code_block", children: [code] },
    p({ text: "<div>" }),
  ]
  const text = written(richText, { A: "javascript:alert(1)" })
  expect(text).toContain("javascript%3Aalert%281%29")
})

test.each<[string, RichText, Record<string, string>]>([
  [
    "a link of the author",
    [{ type: "a", url: "{{A}}", children: [{ text: "{{B}}" }] }],
    { A: "javascript:alert(1)", B: "!" },
  ],
  ["a link of a value", [{ text: "{{A}}" }], { A: "[!](ftp://evil.example)" }],
  ["a picture of a value", [{ text: "{{A}}" }], { A: "![!](ftp://evil.example/a.png)" }],
])("7.7 writes %s without its refused address as text beside the next link", (_name, nodes, values) => {
  const link = { type: "a", url: "https://x.y/{{C}}", children: [{ text: "t" }] }
  expect(written([p(...nodes, link)], { ...values, C: "c" })).toBe("\\![t](https://x.y/c)")
})

test("7.7 writes code that begins with white space as text, since it would begin a block", () => {
  expect(written([p({ text: "{{A}}" })], { A: "`\t\\`" })).toBe("&#9;\\\\")
  expect(written([p({ text: "-{{A}}" })], { A: "`  a`" })).toBe("-&#32; a")
})

test.each([
  "[docs](https://author.example/?q=",
  "docs](https://author.example/?q=",
])("7.7 lets no web address of a value end that of the author before it: %j", (text) => {
  const values = { A: "[`<img src=x onerror=alert(1)>`", B: "https://evil.example/a_b" }
  expect(written([p({ text: `${text}{{B}})` }, { text: "{{A}}" })], values)).not.toContain("`")
  expect(written([p({ text: `${text}{{B}}{{A}}` })], values)).not.toContain("`")
})

test("7.7 treats the web address of a value after a link as separate", () => {
  const values = { A: "[www.x.y", B: "[t](/z)`" }
  expect(written([p({ text: "{{B}}{{A}}{{A}}" })], values)).toBe("[t](/z)\\`\\[www\\.x.y\\[www.x.y")
})

test("7.7 leaves a web address before a line break unchanged, for any next line", () => {
  const link = { type: "a", url: "https://x.y", children: [{ text: "t" }] }
  const text = written([p({ text: "{{A}}" }), p(link)], { A: "www.evil.example!" })
  expect(text).toBe("www.evil.example!\n[t](https://x.y)")
})
