/** Secrets in every form in which a server repeats them. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { createRedaction } from "./createRedaction.ts"

const secret = 'a+b/c d&ü"e<7'
const redact = createRedaction([secret, "abc"], "•••")

it.each([
  ["itself", secret],
  ["an address", encodeURIComponent(secret)],
  [
    "an address in lower case",
    encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  ],
  ["a form", new URLSearchParams({ secret }).toString().slice("secret=".length)],
  ["JSON", JSON.stringify(secret).slice(1, -1)],
  ["JSON with escaped slashes", JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/")],
  [
    "JSON in ASCII",
    Array.from(secret, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  ],
  ["HTML", "a+b/c d&amp;ü&quot;e&lt;7"],
])("a secret is found in the form of %s", (_, form) => {
  expect(redact(`x ${form} y`)).toBe("x ••• y")
})

it("a secret is found in base64 wherever it begins", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 8 })
  fc.assert(
    fc.property(text, text, fc.constantFrom("base64", "base64url"), (before, after, form) => {
      const encoded = Buffer.from(`${before}${secret}${after}`).toString(form as BufferEncoding)
      const redacted = redact(encoded)
      expect(redacted).toContain("•••")
      // What is left of it are some bits at either end.
      const [left = "", right = ""] = redacted.split("•••")
      expect((left.length + right.length) * 6).toBeLessThan(
        8 * Buffer.byteLength(before + after) + 24,
      )
    }),
  )
})

it("other texts stay as they are: short words, needless escapes, and what only looks like them", () => {
  for (const text of ["abc", "\\u0041 \\/ \\n", `\\\\u0061${secret.slice(1)}`, "a b/c d"])
    expect(redact(text)).toBe(text)
})
