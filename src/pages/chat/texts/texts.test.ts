/** The catalogues of built-in texts, compared with the English one. */
import { describe, expect, test } from "vitest"
import { catalogues } from "./catalogues.ts"
import { english } from "./english.ts"
import type { TextName, Texts } from "./texts.ts"

const names = Object.keys(english).filter((name) => name !== "language") as TextName[]

/** Texts in fields and on buttons, of which a phone shows one line. */
const short: readonly TextName[] = [
  ...(["typeAnswer", "typeNumber", "typeEmail", "typeUrl", "typePhone", "search"] as const),
  ...(["send", "cancel", "clear", "skip", "upload", "pay", "tryAgain", "startAgain"] as const),
]

const placeholders = (text: string) => (text.match(/\{\w+\}|\[\[\w+\]\]/g) ?? []).sort()

describe.each(Object.entries(catalogues))("the texts in %s", (language, texts) => {
  test("say which language they are in", () => {
    expect(texts.language).toBe(language.split("-")[0])
  })

  test("have the placeholders of the English ones", () => {
    for (const name of names) {
      expect(placeholders(texts[name]), name).toEqual(placeholders(english[name]))
    }
  })

  test("are neither empty nor much longer than the English ones", () => {
    for (const name of names) {
      expect(texts[name], name).toBe(texts[name].trim())
      expect(texts[name], name).not.toBe("")
      expect(texts[name].length, name).toBeLessThan(english[name].length * 1.6 + 16)
    }
    for (const name of short) expect(texts[name].length, name).toBeLessThanOrEqual(28)
  })
})

test("a catalogue that lacks a text, or has one too many, does not compile", () => {
  const { send, ...others } = english
  // @ts-expect-error: a text is missing
  const lacking: Texts = others
  // @ts-expect-error: there is no such text
  const tooMany: Texts = { ...english, shout: "Shout" }
  // @ts-expect-error: there is no such language
  const foreign: Texts = { ...english, language: "tlh" }
  expect([lacking, tooMany, foreign, send]).toHaveLength(4)
})
