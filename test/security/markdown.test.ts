/** Nothing that a value holds becomes markup in an answer in Markdown. */
import { domainToUnicode } from "node:url"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { interpolateRichText } from "../../src/engine/richText/interpolateRichText.ts"
import { childrenOf } from "../../src/engine/richText/leavesOf.ts"
import { hasForeignUrl } from "../../src/engine/richText/provenance.ts"
import { toMarkdown } from "../../src/engine/richText/toMarkdown.ts"
import type { RichText, RichTextNode } from "../../src/engine/schema/richText.ts"
import { testScope } from "../support/context.ts"
import { elementsOf, pagesOf, type Shown } from "../support/rendered.ts"
import { busy, fragments, quiet } from "./hostileMarkdown.ts"

type Values = Record<string, string>

const runs = Number(process.env.PARLEY_MARKDOWN_RUNS ?? 1_000)

const testTimeoutMs = 300_000 + runs * 10

const hostile = fc
  .array(fc.constantFrom(...fragments), { maxLength: 8 })
  .map((parts) => parts.join(""))

const valuesOf = fc.record({ A: hostile, B: hostile }) as fc.Arbitrary<Values>

const marks = fc.constantFrom<object>({}, {}, {}, { bold: true }, { italic: true }, { code: true })

/** Rich text whose words come from a list. */
function textOf(words: readonly string[], urls: readonly string[]): fc.Arbitrary<RichText> {
  const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  const leaf = fc.tuple(text, marks).map(([parts, mark]) => ({ text: parts.join(""), ...mark }))
  const link = fc.record({
    type: fc.constantFrom("a", "a", "img"),
    url: fc.constantFrom(...urls),
    children: fc.array(leaf, { minLength: 1, maxLength: 2 }),
  })
  const line = fc.array<RichTextNode>(fc.oneof({ arbitrary: leaf, weight: 4 }, link), {
    minLength: 1,
    maxLength: 4,
  })
  const flat = fc.constantFrom("p", "p", "p", "h2", "blockquote")
  const block = fc.record<RichTextNode>({ type: flat, children: line })
  const item = line.map((children) => ({ type: "li", children: [{ type: "lic", children }] }))
  const list = fc.record<RichTextNode>({
    type: fc.constantFrom("ul", "ol"),
    children: fc.array<RichTextNode>(item, { minLength: 1, maxLength: 2 }),
  })
  // Code of the author's own that his other HTML sets free is no matter of values.
  const calm = text.map((parts) => parts.filter((part) => !part.startsWith("<")))
  const code = calm.map<RichTextNode>((parts) => ({
    type: "code_block",
    children: [{ type: "code_line", children: [{ text: parts.join("") }] }],
  }))
  return fc.array(fc.oneof({ arbitrary: block, weight: 5 }, list, code), {
    minLength: 1,
    maxLength: 4,
  })
}

const quietText = textOf(quiet, ["https://author.example/{{A}}", "{{A}}", "{{B}}/x", "/p"])

const busyText = textOf(busy, ["https://author.example/{{A}}", "{{A}}", "ja{{A}}", "sms:{{B}}"])

const how = { printsLastOfList: false }
const markedOf = (text: RichText, values: Values) =>
  interpolateRichText(text, testScope({ variables: values }), { ...how, marksValues: true })
const markdownOf = (text: RichText, values: Values) => toMarkdown(markedOf(text, values))
const richOf = (text: RichText, values: Values) =>
  interpolateRichText(text, testScope({ variables: values }), how)

const nodesIn = (nodes: RichText): RichText =>
  nodes.flatMap((node) => [node, ...nodesIn(childrenOf(node))])

const schemeOf = (url: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip these in a scheme.
  /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\s\u0000-\u001F]/g, ""))?.[1]?.toLowerCase()
const isSafe = (url: string | undefined) =>
  [undefined, "http", "https", "mailto", "tel"].includes(schemeOf(url ?? ""))

