/** The built-in texts of the engine in every language. */
import { expect, test } from "vitest"
import { languages } from "../lib/languages.ts"
import { textsIn } from "./texts.ts"

const english = textsIn()

test.each(
  languages.filter((language) => language !== "en"),
)("%s has all texts, as short as in English", (language) => {
  for (const [name, text] of Object.entries(textsIn(language))) {
    const original = english[name as keyof typeof english]
    expect(text, name).not.toBe(original)
    expect(text, name).toBe(text.trim())
    expect(text.length, name).toBeLessThan(original.length * 1.6 + 10)
  }
})
