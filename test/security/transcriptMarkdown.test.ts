/** Nothing that a visitor says becomes markup in a transcript, and it is shown as it was said. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { transcriptMarkdown } from "../../src/engine/recorded/transcriptMarkdown.ts"
import { decoded, elementsOf, pagesOf } from "../support/rendered.ts"
import { fragments } from "./hostileMarkdown.ts"

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...fragments), { maxLength: 8 }).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme" }),
)

test("a transcript of any words has no link, picture or tag of theirs", () => {
  fc.assert(
    fc.property(hostile, hostile, fc.constantFrom("person", "bot"), (text, title, from) => {
      const line = { at: 0, from, groupTitle: title, text }
      const markdown = transcriptMarkdown([line, { ...line, text: "END" }] as never, [])
      expect(markdown).toContain("END")
      for (const [library, page] of Object.entries(pagesOf(markdown))) {
        const elements = elementsOf(page)
        // Some libraries make links of what looks like an address, and lead to just that.
        const own = elements.filter(({ tag }) => tag !== "a" || library === "markdown-it")
        const tags = new Set(own.map(({ tag }) => tag))
        for (const tag of ["blockquote", "p", "br", "strong", "h2"]) tags.delete(tag)
        expect([...tags], markdown).toEqual([])
        for (const { attributes } of own) expect(attributes, markdown).toEqual({})
      }
      const { "markdown-it": page = "" } = pagesOf(markdown)
      const [, shown = ""] = /<blockquote>([\s\S]*?)<\/blockquote>/.exec(page) ?? []
      const words = (html: string) => decoded(html.replace(/<[^>]*>/g, "")).replace(/\s/g, "")
      const said = text.replaceAll("\u0000", "\uFFFD").replace(/\s/g, "")
      expect(words(shown), markdown).toBe(said)
    }),
    { numRuns: 500 },
  )
})