/** The address as every spelling of it comes out. */
const plainUrl = (url: unknown) => {
  const text = String(url).replaceAll("\uFFFD", "")
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a link leads to just what it shows. */
const isBare = ({ attributes, text }: Shown) =>
  ["", "http://", "https://", "mailto:", "//"].some(
    (start) => plainUrl(unicodeHost(attributes.href)) === plainUrl(unicodeHost(`${start}${text}`)),
  )

const unicodeHost = (url = "") =>
  url.replace(/(?<=@|\/\/)[^/?#@]+/, (host) => domainToUnicode(host) || host)

/** Every element that the rich text has, by its HTML name. */
function tagsOf(rich: RichText): Set<string> {
  const tags = new Set(["p", "br"])
  for (const node of nodesIn(rich)) {
    // Marks beside each other may come out as the other emphasis, or as both.
    if (node.bold || node.italic) tags.add("strong").add("em")
    if (node.code) tags.add("code")
    if (node.type === "table") tags.add("thead").add("tbody")
    if (node.type === "code_block") tags.add("pre").add("code")
    else if (node.type) tags.add(node.type)
  }
  return tags
}

function elementsBy(markdown: string): [string, Shown[]][] {
  return Object.entries(pagesOf(markdown)).map(([library, page]) => [library, elementsOf(page)])
}

const allowedAttributes = new Set(["href", "src", "alt", "class", "start"])

describe("an answer in Markdown", () => {
  test(
    "has no element and no address that its rich text does not have",
    () => {
      const property = fc.property(quietText, valuesOf, (text, values) => {
        const rich = richOf(text, values)
        const tags = tagsOf(rich)
        const urls = new Set(nodesIn(rich).map((node) => plainUrl(node.url)))
        const markdown = markdownOf(text, values)
        for (const [library, elements] of elementsBy(markdown)) {
          for (const shown of elements) {
            const { tag, attributes } = shown
            const said = JSON.stringify({ library, markdown, shown })
            const url = attributes.href ?? attributes.src
            expect(isSafe(url), said).toBe(true)
            expect(
              Object.keys(attributes).every((name) => allowedAttributes.has(name)),
              said,
            ).toBe(true)
            if (tag === "a" && isBare(shown)) continue
            expect(tags.has(tag), said).toBe(true)
            if (url !== undefined) expect(urls.has(plainUrl(url)), said).toBe(true)
          }
        }
      })
      fc.assert(property, { numRuns: runs })
    },
    testTimeoutMs,
  )

  const ofMarkdown =
    /^(?:p|br|strong|em|code|pre|a|img|[uo]l|li|h[1-6]|blockquote|hr|del|s|table|thead|tbody|tr|t[hd]|input)$/

  /** Whether an element that is no Markdown has nothing of a value in it. */
  const isOfAuthor = ({ tag, text }: Shown) =>
    tag === "broken"
      ? !/^[^>]*(?:alert|evil|onerror|onload|javascript|src=)|^<(?:script|svg|img|b\b)/i.test(text)
      : !/^(?:script|svg|b)$/.test(tag)

  test(
    "runs no script and links no foreign address, with any text around a value",
    () => {
      const property = fc.property(busyText, valuesOf, (text, values) => {
        fc.pre(nodesIn(markedOf(text, values)).some(hasForeignUrl))
        const markdown = markdownOf(text, values)
        for (const [library, elements] of elementsBy(markdown)) {
          for (const shown of elements) {
            const { tag, attributes } = shown
            const said = JSON.stringify({ library, markdown, shown })
            if (!ofMarkdown.test(tag)) expect(isOfAuthor(shown), said).toBe(true)
            expect(
              Object.keys(attributes).some((name) => name.startsWith("on")),
              said,
            ).toBe(false)
            const url = attributes.href ?? attributes.src
            expect(isSafe(url) || schemeOf(url ?? "") === "sms", said).toBe(true)
          }
        }
      })
      fc.assert(property, { numRuns: runs })
    },
    testTimeoutMs,
  )
})
